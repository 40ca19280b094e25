package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/joshdk/go-junit"

	"parley/client/mcp"
	"parley/client/wire"
	"parley/script"
)

// kept is a report that a test reads.
type kept struct{ bytes.Buffer }

func (*kept) Close() error { return nil }

// hostileText is what no report may be broken by.
const hostileText = "a\x1b[31m\x00\x07 ]]> <!-- & \"' \u202e\ufffe\xff\n# not ok 1\r\nok 9 - x\n"

func at(file string, line int) script.Pos { return script.Pos{File: file, Line: line, Col: 1} }

// aRun is a run with every kind of outcome.
func aRun() []ran {
	return []ran{
		{pos: at("a.mcp", 1), text: "tools", took: 1500 * time.Microsecond},
		{pos: at("a.mcp", 2), text: "! call fail", status: ranExpected, err: errors.New("it went wrong")},
		{pos: at("b.mcp", 1), text: "call $t.name", took: time.Second},
		{pos: at("b.mcp", 1), text: "call $t.name", took: time.Second},
		{pos: at("a.mcp", 4), text: "- call x" + hostileText, status: ranIgnored, err: errors.New(hostileText)},
		{pos: at("a.mcp", 5), text: "expect $x == 1", status: ranFailed, took: time.Millisecond,
			err: &script.ExpectError{Message: "$x is 2, expected 1", Advice: "look"}},
		{pos: at("a.mcp", 6), text: "call die", status: ranFailed,
			err: &wire.ExitError{Command: []string{"server"}, Code: 7, Stderr: []string{"fatal: " + hostileText}}},
		{pos: at("a.mcp", 7), text: "call rpc", status: ranFailed, err: mcp.RPCError{Code: -32603, Message: hostileText, Data: []byte(`{"why":"disk"}`)}},
		{pos: at("a.mcp", 8), text: "ping", status: ranNot},
	}
}

// clean fails if a report has characters that do more than fill lines.
func clean(t *testing.T, text string) {
	t.Helper()
	for i, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == 0xfffd) {
			t.Errorf("%U at %d: %q", r, i, text)
			return
		}
	}
}

func TestJUnitIsReadByItsReader(t *testing.T) {
	var file kept
	j := &junitReport{file: &file, name: "parley run a.mcp", began: time.Date(2026, 11, 20, 9, 38, 50, 0, time.UTC)}
	for _, r := range aRun() {
		j.step(r)
	}
	if err := j.end(3 * time.Second); err != nil {
		t.Fatal(err)
	}
	clean(t, file.String())
	suites, err := junit.IngestReader(&file.Buffer)
	if err != nil || len(suites) != 2 {
		t.Fatalf("%d suites, %v", len(suites), err)
	}
	a, b := suites[0], suites[1]
	if got, want := a.Totals, (junit.Totals{Tests: 7, Passed: 3, Skipped: 1, Failed: 2, Error: 1, Duration: 2500 * time.Microsecond}); got != want || a.Name != "a.mcp" {
		t.Errorf("suite %s: %+v, want %+v", a.Name, got, want)
	}
	if b.Name != "b.mcp" || b.Totals.Duration != 2*time.Second || b.Tests[0].Name != "line 1: call $t.name" || b.Tests[1].Name != "line 1: call $t.name (2)" {
		t.Errorf("%+v", b)
	}
	expect, died, rpc := a.Tests[3], a.Tests[4], a.Tests[5]
	if expect.Status != junit.StatusFailed || expect.Message != "a.mcp:5:1: $x is 2, expected 1" || expect.Duration != time.Millisecond ||
		expect.Properties["line"] != "5" || expect.Properties["file"] != "a.mcp" || expect.Classname != "a.mcp" {
		t.Errorf("a failing expect: %+v", expect)
	}
	if body := expect.Error.Error(); body != "a.mcp:5:1: $x is 2, expected 1\nexpect $x == 1\nhint: look\n" {
		t.Errorf("its text: %q", body)
	}
	if !strings.HasPrefix(died.Message, "a.mcp:6:1: server exited 7") || !strings.Contains(died.SystemErr, "fatal: a␛[31m") {
		t.Errorf("a server that died: %+v", died)
	}
	if !strings.Contains(rpc.SystemErr, `data: {"why":"disk"}`) || rpc.Error == nil {
		t.Errorf("an error of the server's: %+v", rpc)
	}
	if a.Tests[1].SystemOut != "failed as expected: it went wrong\n" || !strings.HasPrefix(a.Tests[2].SystemOut, "failed, which is ignored: a␛[31m") {
		t.Errorf("! and -: %q, %q", a.Tests[1].SystemOut, a.Tests[2].SystemOut)
	}
	if last := a.Tests[6]; last.Status != junit.StatusSkipped || last.Message != "not run" {
		t.Errorf("what was not run: %+v", last)
	}
}

