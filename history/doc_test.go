package history

import (
	"os"
	"slices"
	"strings"
	"testing"

	"parley/client/wire"
)

// The examples in the description of the format are sessions.
func TestTheDocumentedExamplesAreSessions(t *testing.T) {
	doc, err := os.ReadFile("../docs/session-format.md")
	if err != nil {
		t.Fatal(err)
	}
	var examples []string
	for rest, ok := string(doc), true; ok; {
		var example string
		if _, rest, ok = strings.Cut(rest, "```jsonl\n"); ok {
			example, rest, _ = strings.Cut(rest, "```\n")
			examples = append(examples, example)
		}
	}
	if len(examples) != 2 {
		t.Fatalf("%d examples", len(examples))
	}
	first, s := documented(t, examples[0])
	if code, _, _ := s.Exited(); first.Len() != 8 || s.Phase() != Exited || code == nil || *code != 7 || s.ServerInfo() != 3 {
		t.Errorf("%v, %d frames", s.Phase(), first.Len())
	}
	second, s := documented(t, examples[1])
	x, _ := s.Exchange(2)
	if second.Len() != 12 || s.Transport() != "http" || s.Phase() != Closed || len(x.Rounds) != 1 || x.Final.Seq != 11 || x.Status != OK {
		t.Errorf("%v over %s, %+v", s.Phase(), s.Transport(), x)
	}
	if got := s.HTTP(6); !slices.Equal(got, []uint64{6, 7, 8, 9, 10, 11}) {
		t.Errorf("%v", got)
	}
	for seq, kind := range map[uint64]string{9: HTTPComment, 10: HTTPEvent, 7: "POST"} {
		if r, _ := second.Record(seq); r.Method != kind {
			t.Errorf("frame %d is %q", seq, r.Method)
		}
	}
}

// documented opens an example. It is escaped as what is recorded, and its messages are.
func documented(t *testing.T, example string) (*Log, *State) {
	t.Helper()
	l := open(t, example)
	if len(l.Problems()) > 0 || l.Torn() != "" {
		t.Errorf("%v, %q", l.Problems(), l.Torn())
	}
	for i, line := range strings.SplitAfter(strings.TrimSpace(example), "\n")[1:] {
		var r lineReader
		if err := r.read([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
			t.Errorf("line %d: %v", i+2, err)
		}
		if enc := string(appendEscaped(nil, r.line.raw)); !r.base64 && !strings.Contains(line, `"raw":"`+enc+`"`) {
			t.Errorf("line %d is not escaped as it should be: %s", i+2, enc)
		}
	}
	for seq := uint64(1); seq <= l.Len(); seq++ {
		if r, ok := l.Record(seq); ok && r.Kind == wire.Message && !r.Form.IsMessage() {
			t.Errorf("frame %d is no message", seq)
		}
	}
	s := new(State)
	s.CatchUp(l)
	return l, s
}
