package cli

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"time"

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

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitTotals
	Suites []*junitSuite `xml:"testsuite"`
}

type junitTotals struct {
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     junitTime   `xml:"time,attr"`
	Began    junitMoment `xml:"timestamp,attr"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitTotals
	Cases []junitCase `xml:"testcase"`
	took  time.Duration
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Time    junitTime     `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"` // the server did something else than expected
	Error   *junitFailure `xml:"error"`   // it could not even be asked, or did not answer
	Skipped *junitSkipped `xml:"skipped"`
	Out     string        `xml:"system-out,omitempty"`
	Err     string        `xml:"system-err,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// junitTime is a duration in seconds, with a fixed number of digits.
type junitTime time.Duration

// MarshalText implements encoding.TextMarshaler.
func (d junitTime) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%.6f", time.Duration(d).Seconds()), nil
}

// junitMoment is a time as JUnit writes it: of the day, without a zone, in UTC.
type junitMoment time.Time

// MarshalText implements encoding.TextMarshaler.
func (m junitMoment) MarshalText() ([]byte, error) {
	return time.Time(m).UTC().AppendFormat(nil, "2006-01-02T15:04:05"), nil
}

func (j *junitReport) step(r ran) {
	file := string(theme.Safe(r.pos.File))
	s := j.suite(file)
	c := junitCase{Name: j.unique(file, fmt.Sprintf("line %d: %s", r.pos.Line, oneLine(r.text))), Class: file, File: file, Line: r.pos.Line, Time: junitTime(r.took)}
	s.Tests++
	s.took += r.took
	switch r.status {
	case ranFailed:
		message := visible((&script.StepError{Pos: placeOf(r), Err: r.err}).Error())
		failure := &junitFailure{Message: message, Type: word(r.err), Text: failureText(message, r)}
		if isVerdict(r.err) {
			c.Failure = failure
			s.Failures++
		} else {
			c.Error = failure
			s.Errors++
		}
		c.Err = evidenceText(r.err)
	case ranNot:
		s.Skipped++
		c.Skipped = &junitSkipped{Message: r.remark()}
	case ranOK, ranExpected, ranIgnored:
		if note := r.remark(); note != "" {
			c.Out = visible(note) + "\n"
		}
	}
	s.Cases = append(s.Cases, c)
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
		if s.Name == file {
			return s
		}
	}
	s := &junitSuite{Name: file}
	s.Began = junitMoment(j.began)
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
	all := junitSuites{Name: j.name, Suites: j.suites}
	all.Time, all.Began = junitTime(took), junitMoment(j.began)
	for _, s := range j.suites {
		s.Time = junitTime(s.took)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
	}
	err := writeXML(j.file, all)
	if closed := j.file.Close(); err == nil {
		err = closed
	}
	return err
}

// writeXML writes a document. What XML cannot have, encoding/xml replaces.
func writeXML(w io.Writer, doc any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
