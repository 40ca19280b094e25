package cli

import (
	"slices"
	"testing"
)

func TestShellWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                              nil,
		"   ":                           nil,
		" -- node server.js ":           {"--", "node", "server.js"},
		"\t-s  weather":                 {"-s", "weather"},
		`-- "my server" 'it''s' a\ b`:   {"--", "my server", "its", "a b"},
		`-- a"b c"d ''`:                 {"--", "ab cd", ""},
		`-- "say \"hi\"" '\n'`:          {"--", `say "hi"`, `\n`},
		`-- node s.js | jq .`:           {"--", "node", "s.js"},
		`-- node s.js>out; ls`:          {"--", "node", "s.js"},
		`-- 'a|b;c' && x`:               {"--", "a|b;c"},
		`-- "not closed and the rest`:   {"--", "not closed and the rest"},
		"-- 名前 é\\":                     {"--", "名前", "é"},
		`rest-of-a-word -- ./server -v`: {"rest-of-a-word", "--", "./server", "-v"},
	} {
		if got := shellWords(line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestOnlyNamesAreOffered(t *testing.T) {
	for text, want := range map[string]bool{
		"get_forecast": true, "名前": true, "a.b/c-d": true, "two words": true, "file:///a?b=c#d": true,
		"": false, "other": false, "get$(x)": false, "get`x`": false, "get;x": false, "get|x": false, "get\nx": false,
		"get\x1b[2J": false, "get\u202ex": false, "get&x": false, `get"x`: false, "get'x": false, `get\x`: false, "get>x": false,
	} {
		typed := ""
		if text == "other" {
			typed = "g"
		}
		if got := len(offer(nil, typed, text, "about")) == 1; got != want {
			t.Errorf("%q offered: %v", text, got)
		}
	}
}

func TestManual(t *testing.T) {
	t.Setenv("HOME", "~")
	t.Setenv("XDG_STATE_HOME", "~/.local/state")
	root, pages, err := Manual()
	if err != nil {
		t.Fatal(err)
	}
	if root.Name() != "parley" || len(root.Commands()) < 20 || len(pages) != len(topics) {
		t.Errorf("%s with %d commands and %d pages", root.Name(), len(root.Commands()), len(pages))
	}
	for _, p := range pages {
		if p.Text == "" || p.Short == "" {
			t.Errorf("%s says nothing", p.Name)
		}
	}
}
