package cli

import (
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/client"
	"parley/client/wire"
	"parley/config"
	"parley/script"
)

func TestHeadersOfAURL(t *testing.T) {
	t.Setenv("PARLEY_TEST_TOKEN", "hunter2")
	a := bare(t)
	a.headers = []string{"authorization: Bearer ${PARLEY_TEST_TOKEN}", "X-Many: 1", "x-many:2", "X-Empty:", "X-Own : ${PARLEY_TEST_UNSET:-mine}"}
	got, err := a.target([]string{"https://me:secret@h/mcp?token=hunter3&page=${PARLEY_TEST_TOKEN}#x"}, false)
	if err != nil {
		t.Fatal(err)
	}
	r := got.remote
	if want := (http.Header{"Authorization": {"Bearer hunter2"}, "X-Many": {"1", "2"}, "X-Empty": {""}, "X-Own": {"mine"}}); !reflect.DeepEqual(r.header, want) {
		t.Errorf("headers %v, want %v", r.header, want)
	}
	if r.address.URL != "https://h/mcp?token=hunter3&page=hunter2" {
		t.Errorf("connects to %s", r.address.URL)
	}
	if got.String() != "https://h/mcp?token=…&page=${PARLEY_TEST_TOKEN}#x" || got.name != "h" {
		t.Errorf("shown as %s, called %s", got, got.name)
	}
	want := []string{"-H", "authorization: Bearer ${PARLEY_TEST_TOKEN}", "-H", "X-Many: ${X_MANY}", "-H", "x-many: ${X_MANY}", "-H", "X-Empty: ${X_EMPTY}",
		"-H", "X-Own: ${PARLEY_TEST_UNSET}", "--url", "https://h/mcp?token=${TOKEN}&page=${PARLEY_TEST_TOKEN}#x"}
	if !slices.Equal(r.typed, want) {
		t.Errorf("typed again as %q, want %q", r.typed, want)
	}
	if h := got.recorded(); h.URL != got.String() || h.Command != nil || h.Cwd != "" {
		t.Errorf("recorded as %+v", h)
	}

	a = bare(t)
	a.clientName, a.clientVersion = "a client", "1"
	got, err = a.target([]string{"http://me:pass@h"}, false)
	if want := (http.Header{"Authorization": {"Basic bWU6cGFzcw=="}, "User-Agent": {"a-client/1"}}); err != nil || !reflect.DeepEqual(got.remote.header, want) {
		t.Errorf("%v, %v, want %v", got.remote.header, err, want)
	}
	if b := a.behind(&got); b != "-H 'Authorization: Basic ${AUTHORIZATION}' --url http://h" {
		t.Errorf("behind a command: %s", b)
	}
}

