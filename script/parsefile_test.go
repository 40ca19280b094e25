package script_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/script"
)

// write writes files into a new directory and gives its name.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestParse(t *testing.T) {
	s, err := script.Parse("a.mcp", []byte("\ufeff# begin\r\n\r\n  tools\r\ncall e {\r\n \"a\": 1\r\n}\r\n{\"raw\"} \r\r\nlet x = ping # end"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`3:3 tools = tools`,
		`4:1 call (e) ({` + "\r\n" + ` "a": 1` + "\r\n" + `}) = call e {` + "\r\n" + ` "a": 1` + "\r\n}",
		`7:1 raw "{\"raw\"} \r" = {"raw"} ` + "\r",
		`8:1 let x ping = let x = ping`,
	}
	for i, step := range s.Steps {
		if got := fmt.Sprintf("%d:%d %s = %s", step.Pos.Line, step.Pos.Col, told(step), step.Source); i >= len(want) || got != want[i] {
			t.Errorf("step %d is %q", i, got)
		}
	}
	if len(s.Steps) != len(want) || s.File != "a.mcp" {
		t.Errorf("%d steps of %s", len(s.Steps), s.File)
	}
}

// All that is wrong is told, and nothing more.
func TestParseTellsAll(t *testing.T) {
	_, err := script.Parse("a.mcp", []byte("clal a\ntools\n  sleep 5\ncall e a:={\ntools\n"))
	want := "a.mcp:1:1: expected a command, found clal\n" +
		"a.mcp:3:9: expected a duration, found the bare number 5\n" +
		"a.mcp:4:11: expected }, found the end of the file"
	var all script.SyntaxErrors
	var first *script.SyntaxError
	if !errors.As(err, &all) || !errors.As(err, &first) || err.Error() != want {
		t.Fatalf("error\n%v\nwant\n%s", err, want)
	}
	if first.Pos.Line != 1 || all.Hint() != "did you mean call?" || all.Word() != "usage" {
		t.Errorf("first %v, hint %s", first, all.Hint())
	}
	_, err = script.Parse("a.mcp", []byte(strings.Repeat("x\n", 1000)))
	if n := strings.Count(err.Error(), "\n") + 1; n != 20 {
		t.Errorf("%d errors", n)
	}
	_, err = script.Parse("a.mcp", []byte("tools\nhelp\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "a.mcp:2:1: expected a command, found help") {
		t.Error(err)
	}
}

func TestInclude(t *testing.T) {
	dir := write(t, map[string]string{
		"main.mcp":          "include sub/one.mcp\nlet y = $x # from one\n",
		"sub/one.mcp":       "let x = ping\ninclude 'two files.mcp' # beside it\n",
		"sub/two files.mcp": "echo two\n",
		"loop.mcp":          "ping\ninclude sub/loop.mcp",
		"sub/loop.mcp":      "include ../loop.mcp",
		"bad.mcp":           "include sub/bad.mcp\nclal",
		"sub/bad.mcp":       "sleep 5\nsleep 6",
		"missing.mcp":       "include nosuch.mcp",
		"failing.mcp":       "! include main.mcp",
	})
	s, err := script.ParseFile(filepath.Join(dir, "main.mcp"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(s.Steps[0]), "include (sub/one.mcp) : let x ping : include (two files.mcp) : echo (two)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := filepath.Base(s.Steps[0].Body[1].Body[0].Pos.File); got != "two files.mcp" {
		t.Errorf("the place is in %s", got)
	}
	if err := script.Check(s, nil); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"loop.mcp":    "sub/loop.mcp:1:9: expected a file that does not include this one, found ",
		"bad.mcp":     "sub/bad.mcp:1:7: expected a duration, found the bare number 5\n",
		"missing.mcp": "missing.mcp:1:9: cannot read ",
		"failing.mcp": "failing.mcp:1:1: expected include without ! or -",
		"nosuch":      "cannot read ",
	} {
		_, err := script.ParseFile(filepath.Join(dir, name))
		if err == nil || !strings.Contains(filepath.ToSlash(err.Error()), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	_, err = script.ParseFile(filepath.Join(dir, "bad.mcp"))
	if n := strings.Count(err.Error(), "\n") + 1; n != 3 {
		t.Errorf("%d errors: %v", n, err)
	}
}

func TestCheck(t *testing.T) {
	for src, want := range map[string]string{
		"let x = ping\n$x": "",
		"$env.HOME":        "",
		"$given.a":         "",
		"for t in $given : call $t.name a=${t.b}": "",
		"[$given[] as $i | $i]":                   "", // a raw line
		"let y = ([$given[] | . as $i | $i])":     "",
		"$y":                                      "s:1:1: expected a variable that has a value, found $y|let y = …",
		"ping\ncall e a=$givn.a":                  "s:2:10: expected a variable that has a value, found $givn|did you mean $given?",
		"let x = call e a=$x":                     "s:1:18: expected a variable that has a value, found $x|",
		"echo the ${ a.b }":                       "s:1:12: expected a variable that has a value, found $a|a literal $ stands in '…'",
		"expect 1 == $a":                          "s:1:13: expected a variable that has a value, found $a|",
		"let y = ($given | $__loc__)":             "s:1:9: expected a variable that has a value, found $__loc__|errors name the place",
		"tools --jq $a":                           "s:1:12: expected a variable that has a value, found $a|",
		"for t in $t : ping":                      "s:1:10: expected a variable that has a value, found $t|",
		"let y = ($given | map(. + $z))":          "s:1:9: expected a variable that has a value, found $z|",
		"for t in $given : for u in $t : echo $w": "s:1:38: expected a variable that has a value, found $w|",
	} {
		s, err := script.Parse("s", []byte(src))
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		err = script.Check(s, []string{"given"})
		message, hint, _ := strings.Cut(want, "|")
		var wrong *script.SyntaxError
		switch {
		case err == nil && want == "":
		case !errors.As(err, &wrong) || err.Error() != message || !strings.Contains(wrong.Hint(), hint):
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

func TestStepOf(t *testing.T) {
	for name, c := range map[string]struct {
		verb  string
		words []string
		flags map[string]string
		want  string // the step and its source, or the error
	}{
		"a list":            {"tools", nil, map[string]string{"--json": ""}, "tools --json = tools --json"},
		"a call":            {"call", []string{"e", "a=$x b", "c='d'", `e:={"f": 1}`}, nil, `call (e) (a=$x b) (c='d') (e:={"f": 1}) = call e a='$x b' c="'d'" e:={"f": 1}`},
		"no comment":        {"call", []string{"#e", "a=#"}, map[string]string{"--save": "a b"}, `call (#e) (a=#) --save (a b) = call '#e' a='#' --save 'a b'`},
		"params":            {"request", []string{"m", `{"a":1}`}, nil, `request (m) ({"a":1}) = request m {"a":1}`},
		"a whole object":    {"call", []string{"e", "{\n \"a\": 1, // one\n}"}, nil, "call (e) ({\n \"a\": 1, // one\n}) = call e \"{\\n \\\"a\\\": 1, // one\\n}\""},
		"no command":        {"cal", nil, nil, "expected a command, found cal"},
		"of scripts only":   {"let", nil, nil, "expected a command of its own, found let"},
		"no name":           {"call", nil, nil, "expected a tool's name, found nothing"},
		"too much":          {"read", []string{"a", "b"}, nil, "expected no more words, found b"},
		"no argument":       {"call", []string{"e", "b"}, nil, "argument b: is not key=value"},
		"no params":         {"request", []string{"m", "n"}, nil, "expected params as JSON, {…}, found n"},
		"broken params":     {"request", []string{"m", "{"}, nil, "expected a key or } in JSON, found the end"},
		"no flag of its":    {"ping", nil, map[string]string{"--save": "x"}, "expected a flag of ping, found --save"},
		"no duration":       {"sleep", []string{"5"}, nil, "expected a duration, found the bare number 5"},
		"a line as it is":   {"echo", []string{"a", "b  c"}, nil, "echo (a b  c) = echo a b  c"},
		"bytes as they are": {"raw", []string{"{x"}, nil, `raw "{x" = raw {x`},
	} {
		t.Run(name, func(t *testing.T) {
			step, err := script.StepOf(c.verb, c.words, c.flags)
			got := fmt.Sprint(err)
			if err == nil {
				got = told(step) + " = " + step.Source
				if !step.Literal {
					t.Error("it is not literal")
				}
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Nothing that is wrong makes the parser panic, and every error has its place in
// the source.
func FuzzParse(f *testing.F) {
	for _, src := range []string{"call e a:={\"b\": ${x}}", "let x = $y[\"\\(1)\"]", "for a in b : ! c ~ /d/i", "expect not $x count >= 3", "raw \r\n{", "'\"`${$x}", "echo \"\\u00", "call e a=\"${x", "- [", "set a 'b", "call e {\"a\":/*", "\ufeff\xff"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if strings.Contains(src, "include") { // files of this machine
			t.Skip()
		}
		s, err := script.Parse("f", []byte(src))
		var all script.SyntaxErrors
		var one *script.SyntaxError
		switch {
		case err == nil:
			_ = script.Check(s, nil)
			for _, step := range s.Steps {
				inside(t, src, step.Pos)
				if !strings.Contains(src, step.Source) {
					t.Errorf("%q: there is no %q", src, step.Source)
				}
			}
			return
		case errors.As(err, &all):
		case errors.As(err, &one):
			all = script.SyntaxErrors{one}
		default:
			t.Fatal(err)
		}
		for _, e := range all {
			inside(t, src, e.Pos)
			if strings.Contains(e.Error(), "\n") {
				t.Errorf("%q: more than a line: %q", src, e.Error())
			}
		}
	})
}

// inside checks that a place is in the source, or at the end of one of its lines.
func inside(t *testing.T, src string, pos script.Pos) {
	t.Helper()
	lines := strings.Split(src, "\n")
	if pos.Line < 1 || pos.Line > len(lines) || pos.Col < 1 || pos.Col > len([]rune(lines[pos.Line-1]))+1 {
		t.Errorf("%q: %v is not inside", src, pos)
	}
}

func BenchmarkParse(b *testing.B) {
	src := []byte(strings.Repeat("call echo text=hi n:={\"a\": 1} # a comment\nexpect $x.content[0].text == 'hi'\n", 5000))
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := script.Parse("b", src); err != nil {
			b.Fatal(err)
		}
	}
}

// Each variable that is not known is told, once.
func TestCheckTellsAll(t *testing.T) {
	s, err := script.Parse("s", []byte("echo $a $b\necho $a\nexpect $c\n"))
	if err != nil {
		t.Fatal(err)
	}
	var all script.SyntaxErrors
	if err = script.Check(s, nil); !errors.As(err, &all) || len(all) != 3 || all[2].Pos.Line != 3 {
		t.Errorf("%v", err)
	}
}
