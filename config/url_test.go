package config

import (
	"errors"
	"strings"
	"testing"
)

func TestURLsThatCanBeConnectedTo(t *testing.T) {
	for text, want := range map[string]Address{
		"https://example.com/mcp":            {Scheme: "https", URL: "https://example.com/mcp", Host: "example.com"},
		"HTTP://127.0.0.1:8080":              {Scheme: "http", URL: "http://127.0.0.1:8080", Host: "127.0.0.1:8080"},
		"http://[::1]:80/a%20b?x=1&y=#frag":  {Scheme: "http", URL: "http://[::1]:80/a%20b?x=1&y=", Host: "[::1]:80"},
		"https://me:p%40ss@h/mcp":            {Scheme: "https", URL: "https://h/mcp", Host: "h", User: "me", Password: "p@ss", HasUser: true},
		"wss://h/ws":                         {Scheme: "wss", URL: "wss://h/ws", Host: "h"},
		"tcp://localhost:99/":                {Scheme: "tcp", URL: "tcp://localhost:99", Host: "localhost:99"},
		"unix:///run/with space/mcp%20.sock": {Scheme: "unix", URL: "unix:///run/with space/mcp%20.sock", Path: "/run/with space/mcp .sock"},
		"unix:/run/x":                        {Scheme: "unix", URL: "unix:///run/x", Path: "/run/x"},
		"unix://@name":                       {Scheme: "unix", URL: "unix://@name", Path: "@name"},
		"unix:///C:/run/x":                   {Scheme: "unix", URL: "unix:///C:/run/x", Path: "C:/run/x"},
	} {
		got, err := ParseURL(text, text)
		if err != nil || got != want {
			t.Errorf("%s is %+v, %v, want %+v", text, got, err, want)
		}
		if !IsURL(text) {
			t.Errorf("%s is taken for no URL", text)
		}
	}
}

func TestWhatIsWrongWithAURL(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "is no URL | write https://",
		"example.com/mcp":       "no URL that begins with | write http://example.com/mcp or https://",
		"localhost:3000":        "no URL that begins with | write http://localhost:3000",
		"htps://h":              "begins with htps://, which parley does not speak | did you mean https://?",
		"gopher://h":            "begins with gopher:// | write https://",
		"http:/h/mcp":           "lacks the slashes behind http: | write https://",
		"http://":               "names no host |",
		"https:///mcp":          "names no host |",
		"http://:80/mcp":        "names no host |",
		"http://h:99999/":       `has the port "99999" | from 1 to 65535`,
		"http://h:0/":           `has the port "0" |`,
		"http://h:/":            `has the port "" |`,
		"http://h:x/":           "a port that is no number |",
		"http://a b/":           "has a space | %20",
		"http://h/\x01":         "control character |",
		"http://h/%zz":          "is no URL: invalid URL escape |",
		"http://us er@h":        "has a space |",
		"http://m\"e:hunter2@h": "a user or a password with characters | %XX",
		"tcp://h":               "names no port | tcp://host:port",
		"tcp://h:1/x":           "more than a host and a port |",
		"tcp://me@h:1":          "more than a host and a port |",
		"unix://":               "names no socket | unix:///path",
		"unix:///":              "names no socket |",
		"unix://run/x":          "has a host where | three slashes",
	} {
		_, err := ParseURL(text, "SHOWN")
		var wrong *URLError
		if !errors.As(err, &wrong) || wrong.Word() != "usage" || wrong.Hint() == "" {
			t.Errorf("%q: %v", text, err)
			continue
		}
		problem, advice, _ := strings.Cut(want, " |")
		got := strings.ReplaceAll(wrong.Error()+" | "+wrong.Hint(), "SHOWN", text)
		if !strings.HasPrefix(wrong.Error(), `"SHOWN" `) || !strings.Contains(wrong.Error(), problem) || !strings.Contains(got, strings.TrimSpace(advice)) ||
			strings.Contains(wrong.Error(), "hunter2") {
			t.Errorf("%q: %s, hint: %s; want %s", text, wrong, wrong.Hint(), want)
		}
	}
}

func TestWordsThatAreMeantAsURLs(t *testing.T) {
	for word, want := range map[string]bool{
		"http://x": true, "x-y://z": true, "http:/x": true, "HTTPS:/x": true, "node": false, "C:/x": false, `C:\x`: false, "a b://c": false, "://x": false,
		"localhost:1": false, "server:/x": false, "./http://x": false, "http:x": false,
	} {
		if got := IsURL(word); got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
	for word, want := range map[string]bool{"localhost:3000/mcp": true, "h:1": true, "h": false, "C:/x": false, "a:0": false, "a:x/1": false, "./h:1": false, ":1": false} {
		if got := MissingScheme(word); got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}

func FuzzParseURL(f *testing.F) {
	for _, seed := range []string{"http://h", "https://a:b@h:1/p?q#f", "tcp://h:1", "unix:///x", "ws://[::1]/", "x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseURL(text, text)
		if err != nil {
			return
		}
		b, err := ParseURL(a.URL, a.URL)
		if err != nil || b.HasUser || b.URL != a.URL || b.Host != a.Host || b.Path != a.Path {
			t.Errorf("%q became %+v and then %+v, %v", text, a, b, err)
		}
	})
}
