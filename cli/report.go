package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/client/near"
	"parley/script"
	"parley/ui/theme"
)

// ran is a statement of a run as reports tell it.
type ran struct {
	pos    script.Pos
	text   string // the statement, in one line
	status ranStatus
	err    error // what it failed with, expected or not
	took   time.Duration
}

// ranStatus says how a statement came out.
type ranStatus uint8

const (
	ranOK       ranStatus = iota
	ranFailed             // the run fails with it
	ranExpected           // it failed as ! expects
	ranIgnored            // it failed behind -
	ranNot                // the run ended before it
)

// String is the word for it in the lines of a run.
func (s ranStatus) String() string {
	switch s {
	case ranFailed:
		return "FAIL"
	case ranNot:
		return "skip"
	case ranOK, ranExpected, ranIgnored:
	}
	return "ok"
}

// remark says what is behind an ok: that it failed, and with what.
func (r *ran) remark() string {
	switch {
	case r.status == ranExpected && r.err != nil:
		return "failed as expected: " + r.err.Error()
	case r.status == ranIgnored && r.err != nil:
		return "failed, which is ignored: " + r.err.Error()
	case r.status == ranNot:
		return "not run"
	}
	return ""
}

// maxStatement is how much of a statement is shown in a line, in cells.
const maxStatement = 200

// oneLine is a statement for a line of its own: safe, without line ends, cut.
func oneLine(source string) string {
	return string(theme.SafeCut(strings.Join(strings.Fields(source), " "), maxStatement))
}

// reportWriter keeps a report. Its methods are called from one goroutine, and
// end exactly once.
type reportWriter interface {
	step(r ran)
	// end completes the report and returns the first error of writing it.
	end(took time.Duration) error
}

// reportForms lists what --report takes.
const reportForms = "it takes junit=FILE, tap=FILE or tap, which goes to standard output"

// reportPlan is a --report flag that was read.
type reportPlan struct{ form, file string }

// readReport reads the value of --report.
func readReport(value string) (reportPlan, error) {
	form, file, given := strings.Cut(value, "=")
	p := reportPlan{form, file}
	switch {
	case form != "junit" && form != "tap":
		advice := reportForms
		if meant := near.Best(form, []string{"junit", "tap"}); meant != "" {
			advice = "did you mean " + meant + "? " + advice
		}
		return p, usage(advice, "--report %s: unknown form", value)
	case given && file == "", form == "junit" && (!given || file == "-"):
		return p, usage(reportForms, "--report %s: no file given", value)
	case file == "-":
		p.file = ""
	}
	return p, nil
}

// readReports reads all --report flags. No two may go to one place.
func readReports(values []string) ([]reportPlan, error) {
	var plans []reportPlan
	for _, v := range values {
		p, err := readReport(v)
		if err != nil {
			return nil, err
		}
		for _, other := range plans {
			if other.file == p.file || p.file != "" && samePath(other.file, p.file) {
				return nil, usage("give each report a file of its own", "--report %s: another report goes to the same place", v)
			}
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// samePath reports whether two names are those of one file, which need not exist yet.
func samePath(a, b string) bool {
	if x, err := os.Stat(a); err == nil {
		if y, err := os.Stat(b); err == nil {
			return os.SameFile(x, y)
		}
	}
	x, err1 := filepath.Abs(a)
	y, err2 := filepath.Abs(b)
	return err1 == nil && err2 == nil && x == y
}

// keepScripts refuses a report that would be written over a file of the script.
func keepScripts(plans []reportPlan, steps []*script.Step) error {
	files := map[string]bool{}
	filesOf(steps, files)
	for _, p := range plans {
		for file := range files {
			if p.file != "" && samePath(file, p.file) {
				return usage("give the report a file of its own", "--report %s=%s: that is the script", p.form, p.file)
			}
		}
	}
	return nil
}

// filesOf gathers the files that steps stand in.
func filesOf(steps []*script.Step, files map[string]bool) {
	for _, s := range steps {
		files[s.Pos.File] = true
		filesOf(s.Body, files)
	}
}

// openReports makes the files of reports, so that one that cannot be written is
// told before anything runs. A report for standard output takes it over: what
// the steps print become its comments.
func (a *app) openReports(plans []reportPlan, name string, began time.Time) ([]reportWriter, error) {
	var all []reportWriter
	for _, p := range plans {
		if p.file == "" {
			out := &commented{w: a.io.Out}
			a.io.Out = out
			all = append(all, newTAP(out, nil))
			continue
		}
		file, err := os.Create(p.file)
		if err != nil {
			return nil, usage(reportForms, "the report cannot be written: %v", err)
		}
		if p.form == "tap" {
			all = append(all, newTAP(file, file))
		} else {
			all = append(all, &junitReport{file: file, name: name, began: began})
		}
	}
	return all, nil
}

// endReports completes reports; one that could not be written is an error.
func endReports(all []reportWriter, took time.Duration) error {
	var first error
	for _, w := range all {
		if err := w.end(took); err != nil && first == nil {
			first = fmt.Errorf("writing the report: %w", err)
		}
	}
	return first
}

// evidenceText is what is known about a failure beyond its message, in lines
// that are safe to print.
func evidenceText(err error) string {
	var b strings.Builder
	aboutFailure(&b, err)
	return b.String()
}

// commented is standard output while a report has it: what is written becomes
// comments, lines that begin with #.
type commented struct {
	w   io.Writer
	mid bool // in the middle of a comment
}

// Write writes p as comments.
func (c *commented) Write(p []byte) (int, error) {
	var b []byte
	for line := range strings.Lines(string(p)) {
		if !c.mid {
			b = append(b, "# "...)
		}
		b = append(b, line...)
		c.mid = !strings.HasSuffix(line, "\n")
	}
	if _, err := c.w.Write(b); err != nil {
		return 0, err
	}
	return len(p), nil
}

// plain writes a line that is no comment.
func (c *commented) plain(p []byte) error {
	if c.mid {
		p = append([]byte("\n"), p...)
		c.mid = false
	}
	_, err := c.w.Write(p)
	return err
}
