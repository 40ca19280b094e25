package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strings"
	"syscall"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/config"
	"parley/script"
	"parley/ui/theme"
)

// The exit codes.
const (
	exitFine        = 0
	exitOther       = 1
	exitUsage       = 2
	exitAuth        = 3
	exitUnreachable = 4
	exitServer      = 5
	exitFindings    = 6
)

// exits gives the exit code for an error's word.
var exits = map[string]int{
	"usage": exitUsage, "gate": exitUsage, "arguments": exitUsage, "excluded": exitUsage,
	"auth":        exitAuth,
	"unreachable": exitUnreachable, "exited": exitUnreachable, "killed": exitUnreachable, "closed": exitUnreachable,
	"timeout": exitUnreachable, "handshake": exitUnreachable, "version": exitUnreachable,
	"lost": exitUnreachable, "disconnected": exitUnreachable, "session": exitUnreachable, "http": exitUnreachable,
	"rpc": exitServer, "tool": exitServer, "cursor": exitServer, "result-type": exitServer, "rounds": exitServer, "task": exitServer,
	"differences": exitFindings, "findings": exitFindings,
}

// failure is an error made by a command itself.
type failure struct{ word, message, hint string }

func (e *failure) Error() string { return e.message }
func (e *failure) Hint() string  { return e.hint }
func (e *failure) Word() string  { return e.word }

func usage(hint, format string, args ...any) error {
	return &failure{word: "usage", message: fmt.Sprintf(format, args...), hint: hint}
}

// advised is an error with another hint than its own.
type advised struct {
	err  error
	hint string
}

func (e *advised) Error() string { return e.err.Error() }
func (e *advised) Unwrap() error { return e.err }
func (e *advised) Hint() string  { return e.hint }

// silent is an exit code without words: they were said already.
type silent int