func TestSecretsInPathsOfURLs(t *testing.T) {
	a := bare(t)
	got, err := a.target([]string{"https://h/s/0a1b2c3d4e5f60718293a4b5c6d7e8f9/mcp?x=1"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != "https://h/s/…e8f9/mcp?x=1" || strings.Join(got.remote.typed, " ") != "--url https://h/s/${SECRET}/mcp?x=1" {
		t.Errorf("shown as %s, typed as %q", got, got.remote.typed)
	}
	if got.remote.address.URL != "https://h/s/0a1b2c3d4e5f60718293a4b5c6d7e8f9/mcp?x=1" {
		t.Errorf("connects to %s", got.remote.address.URL)
	}
}

func TestFlagsOfAURLThatAreWrong(t *testing.T) {
	for _, c := range []struct {
		given networking
		want  string
	}{
		{networking{headers: []string{"hunter2"}}, "-H number 1 has no colon"},
		{networking{headers: []string{"A: b", ": hunter2"}}, "-H number 2 has no name"},
		{networking{headers: []string{"a b: hunter2"}}, `"a b" is no name`},
		{networking{headers: []string{"Content-length: hunter2"}}, "belongs to the connection"},
		{networking{headers: []string{"A: hunter2\r\nB: c"}}, "the value of the header A has a control character"},
		{networking{headers: []string{"A: ${PARLEY_TEST_UNSET}"}}, "-H A uses ${PARLEY_TEST_UNSET}"},
		{networking{transport: "stdio"}, "--transport: expected auto, http or sse"},
		{networking{key: "x"}, "--key x without --cert"},
	} {
		a := bare(t)
		a.networking = c.given
		if _, err := a.target([]string{"http://h"}, false); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") || exitCode(err) != 2 || hint(err) == "" {
			t.Errorf("%+v: %v, hint %q, want %s", c.given, err, hint(err), c.want)
		}
	}
}

func TestFlagsThatDoNotFit(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]func(*app){
		"-e": func(a *app) { a.env = []string{"A=b"} }, "--cwd": func(a *app) { a.cwd = "." }, "--clean-env": func(a *app) { a.cleanEnv = true },
		"-H": func(a *app) { a.headers = []string{"A: b"} }, "--ca": func(a *app) { a.ca = "x" }, "--insecure": func(a *app) { a.insecure = true },
		"--cert": func(a *app) { a.cert = "x" }, "--transport": func(a *app) { a.transport = "sse" }, "--reconnects": func(a *app) { a.reconnects = countFlag{true, 0} },
	}
	for target, fit := range map[string]string{
		self:          "-e --cwd --clean-env",
		"https://h":   "-H --ca --cert --insecure --transport --reconnects",
		"wss://h":     "-H --ca --cert --insecure",
		"tcp://h:1":   "",
		"unix:///h/s": "",
	} {
		for name, give := range set {
			a := bare(t)
			give(a)
			_, err := a.target([]string{target}, false)
			if want := slices.Contains(strings.Fields(fit), name); (err == nil) != want {
				t.Errorf("%s with %s: %v", name, target, err)
			} else if !want && (exitCode(err) != 2 || !strings.HasPrefix(err.Error(), name+" does not go with ") || hint(err) == "") {
				t.Errorf("%s with %s: %v, hint %q", name, target, err, hint(err))
			}
			a.loose = true
			if _, err := a.target([]string{target}, false); err != nil {
				t.Errorf("%s beside %s: %v", name, target, err)
			}
		}
	}
}

func TestHowATargetIsSpokenTo(t *testing.T) {
	a := bare(t)
	a.config = ".mcp.json"
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("PARLEY_TEST_URL", "http://h/x")
	writeConfig(t, `{"mcpServers": {
		"auto": {"url": "https://h/mcp", "type": "sse"},
		"old": {"url": "${PARLEY_TEST_URL}", "type": "streamableHttp", "protocol": "2025-03-26"},
		"socket": {"url": "https://h/ws", "type": "websocket"},
		"command": {"command": "true", "protocol": "modern"}}}`)
	for name, want := range map[string]struct {
		protocol, transport string
		mode                wire.Mode
	}{
		"auto": {"auto", "sse", wire.ModeSSE}, "old": {"2025-03-26", "http", wire.ModeStreamable}, "socket": {"legacy", "ws", wire.ModeAuto},
		"http://h": {"auto", "http", wire.ModeAuto}, "tcp://h:1": {"legacy", "tcp", wire.ModeAuto}, "unix:///h": {"legacy", "unix", wire.ModeAuto},
	} {
		got, err := a.target([]string{name}, false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		opt, err := a.optionsFor(&got)
		if err != nil || opt.Protocol != want.protocol || got.transport() != want.transport || got.remote.mode != want.mode {
			t.Errorf("%s: %s over %s, mode %d, %v", name, opt.Protocol, got.transport(), got.remote.mode, err)
		}
	}
	a.protocol, a.transport = "legacy", "http"
	got, err := a.target([]string{"auto"}, false)
	if err != nil || a.protocolFor(&got) != "legacy" || got.remote.mode != wire.ModeStreamable {
		t.Errorf("flags win: %s, mode %d, %v", a.protocolFor(&got), got.remote.mode, err)
	}
	for _, flags := range []speaking{{protocol: "modrn"}, {logLevel: "warn"}, {extensions: []string{"x"}}, {extensions: []string{""}}} {
		a.speaking = flags
		if _, err := a.clientOptions(); exitCode(err) != 2 || hint(err) == "" {
			t.Errorf("%+v: %v", flags, err)
		}
	}
}

func TestErasAreLearned(t *testing.T) {
	a := bare(t)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	writeConfig(t, `{"mcpServers": {"far": {"url": "http://h/far"}, "elsewhere": {"url": "http://h/far"}}}`)
	one := func(word string) *target {
		got, err := a.target([]string{word}, false)
		if err != nil {
			t.Fatal(err)
		}
		return &got
	}
	far, typed, elsewhere := one("far"), one("http://h/far"), one("elsewhere")
	a.learn(far, &client.Options{Protocol: "auto"}, client.Modern)
	a.learn(typed, &client.Options{Protocol: "auto"}, client.Legacy)
	a.learn(elsewhere, &client.Options{Protocol: "modern"}, client.Modern) // nobody asked
	a.learn(elsewhere, &client.Options{Protocol: "auto"}, client.UnknownEra)
	for _, c := range []struct {
		t    *target
		want client.Era
	}{{far, client.Modern}, {typed, client.UnknownEra}, {elsewhere, client.UnknownEra}} {
		if got := a.guess(c.t); got != c.want {
			t.Errorf("%s is remembered as %q, want %q", c.t, got, c.want)
		}
	}
	a.learn(far, &client.Options{Protocol: "auto", Guess: client.Modern}, client.Legacy)
	if got := a.guess(far); got != client.Legacy {
		t.Errorf("what was remembered is corrected to %q", got)
	}
}

func TestSettingsShapeAURL(t *testing.T) {
	a := bare(t)
	a.headers = []string{"A: 1", "B: 2"}
	got, err := a.target([]string{"http://h"}, false)
	if err != nil {
		t.Fatal(err)
	}
	now := got.remote.with(&script.Settings{Headers: []string{"B:", "C: 3"}, Transport: "sse"})
	if want := (http.Header{"A": {"1"}, "C": {"3"}}); !reflect.DeepEqual(now.header, want) || now.mode != wire.ModeSSE {
		t.Errorf("%v, mode %d", now.header, now.mode)
	}
	if len(got.remote.header) != 2 || got.remote.mode != wire.ModeAuto {
		t.Errorf("the target itself became %v, mode %d", got.remote.header, got.remote.mode)
	}
	before, _ := got.remote.client()
	if after, _ := now.client(); before != after {
		t.Error("each connection has an HTTP client of its own")
	}
}

func TestNamesOfURLs(t *testing.T) {
	for url, want := range map[string]string{
		"https://mcp.example.com:8080/mcp": "mcp.example.com:8080", "unix:///run/my-server.sock": "my-server", "tcp://127.0.0.1:99": "127.0.0.1:99", "unix://@abstract": "@abstract",
	} {
		at, err := config.ParseURL(url, url)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&remote{address: at}).name(); got != want {
			t.Errorf("%s is called %q, want %q", url, got, want)
		}
	}
}

