package history

import (
	"os"
	"strings"
	"testing"
)

// The example in the description of the format is a session.
func TestTheDocumentedExampleIsASession(t *testing.T) {
	doc, err := os.ReadFile("../docs/session-format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "```jsonl\n")
	example, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("no example")
	}
	l := open(t, example)
	if l.Len() != 8 || len(l.Problems()) > 0 || l.Torn() != "" {
		t.Errorf("%d frames, %v, %q", l.Len(), l.Problems(), l.Torn())
	}
	var s State
	s.CatchUp(l)
	if code, _, _ := s.Exited(); s.Phase() != Exited || code == nil || *code != 7 || s.ServerInfo() != 3 {
		t.Errorf("%v", s.Phase())
	}
	// It is escaped as what is recorded.
	for i, line := range strings.SplitAfter(strings.TrimSpace(example), "\n")[1:] {
		var r lineReader
		if err := r.read([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
			t.Errorf("line %d: %v", i+2, err)
		}
		if enc := string(appendEscaped(nil, r.line.raw)); !r.base64 && !strings.Contains(line, `"raw":"`+enc+`"`) {
			t.Errorf("line %d is not escaped as it should be: %s", i+2, enc)
		}
	}
}
