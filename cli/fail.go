package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"parley/client"
	"parley/client/mcp"
	"parley/client/wire"
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
	"usage": exitUsage, "gate": exitUsage, "arguments": exitUsage,
	"auth":        exitAuth,
	"unreachable": exitUnreachable, "exited": exitUnreachable, "killed": exitUnreachable, "closed": exitUnreachable,
	"timeout": exitUnreachable, "handshake": exitUnreachable, "version": exitUnreachable,
	"rpc": exitServer, "tool": exitServer, "cursor": exitServer,
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

func hint(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

func exitCode(err error) int {
	var s silent
	if errors.As(err, &s) {
		return int(s)
	}
	if code, ok := exits[word(err)]; ok {
		return code
	}
	return exitOther
}

// report writes an error for people, or as one JSON line.
func report(w io.Writer, err error, asJSON bool) {
	var s silent
	if errors.As(err, &s) {
		return
	}
	if asJSON {
		reportJSON(w, err)
		return
	}
	message := err.Error()
	if errors.Is(err, context.Canceled) {
		message = "interrupted"
	}
	fmt.Fprintf(w, "parley: %s\n", visible(message))
	var ended *wire.ExitError
	if errors.As(err, &ended) && len(ended.Stderr) > 0 {
		fmt.Fprintln(w, "stderr, last lines:")
		for _, line := range ended.Stderr {
			fmt.Fprintf(w, "  %s\n", theme.Safe(line))
		}
	}
	if h := hint(err); h != "" {
		fmt.Fprintf(w, "hint: %s\n", visible(h))
	}
}

func reportJSON(w io.Writer, err error) {
	type body struct {
		Code    string          `json:"code"`
		Message string          `json:"message"`
		Hint    string          `json:"hint,omitempty"`
		Exit    *int            `json:"exit,omitempty"`
		Signal  string          `json:"signal,omitempty"`
		Stderr  []string        `json:"stderr,omitempty"`
		RPCCode *int64          `json:"rpcCode,omitempty"`
		Data    json.RawMessage `json:"data,omitempty"`
	}
	b := body{Code: word(err), Message: err.Error(), Hint: hint(err)}
	var ended *wire.ExitError
	if errors.As(err, &ended) {
		b.Stderr, b.Signal = ended.Stderr, ended.Signal
		if ended.Signal == "" {
			b.Exit = &ended.Code
		}
	}
	var rpc mcp.RPCError
	if errors.As(err, &rpc) {
		b.RPCCode, b.Data = &rpc.Code, rpc.Data
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(map[string]body{"error": b})
}
