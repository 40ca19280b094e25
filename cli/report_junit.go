package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley/script"
	"parley/ui/theme"
)

// junitReport writes JUnit's XML: a suite for each file of the script, a test for each
// statement. It keeps the statements until the end, because totals stand first.
type junitReport struct {
	file   io.WriteCloser
	name   string
	began  time.Time
	suites []*junitSuite
	seen   map[string]int // how often a test's name was used
}

// junitSuite are the statements of one file.
type junitSuite struct {
	name string
	junitTotals
	cases []xmlElement
}

// junitTotals count statements, and the time that they took.
type junitTotals struct {
	tests, failures, errors, skipped int
	took                             time.Duration
}

// element is the one that has the totals, and the tests or suites that they are of.
func (t junitTotals) element(name, of string, began time.Time, inside []xmlElement) xmlElement {
	return xmlElement{name: name, inside: inside, attributes: []string{
		"name", of, "tests", strconv.Itoa(t.tests), "failures", strconv.Itoa(t.failures), "errors", strconv.Itoa(t.errors),
		"skipped", strconv.Itoa(t.skipped), "time", junitTime(t.took), "timestamp", began.UTC().Format("2006-01-02T15:04:05"),
	}}
}

// junitTime is a duration in seconds, with a fixed number of digits.
func junitTime(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }

func (j *junitReport) step(r ran) {
	file := string(theme.Safe(r.pos.File))
	s := j.suite(file)
	c := xmlElement{name: "testcase", attributes: []string{
		"name", j.unique(file, fmt.Sprintf("line %d: %s", r.pos.Line, oneLine(r.text))), "classname", file,
		"file", file, "line", strconv.Itoa(r.pos.Line), "time", junitTime(r.took),
	}}
	s.tests++
	s.took += r.took
	switch r.status {
	case ranFailed:
		message := visible((&script.StepError{Pos: placeOf(r), Err: r.err}).Error())
		failure := xmlElement{name: "failure", attributes: []string{"message", message, "type", word(r.err)}, text: failureText(message, r)}
		if isVerdict(r.err) { // the server did something else than expected
			s.failures++
		} else { // it could not even be asked, or did not answer
			failure.name = "error"
			s.errors++
		}
		c.inside = []xmlElement{failure}
		if evidence := evidenceText(r.err); evidence != "" {
			c.inside = append(c.inside, xmlElement{name: "system-err", text: evidence})
		}
	case ranNot:
		s.skipped++
		c.inside = []xmlElement{{name: "skipped", attributes: []string{"message", r.remark()}}}
	case ranOK, ranExpected, ranIgnored:
		if note := r.remark(); note != "" {
			c.inside = []xmlElement{{name: "system-out", text: visible(note) + "\n"}}
		}
	}
	s.cases = append(s.cases, c)
}

// isVerdict reports whether an error says something of what was tested, and not that
// it could not be tested.
func isVerdict(err error) bool {
	var missed *script.WaitError
	switch word(err) {
	case "expect", "tool", "rpc", "arguments", "cursor":
		return true
	}
	return errors.As(err, &missed)
}

// failureText is a failure in full: the message, the statement and the hint.
func failureText(message string, r ran) string {
	text := message + "\n" + visible(r.text) + "\n"
	if h := hint(r.err); h != "" {
		text += "hint: " + visible(h) + "\n"
	}
	return text
}

func (j *junitReport) suite(file string) *junitSuite {
	for _, s := range j.suites {
		if s.name == file {
			return s
		}
	}
	s := &junitSuite{name: file}
	j.suites = append(j.suites, s)
	return s
}

// unique numbers the tests of one name, as a for makes them: readers take two
// tests of one name for one.
func (j *junitReport) unique(file, name string) string {
	if j.seen == nil {
		j.seen = map[string]int{}
	}
	key := file + "\x00" + name
	j.seen[key]++
	if n := j.seen[key]; n > 1 {
		return fmt.Sprintf("%s (%d)", name, n)
	}
	return name
}

func (j *junitReport) end(took time.Duration) error {
	var suites []xmlElement
	all := junitTotals{took: took}
	for _, s := range j.suites {
		suites = append(suites, s.element("testsuite", s.name, j.began, s.cases))
		all.tests += s.tests
		all.failures += s.failures
		all.errors += s.errors
		all.skipped += s.skipped
	}
	var doc strings.Builder
	doc.WriteString(`<?xml version="1.0" encoding="UTF-8"?>`)
	all.element("testsuites", j.name, j.began, suites).write(&doc, "\n")
	doc.WriteByte('\n')
	_, err := io.WriteString(j.file, doc.String())
	if closed := j.file.Close(); err == nil {
		err = closed
	}
	return err
}

// xmlElement is an element with text or other elements in it.
type xmlElement struct {
	name       string
	attributes []string // name, value, …
	text       string
	inside     []xmlElement
}

// write writes the element on lines of its own, each after the given line end and
// indentation.
func (e xmlElement) write(doc *strings.Builder, before string) {
	doc.WriteString(before + "<" + e.name)
	for i := 0; i < len(e.attributes); i += 2 {
		doc.WriteString(" " + e.attributes[i] + `="` + escapeXML(e.attributes[i+1]) + `"`)
	}
	doc.WriteString(">" + escapeXML(e.text))
	for _, in := range e.inside {
		in.write(doc, before+"  ")
	}
	if e.inside != nil {
		doc.WriteString(before)
	}
	doc.WriteString("</" + e.name + ">")
}

var xmlEscapes = strings.NewReplacer(`"`, "&#34;", "'", "&#39;", "&", "&amp;", "<", "&lt;", ">", "&gt;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")

// escapeXML escapes text. What XML cannot have is replaced.
func escapeXML(text string) string {
	return xmlEscapes.Replace(strings.Map(func(r rune) rune {
		if r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, text))
}
