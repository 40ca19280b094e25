package demo

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/client/mcp"
)

// conversation is a file of testdata: "@ WORLD", then "> " what the client
// sends and "< " what the server says to it, byte by byte.
type conversation struct {
	world string
	lines []string
}

func readConversation(t *testing.T, path string) conversation {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c conversation
	for l := range strings.Lines(string(raw)) {
		switch l = strings.TrimSuffix(l, "\n"); {
		case strings.HasPrefix(l, "@ "):
			c.world = l[2:]
		case strings.HasPrefix(l, "> "), strings.HasPrefix(l, "< "):
			c.lines = append(c.lines, l)
		case l != "" && l[0] != '#':
			t.Fatalf("%s: %q is no line of a conversation", path, l)
		}
	}
	return c
}

func conversations(t *testing.T) map[string]conversation {
	t.Helper()
	paths, err := filepath.Glob("testdata/tutorial-*.txt")
	if err != nil || len(paths) != 6 {
		t.Fatalf("conversations: %v, %v", paths, err)
	}
	all := map[string]conversation{}
	for _, p := range paths {
		all[filepath.Base(p)] = readConversation(t, p)
	}
	return all
}

func TestTutorialsLineByLine(t *testing.T) {
	for name, c := range conversations(t) {
		t.Run(name, func(t *testing.T) {
			p := start(t, Options{As: c.world, Now: fixedTime})
			for _, l := range c.lines {
				if l[0] == '>' {
					p.send(l[2:])
				} else {
					p.expect(l[2:])
				}
			}
			if rest, err := p.end(); err != nil || len(rest) > 0 {
				t.Errorf("at the end: %q, %v", rest, err)
			}
		})
	}
}

// What a client sends in one go must be answered as when it waits.
func TestTutorialsAsAFileOnStdin(t *testing.T) {
	for name, c := range conversations(t) {
		t.Run(name, func(t *testing.T) {
			var in, want bytes.Buffer
			for _, l := range c.lines {
				if l[0] == '>' {
					in.WriteString(l[2:] + "\n")
				} else {
					want.WriteString(l[2:] + "\n")
				}
			}
			server := process(t, c.world)
			server.Stdin = &in
			got, err := server.Output()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want.Bytes()) {
				t.Errorf("got\n%s\nwant\n%s", got, want.Bytes())
			}
		})
	}
}

func TestTutorialLogOnStderr(t *testing.T) {
	want, err := os.ReadFile("testdata/tutorial-004.log")
	if err != nil {
		t.Fatal(err)
	}
	c := conversations(t)["tutorial-004.txt"]
	p := start(t, Options{As: c.world})
	for _, l := range c.lines {
		if strings.Contains(l, "tools/call") { // the log ends before
			break
		}
		if l[0] == '>' {
			p.send(l[2:])
		} else {
			p.expect(l[2:])
		}
	}
	if _, err := p.end(); err != nil {
		t.Fatal(err)
	}
	if got := p.stderr.String(); got != string(want) {
		t.Errorf("stderr is\n%s\nwant\n%s", got, want)
	}
}

func TestDateTime(t *testing.T) {
	p := start(t, Options{As: "useful", Now: fixedTime})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"useful://date-time"}}`)
	p.expect(`{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"useful://date-time","mimeType":"text/plain","text":"日期: 2025-11-25\n时间: 09:38:50\n星期: 星期二"}]}}`)
}

func TestUndeclaredMethodsAreUnknown(t *testing.T) {
	for _, world := range Worlds() {
		p := start(t, Options{As: world})
		for method := range methods {
			m, _ := mcp.LookupMethod(method)
			capability, _, _ := strings.Cut(m.Capability, ".")
			if capability == "" {
				continue
			}
			got := p.ask(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{}}`)
			unknown := strings.Contains(got, "-32601")
			if has := strings.Contains(p.ask(handshake), `"`+capability+`":`); has == unknown && !strings.Contains(method, "subscribe") {
				t.Errorf("%s: %s is declared: %v, and answered %s", world, capability, has, got)
			}
		}
	}
}
