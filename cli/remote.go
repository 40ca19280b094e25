package cli

import (
	"net/http"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"parley/client/wire"
	"parley/config"
	"parley/script"
)

// remote is a target that is no process: a URL, and how to connect to it.
type remote struct {
	address config.Address
	shown   string // the URL for people and for the record: without secrets
	// typed are the words that name it on a command line, without secrets: -H with
	// variables in the place of values, then --url, which may stand with every command.
	typed      []string
	header     http.Header // secret
	secret     []string    // names of headers whose values came from variables
	mode       wire.Mode
	reconnects int           // as wire.HTTPOptions has it
	insecure   bool          // the certificate is not checked
	patience   time.Duration // how long connecting may take

	// client gives the HTTP client of a session, made once for all of its connections:
	// the files of --ca, --cert and --key are read then.
	client func() (*http.Client, error)
}

// with is the target as the settings of a script shape it.
func (r *remote) with(s *script.Settings) *remote {
	now := *r
	now.header = r.header.Clone()
	s.ApplyHeader(now.header)
	if s.Transport != "" {
		now.mode = modeOf(s.Transport)
	}
	return &now
}

// transport names how the target is spoken to before a connection says it.
func (t *target) transport() string {
	switch {
	case t.remote == nil:
		return wire.TransportStdio
	case t.remote.address.WebSocket():
		return wire.TransportWS
	case t.remote.address.OverHTTP() && t.remote.mode == wire.ModeSSE:
		return wire.TransportSSE
	case t.remote.address.OverHTTP():
		return wire.TransportHTTP
	}
	return t.remote.address.Scheme // tcp and unix are called the same
}

// urlTarget is the target of a URL that was typed. Variables in it are replaced.
func (a *app) urlTarget(text string) (target, error) {
	ready, err := config.ExpandText("the URL", text)
	if err != nil {
		return target{}, err
	}
	t, err := a.remoteTarget(config.Server{URL: text}, config.Server{URL: ready})
	if err != nil {
		return t, err
	}
	return t, a.fits(&t)
}

// remoteTarget is the target of a server that has a URL, as written and with its
// variables replaced; flags win over what is configured.
func (a *app) remoteTarget(written, ready config.Server) (target, error) {
	if err := a.networking.check(); err != nil {
		return target{}, err
	}
	shown := written.Masked().URL
	at, err := config.ParseURL(urlOfType(ready.URL, ready.Type), shown)
	if err != nil {
		return target{}, err
	}
	r := &remote{address: at, shown: urlOfType(shownURL(written), ready.Type), mode: modeOf(or(a.transport, ready.Type))}
	header, typed, err := a.header(ready.Headers, &at)
	if err != nil {
		return target{}, err
	}
	if header.Get("User-Agent") == "" && a.clientName != "" && !a.anonymous {
		agent := strings.Join(strings.Fields(a.clientName), "-") + "/" + strings.Join(strings.Fields(a.clientVersion), "-")
		if err := checkHeaderValue("User-Agent", agent); err != nil {
			return target{}, err
		}
		header.Set("User-Agent", agent)
	}
	r.header, r.secret = header, fromVariables(written.Headers, ready.Headers, a.headers)
	for _, h := range typed {
		r.typed = append(r.typed, "-H", h)
	}
	r.typed = append(r.typed, "--url", withPlaceholders(withoutUser(written.URL)))
	r.insecure = a.insecure && at.Encrypted()
	r.patience = a.patience()
	net := wire.NetOptions{CA: a.ca, Cert: a.cert, Key: a.key, Insecure: a.insecure, ConnectTimeout: r.patience}
	r.client = sync.OnceValues(func() (*http.Client, error) { return wire.NewHTTPClient(net) })
	switch {
	case !a.reconnects.given:
	case a.reconnects.n == 0:
		r.reconnects = -1
	default:
		r.reconnects = a.reconnects.n
	}
	return target{name: or(ready.Name, r.name()), remote: r, protocol: ready.Protocol}, nil
}

// fromVariables names the headers whose values have variables in them as written, in a
// configuration or by -H: whoever does that does not want the value to be seen.
func fromVariables(written, ready map[string]string, typed []string) (names []string) {
	for name, value := range ready {
		if written[name] != value {
			names = append(names, name)
		}
	}
	for i, text := range typed {
		if name, value, written, err := readHeader(text, i); err == nil && value != written {
			names = append(names, name)
		}
	}
	return names
}

// name is what people would call a URL: its host, or the name of its socket.
func (r *remote) name() string {
	if r.address.Path != "" {
		base := path.Base(filepath.ToSlash(r.address.Path))
		return strings.TrimSuffix(base, path.Ext(base))
	}
	return r.address.Host
}

// urlOfType is a URL whose entry says that it is a websocket's though its scheme is
// that of HTTP.
func urlOfType(url, kind string) string {
	if kind != "ws" && kind != "websocket" {
		return url
	}
	if rest, ok := strings.CutPrefix(url, "http"); ok {
		return "ws" + rest
	}
	return url
}

// modeOf is the transport of HTTP that --transport or an entry's type says.
func modeOf(kind string) wire.Mode {
	switch strings.ToLower(kind) {
	case "sse":
		return wire.ModeSSE
	case "http", "streamable-http", "streamablehttp", "streamable_http":
		return wire.ModeStreamable
	}
	return wire.ModeAuto
}

// withoutUser leaves out who stands before the host.
func withoutUser(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || scheme == "unix" {
		return url
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest
}

// shownURL is a server's URL for people and for the record: variables as written, what
// else may be secret masked as the frames have it.
func shownURL(written config.Server) string {
	masked, plain := withoutUser(written.Masked().URL), withoutUser(written.URL)
	if strings.HasPrefix(plain, "unix:") {
		return masked
	}
	_, query, ok := strings.Cut(masked, "?")
	path, plainQuery, _ := strings.Cut(plain, "?")
	if path = wire.MaskURL(path); !ok {
		return path
	}
	parts := strings.Split(query, "&")
	for i, p := range strings.Split(plainQuery, "&") {
		if i < len(parts) && !strings.Contains(p, "${") {
			parts[i] = maskedPart(p)
		}
	}
	return path + "?" + strings.Join(parts, "&")
}

// maskedPart is one parameter of a URL's query, masked as the frames have it.
func maskedPart(part string) string {
	const any = "http://h/?"
	return strings.TrimPrefix(wire.MaskURL(any+part), any)
}

// withPlaceholders puts variables in the place of what may be secret in a URL: parts
// of its path that look random, and values of its query.
func withPlaceholders(url string) string {
	before, query, ok := strings.Cut(url, "?")
	if !strings.HasPrefix(url, "unix:") {
		segments := strings.Split(before, "/")
		for i := 3; i < len(segments); i++ {
			if one := "http://h/" + segments[i]; wire.MaskURL(one) != one && !strings.Contains(segments[i], "${") {
				segments[i] = config.Placeholder(segments[i], "SECRET")
			}
		}
		before = strings.Join(segments, "/")
	}
	if !ok {
		return before
	}
	parts := strings.Split(query, "&")
	for i, p := range parts {
		if name, value, _ := strings.Cut(p, "="); maskedPart(p) != p || config.MaskURL("http://h/?"+p) != "http://h/?"+p {
			parts[i] = name + "=" + config.Placeholder(value, name)
		}
	}
	return before + "?" + strings.Join(parts, "&")
}