func (e silent) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// word names an error for machines.
func word(err error) string {
	var w interface{ Word() string }
	switch {
	case errors.As(err, &w):
		return w.Word()
	case errors.Is(err, client.ErrClosed), errors.Is(err, client.ErrNotConnected):
		return "closed"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return "error"
}

// hint is what an error itself advises: the first advice of those it wraps.
func hint(err error) string {
	if h, ok := err.(interface{ Hint() string }); ok {
		if advice := h.Hint(); advice != "" {
			return advice
		}
	}
	if one, ok := err.(interface{ Unwrap() error }); ok && one.Unwrap() != nil {
		return hint(one.Unwrap())
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, inner := range several.Unwrap() {
			if advice := hint(inner); advice != "" {
				return advice
			}
		}
	}
	return ""
}

// advice is what to do about a failure: what the error advises, or what helps
// with errors of its kind. There is always something.
func advice(err error) string {
	if h := hint(err); h != "" {
		return h
	}
	var start *wire.StartError
	var entry *config.SyntaxError
	switch {
	case errors.As(err, &entry):
		return "correct that entry; the file's other servers can be used meanwhile"
	case errors.Is(err, context.Canceled):
		return "parley show last prints what went over the wire until then"
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full; --no-record keeps no session"
	case errors.As(err, &start) && errors.Is(err, exec.ErrNotFound):
		return "is it installed? a name without a slash is looked for in PATH"
	case errors.Is(err, fs.ErrPermission):
		return "the permissions of that file or folder do not allow it"
	case errors.Is(err, fs.ErrNotExist):
		return "paths are relative to the working directory"
	}
	switch code := exitCode(err); {
	case word(err) == "tool":
		return "the result says why; -v shows every message"
	case word(err) == "expect":
		return "the value on a line of its own prints it: $x; -v shows every message"
	case code == exitUsage:
		return "parley --help, and --help of each command, say what it takes"
	case code == exitUnreachable, code == exitServer:
		return "parley show last prints what went over the wire; -v shows it as it happens"
	}
	return "-v shows what goes over the wire"
}

// advised is an error with advice that fits this run: there may be no session to
// look into.
func (a *app) advised(err error) error {
	stopped := errors.Is(err, context.Canceled)
	code := exitCode(err)
	switch {
	case hint(err) != "":
	case stopped && a.current == nil:
		return &advised{err, "it ended before it was done"}
	case a.noRecord && (stopped || code == exitUnreachable || code == exitServer && word(err) != "tool"):
		return &advised{err, "-v shows what goes over the wire"}
	}
	return err
}

func exitCode(err error) int {
	if err == nil {
		return exitFine
	}
	var s silent
	if errors.As(err, &s) {
		return int(s)
	}
	if code, ok := exits[word(err)]; ok {
		return code
	}
	return exitOther
}

// maxData is how much of the message and of the data of an error is shown, in bytes.
const maxData = 2000

// report writes an error for people, or as one JSON line, which has the notes
// that were held for it.
//
// It is one write: what a server says meanwhile does not come between its lines.
func report(to io.Writer, err error, asJSON bool, notes ...string) {
	var s silent
	if errors.As(err, &s) {
		return
	}
	w := new(bytes.Buffer)
	defer func() { _, _ = to.Write(w.Bytes()) }()
	if asJSON {
		reportJSON(w, err, notes)
		return
	}
	message := err.Error()
	if errors.Is(err, context.Canceled) {
		message = "interrupted"
	}
	fmt.Fprintf(w, "parley: %s\n", visible(cut(message)))
	var query *script.QueryError
	if errors.As(err, &query) && query.Caret() != "" {
		block(w, "", strings.Split(query.Caret(), "\n"))
	}
	aboutFailure(w, err)
	fmt.Fprintf(w, "hint: %s\n", visible(advice(err)))
}

// aboutFailure writes what is known about a failure beyond its message: the data
// of a JSON-RPC error and the evidence, in lines that are safe to print.
func aboutFailure(w io.Writer, err error) {
	var rpc mcp.RPCError
	if errors.As(err, &rpc) && len(rpc.Data) > 0 {
		fmt.Fprintf(w, "data: %s\n", theme.Safe(dataText(rpc.Data)))
	}
	seen := seenOf(err)
	title := "it printed:"
	if seen.remote {
		title = "it sent, which is no message:"
	}
	block(w, title, seen.printed)
	block(w, "stderr, last lines:", seen.stderr)
	for _, f := range seen.findings {
		more := ""
		if n := seen.more[f.Rule+f.Message]; n > 0 {
			more = fmt.Sprintf(", and %d more of this kind", n)
		}
		fmt.Fprintf(w, "▲ %s: frame %d %s%s\n", f.Rule, f.Ref.Seq, theme.Safe(f.Message), more)
	}
}

func block(w io.Writer, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	if title != "" {
		fmt.Fprintln(w, title)
	}
	for _, line := range lines {
		fmt.Fprintf(w, "  %s\n", visible(line))
	}
}

// dataText is the data of an error in one line.
func dataText(data json.RawMessage) string {
	raw, err := rawjson.Compact(nil, data)
	if err != nil {
		raw = data
	}
	return cut(string(raw))
}

// cut keeps a text of the server's from filling the screen.
func cut(text string) string {
	if len(text) > maxData {
		return strings.ToValidUTF8(text[:maxData], "") + " … " + size(int64(len(text))) + " in all"
	}
	return text
}

// seenOf gathers what is known about why a connection failed.
func seenOf(err error) evidence {
	var seen evidence
	if e := (*evidence)(nil); errors.As(err, &e) {
		seen = *e
	}
	var ended *wire.ExitError
	if errors.As(err, &ended) {
		seen.stderr = ended.Stderr
	}
	return seen
}

// errorLine is an error for machines, the value of "error" in one line.
type errorLine struct {
	Code     string          `json:"code"`
	Message  string          `json:"message"`
	Hint     string          `json:"hint"`
	At       *errorPlace     `json:"at,omitempty"`     // in a script
	Errors   []scriptError   `json:"errors,omitempty"` // of a script that has several
	Status   int             `json:"status,omitempty"` // of the HTTP response
	Exit     *int            `json:"exit,omitempty"`
	Signal   string          `json:"signal,omitempty"`
	Stdout   []string        `json:"stdout,omitempty"` // what it printed that is no message
	Stderr   []string        `json:"stderr,omitempty"`
	Findings []findingLine   `json:"findings,omitempty"`
	Notes    []string        `json:"notes,omitempty"` // what was said before it
	RPCCode  *int64          `json:"rpcCode,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
}

// statusOf is the status of the HTTP response that an error is about; 0 of others.
func statusOf(err error) int {
	var refused *wire.HTTPError
	var redirect *wire.RedirectError
	switch {
	case errors.As(err, &refused):
		return refused.Status
	case errors.As(err, &redirect):
		return redirect.Status
	}
	return 0
}

type findingLine struct {
	Rule    string `json:"rule"`
	Frame   uint64 `json:"frame"`
	Message string `json:"message"`
}

func reportJSON(w io.Writer, err error, notes []string) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	line := lineOfError(err)
	line.Notes = notes
	_ = enc.Encode(map[string]errorLine{"error": line})
}

// lineOfError is what machines are told of an error.
func lineOfError(err error) errorLine {
	seen := seenOf(err)
	line := errorLine{Code: word(err), Message: err.Error(), Hint: advice(err), At: errorAt(err), Errors: scriptErrors(err), Stdout: seen.printed, Stderr: seen.stderr}
	if len(line.Errors) > 0 { // the others are in errors
		line.Message = line.Errors[0].Message
	}
	for _, f := range seen.findings {
		line.Findings = append(line.Findings, findingLine{f.Rule, f.Ref.Seq, f.Message})
	}
	var ended *wire.ExitError
	if errors.As(err, &ended) {
		line.Signal = ended.Signal
		if ended.Signal == "" {
			line.Exit = &ended.Code
		}
	}
	line.Status = statusOf(err)
	var rpc mcp.RPCError
	if errors.As(err, &rpc) {
		line.RPCCode, line.Data = &rpc.Code, rpc.Data
	}
	return line
}
