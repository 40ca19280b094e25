package script_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/script"
)

// JSON has only text, so a byte that is none is an error where it stands, before
// anything runs. Only a raw line has any bytes, and comments are nobody's.
func TestSourcesThatAreNoText(t *testing.T) {
	for src, want := range map[string]string{
		"\xff\xfee\x00c\x00":                  "a.mcp:1:1: expected UTF-8 text, found UTF-16|save the file as UTF-8",
		"\xfe\xff\x00e":                       "a.mcp:1:1: expected UTF-8 text, found UTF-16|save the file as UTF-8",
		"echo one\n\techo \xc3\xa9 a\xffb":    "a.mcp:2:10: expected UTF-8 text, found the byte 0xff|raw sends any bytes",
		"call e a:=\"\xc3\"":                  "a.mcp:1:12: expected UTF-8 text, found the byte 0xc3|",
		"let x := 1\nfor y in $x : echo \xe9": "a.mcp:2:20: expected UTF-8 text, found the byte 0xe9|",
	} {
		_, err := script.Parse("a.mcp", []byte(src))
		var wrong *script.SyntaxError
		message, hint, _ := strings.Cut(want, "|")
		if !errors.As(err, &wrong) || err.Error() != message || !strings.Contains(wrong.Hint(), hint) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
	s, err := script.Parse("a.mcp", []byte("echo a # \xff\n{\xff}\nraw \xfe\n! raw \xfe\nlet x := 1\nfor y in $x : {\xfd\n"))
	if err != nil || len(s.Steps) != 6 || string(s.Steps[1].Raw) != "{\xff}" || string(s.Steps[5].Body[0].Raw) != "{\xfd" {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := script.StepOf("call", []string{"echo", "text=\xff"}, nil); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("a word of a shell: %v", err)
	}
}

func TestFilesThatAreNoText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "picture")
	if err := os.WriteFile(file, []byte("\x89PNG\xff"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"text=@" + file, "any:=@" + file} {
		_, err := script.Args(parse(t), []string{word}, nil)
		var wrong *script.ArgError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "is no UTF-8 text") || !strings.Contains(wrong.Hint(), "base64") {
			t.Errorf("%s: %v", word, err)
		}
	}
}

// What a line costs grows with its length, whatever is in it.
func TestLongLines(t *testing.T) {
	for name, src := range map[string]string{
		"words":            "call any " + strings.Repeat("a=1 ", 250_000),
		"brackets":         "echo " + strings.Repeat("[ ", 500_000),
		"brackets, texts":  "echo " + strings.Repeat(`[ " `, 250_000),
		"brackets, closed": "echo " + strings.Repeat("[ [ ", 20_000) + strings.Repeat("]x ", 40_000),
		"in lines":         strings.Repeat("echo [draft\n", 90_000),
		"values":           "echo " + strings.Repeat("$x ", 100_000),
	} {
		begun := time.Now()
		_, err := script.Parse("a.mcp", []byte(src))
		// Where the square of the length counts it is a minute and more.
		took := time.Since(begun)
		if took > 15*time.Second || err != nil {
			t.Errorf("%s: %s, %v", name, took, err)
		}
	}
}

// What reads a pipe that says nothing ends with its context.
func TestReadingEndsWithItsContext(t *testing.T) {
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	silent, end := io.Pipe()
	defer func() { _ = end.Close() }()
	step, err := script.ParseLine("call e a=@-")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := script.Arguments(ctx, nil, step.Words[1:], nil, silent); !errors.Is(err, stopped) {
		t.Errorf("error %v", err)
	}
}
