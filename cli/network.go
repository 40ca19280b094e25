package cli

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"parley/client/wire"
	"parley/config"
)

// networking are the flags that shape a connection to a URL.
type networking struct {
	headers       []string // "Name: value", with variables
	ca, cert, key string   // files
	insecure      bool
	transport     string // auto, http, sse
	reconnects    countFlag
}

// countFlag is a number from 0, or not given.
type countFlag struct {
	given bool
	n     int
}

// String implements [pflag.Value].
func (c *countFlag) String() string {
	if !c.given {
		return ""
	}
	return strconv.Itoa(c.n)
}

// Type implements [pflag.Value].
func (c *countFlag) Type() string { return "number" }

// Set implements [pflag.Value].
func (c *countFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("it is no number from 0")
	}
	c.given, c.n = true, n
	return nil
}

// flags adds the flags.
func (n *networking) flags(f *pflag.FlagSet) {
	f.StringArrayVarP(&n.headers, "header", "H", nil, "send this `HEADER`, 'Name: value', with every request to a URL; ${NAME} is a variable of the environment (repeatable)")
	f.StringVar(&n.ca, "ca", "", "trust the certificates of this `FILE` too (PEM)")
	f.StringVar(&n.cert, "cert", "", "show this certificate to the server: a PEM `FILE`")
	f.StringVar(&n.key, "key", "", "the private key of --cert, if it is not in that file: a PEM `FILE`")
	f.BoolVar(&n.insecure, "insecure", false, "do not check the server's certificate: anybody on the way can read and change what is sent")
	f.StringVar(&n.transport, "transport", "", "the `TRANSPORT` of an http URL: auto (Streamable HTTP, then HTTP+SSE), http or sse")
	f.Var(&n.reconnects, "reconnects", fmt.Sprintf("open a stream that broke again at most `N` times in a row, 0 never (default %d)", wire.DefaultReconnects))
}

// check looks at what the flags say, whatever they are for.
func (n *networking) check() error {
	for i, h := range n.headers {
		if _, _, err := splitHeader(h, i); err != nil {
			return err
		}
	}
	if n.key != "" && n.cert == "" {
		return usage("--cert FILE has the certificate", "--key %s without --cert", n.key)
	}
	return asSetting("--transport", "transport", n.transport)
}

// splitHeader takes a header as -H has it apart; its variables stay. Errors never quote
// a value; i is which -H it is.
func splitHeader(text string, i int) (name, written string, err error) {
	const form = "write -H 'Name: value'"
	name, written, ok := strings.Cut(text, ":")
	name, written = strings.TrimSpace(name), strings.Trim(written, " \t")
	switch {
	case !ok:
		return "", "", usage(form, "-H number %d has no colon: it is not 'Name: value'", i+1)
	case name == "":
		return "", "", usage(form, "-H number %d has no name before its colon", i+1)
	}
	return name, written, checkHeaderName(name)
}

// readHeader is splitHeader, and gives the value with its variables replaced, too.
func readHeader(text string, i int) (name, value, written string, err error) {
	if name, written, err = splitHeader(text, i); err != nil {
		return "", "", "", err
	}
	if value, err = config.ExpandText("-H "+name, written); err != nil {
		return "", "", "", err
	}
	return name, strings.Trim(value, " \t"), written, checkHeaderValue(name, value)
}

// ours are the headers that the connection itself is made with.
var ours = []string{"Connection", "Content-Length", "Host", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

func checkHeaderName(name string) error {
	for _, c := range []byte(name) {
		letter := c|' ' >= 'a' && c|' ' <= 'z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return usage("a name has letters, digits and hyphens: -H 'X-Api-Key: …'", "%q is no name of a header", name)
		}
	}
	if slices.Contains(ours, http.CanonicalHeaderKey(name)) {
		return usage("leave it away", "-H %s: that header belongs to the connection, which parley makes", name)
	}
	return nil
}

func checkHeaderValue(name, value string) error {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return usage("a value is one line; does a variable end with a newline?", "the value of the header %s has a control character in it", name)
	}
	return nil
}

// header gives the headers to send: those of a configuration, those of -H, which win,
// and who the URL says that we are. written has how to name them again.
func (n *networking) header(configured map[string]string, a *config.Address) (h http.Header, written []string, err error) {
	h = http.Header{}
	for name, value := range configured {
		if err := checkHeaderName(name); err != nil {
			return nil, nil, err
		}
		if err := checkHeaderValue(name, value); err != nil {
			return nil, nil, err
		}
		h.Set(name, value)
	}
	first := map[string]bool{}
	for i, text := range n.headers {
		name, value, typed, err := readHeader(text, i)
		if err != nil {
			return nil, nil, err
		}
		if key := http.CanonicalHeaderKey(name); !first[key] { // -H replaces, and may then repeat
			h.Del(key)
			first[key] = true
		}
		h.Add(name, value)
		written = append(written, name+": "+config.Placeholder(typed, name))
	}
	if a.HasUser && h.Get("Authorization") == "" {
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(a.User+":"+a.Password)))
		if len(configured) == 0 {
			written = append(written, "Authorization: Basic ${AUTHORIZATION}")
		}
	}
	return h, written, nil
}

// misplaced finds a flag that makes no sense for an address, nil for a command, and
// what it is for.
func (a *app) misplaced(at *config.Address) (wrong, needs string) {
	const command, http, tls, streams = "a command", "http and ws URLs", "https and wss URLs", "http URLs"
	web := at != nil && (at.OverHTTP() || at.WebSocket())
	for _, f := range []struct {
		name  string
		given bool
		fits  bool
		needs string
	}{
		{"-e", len(a.env) > 0, at == nil, command}, {"--cwd", a.cwd != "", at == nil, command}, {"--clean-env", a.cleanEnv, at == nil, command},
		{"-H", len(a.headers) > 0, web, http},
		{"--ca", a.ca != "", web, tls}, {"--cert", a.cert != "", web, tls}, {"--insecure", a.insecure, web, tls},
		{"--transport", a.transport != "", at != nil && at.OverHTTP(), streams},
		{"--reconnects", a.reconnects.given, at != nil && at.OverHTTP(), streams},
	} {
		if f.given && !f.fits {
			return f.name, f.needs
		}
	}
	return "", ""
}

// fits refuses flags that make no sense for a target.
func (a *app) fits(t *target) error {
	var at *config.Address
	if t.remote != nil {
		at = &t.remote.address
	}
	name, needs := a.misplaced(at)
	if name == "" || a.loose {
		return nil
	}
	what := t.String()
	if at == nil {
		what = "a command: " + what
	}
	return usage("it is for "+needs+"; leave it away", "%s does not go with %s", name, what)
}