func TestEventsInWords(t *testing.T) {
	for raw, want := range map[string]string{
		`{"event":"connected","epoch":1,"pid":7}`:                                            "",
		`{"event":"connected","epoch":2,"transport":"http","url":"http://h/mcp"}`:            "connection 2 over http: http://h/mcp",
		`{"event":"reconnecting","via":"POST 7","attempt":2,"ms":500,"text":"it was reset"}`: "POST 7 broke and is opened again after 500 ms, attempt 2: it was reset",
		`{"event":"switched","transport":"sse","url":"http://h/sse"}`:                        "over sse from here on: http://h/sse",
		`{"event":"lost","seq":4,"text":"the stream ended"}`:                                 "frame 4 will not be answered: the stream ended",
		`{"event":"abandoned","seq":4}`:                                                      "the answer to frame 4 is not waited for",
		`{"event":"expired"}`:                                                                "the server does not know the session any more",
		`{"event":"disconnected","text":"closed with 1011"}`:                                 "disconnected: closed with 1011",
		`{"event":"notice","text":"a word"}`:                                                 "a word",
		`{"event":"exited","code":7}`:                                                        "",
		`{`:                                                                                  "",
	} {
		if got := eventText([]byte(raw)); got != want {
			t.Errorf("%s is told as %q, want %q", raw, got, want)
		}
	}
}

// writeConfig writes the project's configuration.
func writeConfig(t *testing.T, content string) {
	t.Helper()
	if err := os.WriteFile(".mcp.json", []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestConnectingTakesLessThanARequestMay(t *testing.T) {
	for timeout, want := range map[time.Duration]time.Duration{0: 10 * time.Second, time.Minute: 10 * time.Second, 2 * time.Second: 1800 * time.Millisecond} {
		a := bare(t)
		a.timeout = timeout
		got, err := a.target([]string{"http://h/mcp"}, false)
		if err != nil || got.remote.patience != want {
			t.Errorf("%s: %s, %v, want %s", timeout, got.remote.patience, err, want)
		}
	}
}
