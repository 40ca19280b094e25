package cli

import (
	"errors"
	"fmt"
	"strings"

	"parley/check"
	"parley/client"
	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// evidence is what a connection showed before it failed: what the server
// printed instead of messages, its last words on standard error, and what it
// did against the specification.
type evidence struct {
	err      error
	printed  []string // lines on standard output that are no messages
	stderr   []string // the last lines, where the error itself has none
	findings []check.Finding
	more     map[string]int // findings that say the same as one that is shown, by their words
	remote   bool           // the server is no process
}

// add takes a finding, of several that say the same the first.
func (e *evidence) add(f check.Finding) {
	key := f.Rule + f.Message
	if n, ok := e.more[key]; ok {
		e.more[key] = n + 1
		return
	}
	if len(e.findings) == maxFindings {
		return
	}
	if e.more == nil {
		e.more = map[string]int{}
	}
	e.more[key] = 0
	e.findings = append(e.findings, f)
}

// How much of the evidence is shown.
const (
	maxPrinted  = 8
	maxStderr   = 20
	maxFindings = 5
	maxLine     = 400 // bytes of a line
)

// maxRecords bounds how much of a log is looked at, in records from each of its ends:
// a server that floods is one whose first and last lines say enough.
const maxRecords = 100_000

func (e *evidence) Error() string { return e.err.Error() }
func (e *evidence) Unwrap() error { return e.err }

// Hint looks at what the server printed, which the error itself does not know.
func (e *evidence) Hint() string {
	var broken *wire.StreamError
	if errors.As(e.err, &broken) && !broken.Body && len(e.printed) > 0 {
		switch last := e.printed[len(e.printed)-1]; {
		case strings.HasPrefix(last, "{"):
			return "it sent JSON and called it an event stream: the Content-Type has to be application/json"
		case broken.Err == nil && (strings.Contains(last, "data:") || strings.HasPrefix(last, "event:")):
			return "an event counts once an empty line ends it, and the last one has none; " + hint(e.err)
		}
	}
	var ended *wire.ExitError
	if !errors.As(e.err, &ended) || ended.Signal != "" || len(e.printed) == 0 {
		return hint(e.err)
	}
	if printsHelp(e.printed) {
		return "it printed how it is used: it wants other arguments; many servers want the word stdio"
	}
	if len(ended.Stderr) > 0 {
		return hint(e.err)
	}
	return "what it printed should say why; a server writes nothing but messages to its standard output"
}

// printsHelp reports whether lines look like the help of a program.
func printsHelp(lines []string) bool {
	for _, l := range lines {
		l = strings.ToLower(strings.TrimSpace(l))
		for _, word := range []string{"usage:", "usage ", "options:", "commands:"} {
			if strings.HasPrefix(l, word) {
				return true
			}
		}
	}
	return false
}

// withEvidence adds to an error of the connection what the log has about it.
func withEvidence(err error, log *history.Log) error {
	switch word(err) {
	case "exited", "killed", "closed", "timeout", "handshake", "version", "lost", "disconnected", "session", "http":
	default:
		return err
	}
	e := &evidence{err: err, remote: log.Header().Target.URL != ""}
	quoted := statusOf(err) != 0 // the error quotes what was answered
	since := newestConnection(log)
	eachFinding(log, func(f check.Finding) {
		if f.Ref.Seq > since && f.Rule != check.StrayStdout && f.Level == check.Error && !(quoted && f.Rule == check.NoMessage) {
			e.add(f)
		}
	})
	var ended *wire.ExitError
	var late *client.TimeoutError
	wanted := !errors.As(err, &ended) && errors.As(err, &late)
	printed, stderr := lastWords(log)
	if quoted {
		printed = nil
	}
	for i := range printed {
		e.printed = append(e.printed, lineOf(log, &printed[i]))
	}
	for i := range stderr {
		if wanted {
			e.stderr = append(e.stderr, lineOf(log, &stderr[i]))
		}
	}
	return e
}

// newestConnection is the frame that the newest connection began with.
func newestConnection(log *history.Log) (seq uint64) {
	log.Records(1, min(log.Len(), maxRecords), func(r *history.Record) bool {
		if r.Kind == wire.Event && r.Method == wire.EventConnected {
			seq = r.Seq
		}
		return true
	})
	return seq
}

// lastWords finds the lines of a server that are likely to say why it failed: those
// on standard output that are no messages, and the last ones of standard error. A
// program that says how it is used begins with that; one that spoke the protocol
// and failed ends with why.
func lastWords(log *history.Log) (printed, stderr []history.Record) {
	var first []history.Record
	spoke := false
	end := log.Len() // it may still grow
	for seq := uint64(1); seq <= end; seq++ {
		if seq == maxRecords {
			seq = max(seq, end-min(end, maxRecords))
		}
		r, ok := log.Record(seq)
		switch {
		case !ok || r.Size == 0 || r.Dir != wire.In:
		case r.Kind == wire.Message:
			spoke = true
		case r.Kind == wire.Stray:
			if len(first) < maxPrinted {
				first = append(first, r)
			}
			printed = lastOf(append(printed, r), maxPrinted)
		case r.Kind == wire.Stderr:
			stderr = lastOf(append(stderr, r), maxStderr)
		}
	}
	if !spoke {
		printed = first
	}
	return printed, stderr
}

func lastOf(records []history.Record, n int) []history.Record {
	return records[max(0, len(records)-n):]
}

// lineOf is a line of the server's, cut.
func lineOf(log *history.Log, r *history.Record) string {
	raw, err := log.Bytes(r.Seq, 0, maxLine)
	if err != nil {
		return ""
	}
	if r.Size > int64(len(raw)) {
		return strings.ToValidUTF8(string(raw), "") + " … " + size(r.Size) + " in all"
	}
	return string(raw)
}

// eachFinding applies the rules to a log, from its start.
func eachFinding(log *history.Log, fn func(check.Finding)) {
	var checker check.Checker
	at := uint64(0)
	raw := func() []byte { b, _ := log.Bytes(at, 0, -1); return b }
	log.Records(1, min(log.Len(), maxRecords), func(r *history.Record) bool {
		at = r.Seq
		var members []wire.Head
		if r.Form == wire.Batch {
			members = log.Members(at)
		}
		for _, f := range checker.Apply(r, members, raw) {
			fn(f)
		}
		return true
	})
}

// remark says in a line a rule what the server did against the specification,
// though the command got what it wanted.
func (a *app) remark(log *history.Log) {
	if a.quiet {
		return
	}
	type group struct {
		first check.Finding
		n     int
	}
	var order []string
	groups := map[string]*group{}
	eachFinding(log, func(f check.Finding) {
		r, ok := log.Record(f.Ref.Seq)
		switch g := groups[f.Rule]; {
		case f.Level != check.Error || !ok || r.Dir != wire.In:
		case g != nil:
			g.n++
		default:
			groups[f.Rule] = &group{f, 1}
			order = append(order, f.Rule)
		}
	})
	for _, id := range order {
		g := groups[id]
		more := ""
		if g.n > 1 {
			more = fmt.Sprintf(", and %d more of this kind", g.n-1)
		}
		a.note("▲ %s: frame %d %s%s", id, g.first.Ref.Seq, theme.Safe(g.first.Message), more)
	}
}
