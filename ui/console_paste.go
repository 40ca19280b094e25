package ui

import (
	"bytes"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/client/rawjson"
	"parley/script"
)

// paste puts text into the line, or in the place of it. One JSON value that
// spans lines, comments allowed, is compacted; other lines run one by one, after
// a question.
func (c *console) paste(m *Model, text string, whole bool) tea.Cmd {
	text = lineFeeds.Replace(text)
	trimmed := bytes.TrimSpace([]byte(text))
	put := func(s string) {
		if c.recall != nil {
			c.editRecall(tea.PasteMsg{Content: s})
			return
		}
		if whole {
			c.line.SetText("")
		}
		c.edit(tea.PasteMsg{Content: s})
	}
	if !bytes.ContainsAny(trimmed, "\n") {
		put(strings.TrimRight(text, "\n"))
		return nil
	}
	if compact, err := rawjson.CompactLoose(nil, trimmed); err == nil {
		put(string(compact))
		m.say("compacted to one line: enter sends it")
		return nil
	}
	c.askLines(m, trimmed)
	return nil
}

// lineFeeds undoes what terminals make of the line ends of a paste.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// askLines asks whether several lines are to run: as statements if they are
// some, else exactly as they are.
func (c *console) askLines(m *Model, text []byte) {
	q := &question{title: "paste"}
	s, err := script.Parse("paste", append(bytes.Clone(text), '\n'))
	jobs := rawJobs(text)
	switch {
	case err == nil && len(s.Steps) > 0:
		jobs = stepJobs(s)
		q.yes = "run them"
		q.lines = []string{"Run " + count(len(jobs), "line", "lines") + ", one by one?"}
	case hasStatement(text):
		m.say("✗ nothing was run: " + words(err))
		m.noticeError = true
		return
	default:
		q.yes = "send them"
		q.lines = []string{"Send " + count(len(jobs), "line", "lines") + ", one by one, exactly as they are?"}
	}
	q.then = func(m *Model) tea.Cmd {
		if why := m.live(); why != "" && err != nil {
			m.say(why)
			return nil
		}
		c.batches++
		for _, j := range jobs {
			j.batch = c.batches
			c.keep(j.line)
		}
		return c.submit(m, jobs...)
	}
	m.overlay = q
}

// rawJobs sends every line as it is.
func rawJobs(text []byte) (jobs []*job) {
	for l := range bytes.SplitSeq(text, []byte("\n")) {
		if len(l) > 0 {
			jobs = append(jobs, &job{line: string(l), raw: bytes.Clone(l)})
		}
	}
	return jobs
}

// stepJobs runs the steps of a script; lines that are nothing but raw ones go
// out and are not waited for, as typed ones.
func stepJobs(s *script.Script) (jobs []*job) {
	for _, step := range s.Steps {
		j := &job{line: step.Source, step: step}
		if step.Raw != nil && j.plain("raw") {
			j.raw = step.Raw
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// hasStatement reports whether a line of a text begins as a statement does, so
// that the text was not meant to go out as it is.
func hasStatement(text []byte) bool {
	for l := range strings.SplitSeq(string(text), "\n") {
		word, _, _ := strings.Cut(strings.TrimSpace(l), " ")
		if _, ok := script.Lookup(word); ok && word != "raw" {
			return true
		}
	}
	return false
}

// oneLine makes a line of edited text: JSON is compacted, of other text the
// line ends at its end are dropped.
func oneLine(text []byte) []byte {
	if compact, err := rawjson.CompactLoose(nil, text); err == nil {
		return compact
	}
	return bytes.TrimRight(text, "\r\n")
}
