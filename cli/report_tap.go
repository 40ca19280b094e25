package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"parley/ui/theme"
)

// tapReport writes the Test Anything Protocol, version 13, as the run goes: a line a
// statement, the details of a failure as a YAML block, the plan at the end.
type tapReport struct {
	w     io.Writer
	close io.Closer // may be nil
	n     int
	err   error // the first one of writing
}

func newTAP(w io.Writer, closer io.Closer) *tapReport {
	t := &tapReport{w: w, close: closer}
	t.print([]byte("TAP version 13\n"))
	return t
}

func (t *tapReport) print(p []byte) {
	if t.err != nil {
		return
	}
	if c, ok := t.w.(*commented); ok {
		t.err = c.plain(p)
		return
	}
	_, t.err = t.w.Write(p)
}

// described escapes what a description cannot have: # begins a directive.
var described = strings.NewReplacer(`\`, `\\`, `#`, `\#`)

func (t *tapReport) step(r ran) {
	t.n++
	word := "ok"
	if r.status == ranFailed {
		word = "not ok"
	}
	b := fmt.Appendf(nil, "%s %d - %s", word, t.n, described.Replace(oneLine(r.pos.String()+": "+r.text)))
	if r.status == ranNot {
		b = append(b, " # SKIP not run"...)
	}
	b = append(b, '\n')
	if note := r.remark(); note != "" && r.status != ranNot {
		for line := range strings.Lines(note) {
			b = fmt.Appendf(b, "# %s\n", theme.Safe(strings.TrimRight(line, "\r\n")))
		}
	}
	if r.status == ranFailed {
		b = append(b, yamlBlock(r)...)
	}
	t.print(b)
}

// yamlBlock is the details of a failure. A JSON string is a YAML string.
func yamlBlock(r ran) string {
	var b strings.Builder
	b.WriteString("  ---\n")
	put := func(key string, value any) {
		var v strings.Builder
		enc := json.NewEncoder(&v)
		enc.SetEscapeHTML(false)
		if enc.Encode(value) == nil {
			fmt.Fprintf(&b, "  %s: %s", key, v.String())
		}
	}
	put("message", visible(r.err.Error()))
	put("code", word(r.err))
	put("at", string(theme.Safe(placeOf(r).String())))
	if h := hint(r.err); h != "" {
		put("hint", visible(h))
	}
	put("duration_ms", float64(r.took.Microseconds())/1000)
	if text := evidenceText(r.err); text != "" {
		put("evidence", strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
	}
	b.WriteString("  ...\n")
	return b.String()
}

func (t *tapReport) end(time.Duration) error {
	t.print(fmt.Appendf(nil, "1..%d\n", t.n))
	if t.close != nil {
		if err := t.close.Close(); t.err == nil {
			t.err = err
		}
	}
	return t.err
}
