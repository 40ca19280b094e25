package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	env := map[string]string{"TOKEN": "t0", "EMPTY": "", "NESTED": "${TOKEN}"}
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	home, _ := os.UserHomeDir()
	tests := []struct{ in, want, missing string }{
		{"plain", "plain", ""},
		{"${TOKEN}", "t0", ""},
		{"a${TOKEN}b${env:TOKEN}c", "at0bt0c", ""},
		{"${EMPTY}", "", ""},
		{"${EMPTY:-x}", "x", ""},
		{"${ABSENT:-}", "", ""},
		{"${ABSENT:-http://h:1}", "http://h:1", ""},
		{"${NESTED}", "${TOKEN}", ""},
		{"${ABSENT}", "${ABSENT}", "ABSENT"},
		{"${env:ABSENT}", "${env:ABSENT}", "env:ABSENT"},
		{"${input:key}", "${input:key}", "input:key"},
		{"${workspaceFolder}/x", "/p/x", ""},
		{"${userHome}", home, ""},
		{"a${/}b", "a" + string(filepath.Separator) + "b", ""},
		{"$TOKEN ~ $", "$TOKEN ~ $", ""},
		{"${#array[@]} ${x%y} ${} ${TOKEN}", "${#array[@]} ${x%y} ${} t0", ""},
		{"${open ${TOKEN}", "${open t0", ""},
	}
	for _, test := range tests {
		t.Run(test.in, func(t *testing.T) {
			s := Server{Name: "s", Args: []string{"x", test.in}, File: "/p/.vscode/mcp.json", Line: 3, Col: 5}
			if !filepath.IsAbs(s.File) {
				t.Skip("paths of this system look different")
			}
			got, err := s.expand(lookup, nil)
			if again, e := got.expand(lookup, nil); err == nil && (e != nil || again.Args[1] != got.Args[1]) {
				t.Errorf("expanded twice: %q, %v", again.Args[1], e)
			}
			if got.Args[1] != test.want {
				t.Errorf("got %q, want %q", got.Args[1], test.want)
			}
			if s.Args[1] != test.in {
				t.Error("the server itself was changed")
			}
			var variable *VariableError
			switch {
			case test.missing == "":
				if err != nil {
					t.Error(err)
				}
			case !errors.As(err, &variable) || variable.Variable != test.missing:
				t.Errorf("error %v, want one about %s", err, test.missing)
			case variable.Hint() == "" || !strings.HasPrefix(err.Error(), "/p/.vscode/mcp.json:3:5: server s: args[1] uses ${"):
				t.Errorf("error %q, hint %q", err, variable.Hint())
			}
		})
	}
}

func TestUse(t *testing.T) {
	t.Setenv("PARLEY_TEST_TOKEN", "secret")
	set, err := Discover(".", "testdata/vscode.json")
	if err != nil {
		t.Fatal(err)
	}
	use := func(name string) (Server, error) {
		s, ok := set.Lookup(name)
		if !ok {
			return s, set.Unknown(name)
		}
		return s.Expand()
	}
	s, err := use("local")
	if err != nil || s.Args[2] != "--token=secret" || s.Env["LEVEL"] != "debug" || !filepath.IsAbs(s.Command) {
		t.Errorf("%+v, %v", s, err)
	}
	_, err = use("remote")
	var variable *VariableError
	if !errors.As(err, &variable) || !strings.Contains(err.Error(), "headers.Authorization uses ${input:api-key}") {
		t.Fatalf("an input without a value: %v", err)
	}
	if hint := variable.Hint(); !strings.Contains(hint, "set API_KEY in the environment") {
		t.Error(hint)
	}
	_, err = use("locla")
	var unknown *UnknownError
	if !errors.As(err, &unknown) || unknown.Hint() != "did you mean local?" {
		t.Errorf("%v", err)
	}
	if _, err = use("zzzzzz"); !errors.As(err, &unknown) || unknown.Hint() != "it has local, remote" {
		t.Errorf("%v", err)
	}
}