func TestJUnitTotals(t *testing.T) {
	var file kept
	j := &junitReport{file: &file, name: "n"}
	for _, r := range aRun() {
		j.step(r)
	}
	if err := j.end(1250 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	var all struct {
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Time     string `xml:"time,attr"`
	}
	if err := xml.Unmarshal(file.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	if all.Tests != 9 || all.Failures != 2 || all.Errors != 1 || all.Skipped != 1 || all.Time != "1.250000" {
		t.Errorf("%+v", all)
	}
}

func TestTAP(t *testing.T) {
	var file kept
	r := newTAP(&file, &file)
	for _, one := range aRun() {
		r.step(one)
	}
	if err := r.end(0); err != nil {
		t.Fatal(err)
	}
	clean(t, file.String())
	for _, want := range []string{
		"TAP version 13\nok 1 - a.mcp:1:1: tools\nok 2 - a.mcp:2:1: ! call fail\n# failed as expected: it went wrong\n",
		"\nok 5 - a.mcp:4:1: - call xa␛[31m",
		"\nnot ok 6 - a.mcp:5:1: expect $x == 1\n  ---\n  message: \"$x is 2, expected 1\"\n  code: \"expect\"\n  at: \"a.mcp:5:1\"\n  hint: \"look\"\n  duration_ms: 1\n  ...\n",
		"\nnot ok 7 - ", `  evidence: ["stderr, last lines:","  fatal: a␛[31m`,
		"\nok 9 - a.mcp:8:1: ping # SKIP not run\n1..9\n",
	} {
		if !strings.Contains(file.String(), want) {
			t.Errorf("there is no %q in\n%s", want, file.String())
		}
	}
	tests := 0
	for line := range strings.Lines(file.String()) {
		switch {
		case strings.HasPrefix(line, "ok "), strings.HasPrefix(line, "not ok "):
			tests++
			if plain := strings.ReplaceAll(line, `\#`, ""); strings.Contains(strings.ReplaceAll(plain, "# SKIP", ""), "#") {
				t.Errorf("a directive that is none: %s", line)
			}
		case strings.HasPrefix(line, "  message: "):
			var text string
			if err := json.Unmarshal([]byte(line[len("  message: "):]), &text); err != nil {
				t.Errorf("%v: %s", err, line)
			}
		}
	}
	if tests != 9 {
		t.Errorf("%d tests, want 9:\n%s", tests, file.String())
	}
}

func TestWhatStepsPrintIsCommentsOfTheReport(t *testing.T) {
	var out bytes.Buffer
	c := &commented{w: &out}
	r := newTAP(c, nil)
	for _, p := range []string{"one\ntw", "o\n", "", "not ok 1 - mine"} {
		if n, err := io.WriteString(c, p); n != len(p) || err != nil {
			t.Fatal(n, err)
		}
	}
	r.step(ran{pos: at("f", 1), text: "ping"})
	_, _ = io.WriteString(c, "\n")
	if err := r.end(0); err != nil {
		t.Fatal(err)
	}
	if want := "TAP version 13\n# one\n# two\n# not ok 1 - mine\nok 1 - f:1:1: ping\n# \n1..1\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestReportFlags(t *testing.T) {
	for value, want := range map[string]reportPlan{
		"junit=a.xml": {"junit", "a.xml"}, "tap=a=b": {"tap", "a=b"}, "tap": {"tap", ""}, "tap=-": {"tap", ""},
	} {
		if got, err := readReport(value); got != want || err != nil {
			t.Errorf("%s: %+v, %v", value, got, err)
		}
	}
	for value, hinted := range map[string]string{"junit": "", "junit=": "", "junit=-": "", "tap=": "", "": "", "junti=x": "did you mean junit?", "xml=a": ""} {
		_, err := readReport(value)
		if word(err) != "usage" || !strings.Contains(hint(err), hinted) || !strings.Contains(hint(err), "junit=FILE") {
			t.Errorf("%s: %v, hint %q", value, err, hint(err))
		}
	}
	if _, err := readReports([]string{"tap", "junit=a", "tap=a"}); word(err) != "usage" {
		t.Errorf("two reports in one file: %v", err)
	}
	if all, err := readReports([]string{"tap", "junit=a", "tap=b"}); len(all) != 3 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
}

func TestReportThatCannotBeWritten(t *testing.T) {
	a := bare(t)
	_, err := a.openReports([]reportPlan{{"junit", filepath.Join("no", "such", "folder.xml")}}, "n", time.Now())
	if word(err) != "usage" {
		t.Errorf("%v", err)
	}
	for _, form := range []string{"junit", "tap"} {
		all, err := a.openReports([]reportPlan{{form, "full"}}, "n", time.Now())
		if err != nil {
			t.Fatal(err)
		}
		file, _ := os.Open("full") // for reading: writing to it fails
		switch w := all[0].(type) {
		case *junitReport:
			_ = w.file.Close()
			w.file = file
		case *tapReport:
			_ = w.close.Close()
			w.w, w.close = file, file
		}
		all[0].step(ran{text: "ping"})
		if err := endReports(all, 0); err == nil {
			t.Errorf("%s: no error", form)
		}
	}
}

// Text is escaped as the standard library does it.
func FuzzEscapeXML(f *testing.F) {
	for _, s := range []string{"", "a<b>&'\"", "\t\r\n\x00\x1b", "\xff\xfe\xf0\x90", "\ufffd\ufffe\uffff\U0001f389"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want strings.Builder
		if err := xml.EscapeText(&want, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := escapeXML(text); got != want.String() {
			t.Errorf("%q is escaped as %q, want %q", text, got, want.String())
		}
	})
}
