package cli

import (
	"context"
	"strings"
	"testing"

	"parley/client/wire"
)

func TestATargetIsNamedAgainAsItWasNamed(t *testing.T) {
	command := target{name: "node", command: wire.Command{Args: []string{"node", "w.js"}}}
	configured := target{name: "my server", configured: "my server", command: wire.Command{Args: []string{"node", "secret"}, Shown: []string{"node", "${SECRET}"}}}
	url := target{name: "h", remote: &remote{typed: []string{"-H", "X-Key: ${X_KEY}", "http://h/mcp?token=${TOKEN}"}}}
	for name, tt := range map[string]struct {
		app  app
		t    target
		want string
	}{
		"a command":                  {app{}, command, "node|w.js"},
		"with flags":                 {app{env: []string{"A=b c"}, cwd: "/tmp", cleanEnv: true}, command, "--cwd|/tmp|-e|A=b c|--clean-env|--|node|w.js"},
		"a configured server":        {app{}, configured, "-s|my server"},
		"of a named configuration":   {app{config: "x.json"}, configured, "--config|x.json|-s|my server"},
		"a command beside one":       {app{config: "x.json"}, command, "node|w.js"},
		"with answers":               {app{speaking: speaking{protocol: "2025-03-26"}, answering: answering{elicit: "decline", roots: []string{"a", "b"}}}, command, "--protocol|2025-03-26|--elicit|decline|--root|a|--root|b|--|node|w.js"},
		"a URL":                      {app{networking: networking{insecure: true, transport: "sse", reconnects: countFlag{true, 0}}}, url, "--insecure|--transport|sse|--reconnects|0|-H|X-Key: ${X_KEY}|http://h/mcp?token=${TOKEN}"},
		"a URL and how to speak":     {app{speaking: speaking{logLevel: "info", extensions: []string{"a/b"}, anonymous: true}}, url, "--log-level|info|--extension|a/b|--no-client-info|-H|X-Key: ${X_KEY}|http://h/mcp?token=${TOKEN}"},
		"a configured one with more": {app{env: []string{"A=1"}}, configured, "-e|A=1|-s|my server"},
	} {
		if got := strings.Join(tt.app.again(tt.t), "|"); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestNotesGoToTheScreenWhileItShows(t *testing.T) {
	var err strings.Builder
	a := &app{io: Streams{Err: &err}, ctx: context.Background(), notices: make(chan string, 1)}
	a.note("one %d", 1)
	a.note("nobody reads this")
	if got := <-a.notices; got != "one 1" || err.Len() > 0 {
		t.Errorf("said %q, on standard error %q", got, err.String())
	}
}