func TestNearest(t *testing.T) {
	file := &File{}
	for _, name := range []string{"filesystem", "brave-search", "GitHub", "github-2025", "db", "天气", "git"} {
		file.Servers = append(file.Servers, Server{Name: name})
	}
	set := &Set{Files: []*File{file}}
	tests := []struct {
		name string
		want []string
	}{
		{"filesytem", []string{"filesystem"}},
		{"fliesystem", []string{"filesystem"}},
		{"files", []string{"filesystem"}},
		{"github", []string{"GitHub", "git", "github-2025"}},
		{"brave", []string{"brave-search"}},
		{"bd", []string{"db"}},
		{"天汽", []string{"天气"}},
		{"weather", nil},
		{"", nil},
		{"x", nil},
		{"gi", []string{"git"}},
	}
	for _, test := range tests {
		if got := set.Nearest(test.name); !slices.Equal(got, test.want) {
			t.Errorf("Nearest(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}

type hintedError struct{}

func (hintedError) Error() string { return "nod not found" }
func (hintedError) Hint() string  { return "did you mean node?" }

func TestCheck(t *testing.T) {
	t.Setenv("PARLEY_TEST_SECRET", "hunter2hunter2")
	look := func(command, dir string, env []string) error {
		if command == "node" && (dir == "" || dir == "/srv") {
			if len(env) > 0 && !slices.Equal(env, []string{"A=1", "B=2"}) {
				t.Errorf("env %q", env)
			}
			return nil
		}
		return hintedError{}
	}
	tests := []struct {
		name   string
		server Server
		want   Problem
	}{
		{"fine", Server{Command: "node", Dir: "/srv", Env: map[string]string{"B": "2", "A": "1"}}, Problem{OK: true}},
		{"not there", Server{Command: "nod"}, Problem{Message: "nod not found", Hint: "did you mean node?"}},
		{"one line", Server{Command: "node server.js -v"},
			Problem{Message: "nod not found", Hint: `"command" is the program alone: put "server.js -v" into "args"`}},
		{"URL", Server{URL: "https://mcp.example.com/mcp"}, Problem{OK: true}},
		{"no scheme", Server{URL: "localhost:8080"}, Problem{Message: `"localhost:8080" is no URL that begins with https:// or http://`, Hint: "write http://localhost:8080 or https://localhost:8080"}},
		{"no host", Server{URL: "http:///mcp"}, Problem{Message: `"http:///mcp" names no host`, Hint: urlForms}},
		{"a URL from a variable, which may be secret", Server{URL: "${PARLEY_TEST_SECRET}"},
			Problem{Message: `"${PARLEY_TEST_SECRET}" is no URL that begins with https:// or http://`, Hint: urlForms}},
		{"a URL with a password", Server{URL: "https://me:hunter2@%zz/?token=hunter2hunter2hunter2"},
			Problem{Message: `"https://me:…@%zz/?token=…ter2" is no URL: invalid URL escape "%zz"`, Hint: urlForms}},
		{"a socket", Server{URL: "unix:///run/mcp.sock"}, Problem{OK: true}},
		{"entry", Server{err: errors.New("wrong")}, Problem{Message: "wrong"}},
		{"variable", Server{Name: "s", Command: "${PARLEY_TEST_ABSENT}", File: "f", Line: 1, Col: 2},
			Problem{Message: "f:1:2: server s: command uses ${PARLEY_TEST_ABSENT}, which has no value",
				Hint: "set PARLEY_TEST_ABSENT in the environment"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.server.Check(look)
			if (got.Err == nil) != got.OK || !got.OK && got.Err.Error() != got.Message {
				t.Errorf("the error is %v", got.Err)
			}
			if got.Err = nil; got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestDirs(t *testing.T) {
	tests := []struct {
		name, goos    string
		env           map[string]string
		config, state string
	}{
		{"Linux", "linux", map[string]string{"HOME": "/h"}, "/h/.config/parley", "/h/.local/state/parley"},
		{"XDG", "linux", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s/"}, "/c/parley", "/s/parley"},
		{"relative XDG", "linux", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "./s"},
			"/h/.config/parley", "/h/.local/state/parley"},
		{"XDG without home", "freebsd", map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"}, "/c/parley", "/s/parley"},
		{"no home", "linux", nil, "", ""},
		{"macOS", "darwin", map[string]string{"HOME": "/Users/u"},
			"/Users/u/Library/Application Support/parley", "/Users/u/Library/Application Support/parley"},
		{"macOS with XDG", "darwin", map[string]string{"HOME": "/Users/u", "XDG_STATE_HOME": "/s"},
			"/Users/u/Library/Application Support/parley", "/s/parley"},
		{"Windows", "windows", map[string]string{"LocalAppData": `C:\Users\u\AppData\Local`},
			`C:\Users\u\AppData\Local\parley`, `C:\Users\u\AppData\Local\parley`},
		{"Windows with XDG", "windows", map[string]string{"LocalAppData": `C:\l`, "XDG_CONFIG_HOME": `D:\c`, "XDG_STATE_HOME": `/s`},
			`D:\c\parley`, `C:\l\parley`},
		{"Windows without LocalAppData", "windows", map[string]string{"USERPROFILE": `C:\Users\u`},
			`C:\Users\u\AppData\Local\parley`, `C:\Users\u\AppData\Local\parley`},
		{"Windows without anything", "windows", nil, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			getenv := func(name string) string { return test.env[name] }
			config, errConfig := dir(test.goos, getenv, "XDG_CONFIG_HOME", ".config")
			state, errState := dir(test.goos, getenv, "XDG_STATE_HOME", ".local/state")
			if config != test.config || state != test.state {
				t.Errorf("got %q and %q, want %q and %q", config, state, test.config, test.state)
			}
			if (errConfig == nil) != (config != "") || (errState == nil) != (state != "") {
				t.Errorf("errors %v and %v", errConfig, errState)
			}
		})
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	sessions, err := SessionsDir()
	if want := filepath.Join(os.Getenv("XDG_STATE_HOME"), "parley", "sessions"); err != nil || sessions != want {
		t.Errorf("sessions in %q, %v; want %q", sessions, err, want)
	}
}
