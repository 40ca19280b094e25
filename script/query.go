package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"

	"parley/client/rawjson"
)

// QueryError is a jq expression that cannot be read, or that failed on its input.
type QueryError struct {
	Pos    Pos // where it stands in a script; the zero Pos elsewhere
	Expr   string
	Offset int // in bytes, where it cannot be read; -1 if it failed on its input
	Err    error
}

func (e *QueryError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %v", e.Expr, e.Err)
	}
	return fmt.Sprintf("%s: %v at character %d", e.Expr, e.Err, utf8.RuneCountInString(e.Expr[:e.Offset])+1)
}

// Unwrap gives the reason.
func (e *QueryError) Unwrap() error { return e.Err }

// Word names the error for machines.
func (e *QueryError) Word() string { return "usage" }

// Hint says what the expression is.
func (e *QueryError) Hint() string {
	if e.Offset < 0 {
		return "the expression is jq's; `?` behind a path passes over what is not there"
	}
	return "the expression is jq's: .tools[].name, .content[0].text"
}

// Place is where the expression stands in a script.
func (e *QueryError) Place() Pos { return e.Pos }

// Caret shows the expression with a mark under the place where it cannot be read:
// two lines, or "" if it failed on its input.
func (e *QueryError) Caret() string {
	if e.Offset < 0 {
		return ""
	}
	return e.Expr + "\n" + strings.Repeat(" ", utf8.RuneCountInString(e.Expr[:e.Offset])) + "^"
}

// Query runs a jq expression over a JSON value and gives what it gives, none, one
// or several values. Objects and lists that pass through unchanged keep their
// bytes, numbers their spelling. The error is a [*QueryError].
func Query(expr string, raw []byte) ([]json.RawMessage, error) {
	return QueryContext(context.Background(), expr, raw)
}

// QueryContext is Query, and ends when ctx does.
func QueryContext(ctx context.Context, expr string, raw []byte) ([]json.RawMessage, error) {
	code, err := compile(expr, nil)
	if err != nil {
		return nil, err
	}
	in, err := decode(ctx, raw)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, &QueryError{Expr: expr, Offset: -1, Err: fmt.Errorf("the input is not JSON: %w", err)}
	}
	var out []json.RawMessage
	err = run(ctx, expr, code.RunWithContext(ctx, in.value), func(raw json.RawMessage) error {
		out = append(out, raw)
		return nil
	}, in)
	return out, err
}

// CheckQuery says whether a jq expression can be read. The error is a [*QueryError].
func CheckQuery(expr string) error {
	_, err := compile(expr, nil)
	return err
}

// compile reads an expression over variables, which are given with their $.
func compile(expr string, vars []string) (*gojq.Code, error) {
	query, err := gojq.Parse(expr)
	var wrong *gojq.ParseError
	switch {
	case errors.As(err, &wrong):
		at := min(max(wrong.Offset-len(wrong.Token), 0), len(expr))
		return nil, &QueryError{Expr: expr, Offset: at, Err: reworded(err)}
	case err != nil:
		return nil, &QueryError{Expr: expr, Offset: len(expr), Err: err}
	}
	code, err := gojq.Compile(query, gojq.WithVariables(vars))
	if err != nil {
		return nil, &QueryError{Expr: expr, Offset: max(0, placeOf(expr, err)), Err: err}
	}
	return code, nil
}

// reworded says "the end" as people do.
func reworded(err error) error {
	if strings.Contains(err.Error(), "EOF") {
		return errors.New("unexpected end")
	}
	return err
}

// placeOf finds the name that a compiler's error is about: "function not defined: nme/0".
func placeOf(expr string, err error) int {
	_, name, _ := strings.Cut(err.Error(), ": ")
	name, _, _ = strings.Cut(name, "/")
	return strings.Index(expr, name)
}

// run gives each value of an expression to yield as it comes: there may be no end of
// them. The error is yield's, or the expression's.
func run(ctx context.Context, expr string, iter gojq.Iter, yield func(json.RawMessage) error, from ...*decoded) error {
	for {
		v, ok := iter.Next()
		if !ok {
			return nil
		}
		err, failed := v.(error)
		halt := (*gojq.HaltError)(nil)
		switch {
		case !failed:
			if err := yield(encode(nil, v, from...)); err != nil {
				return err
			}
			continue
		case errors.As(err, &halt) && halt.Value() == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case halt != nil: // halt_error writes its text with a line end
			err = errors.New(strings.TrimSpace(strings.TrimPrefix(err.Error(), "halt error: ")))
		}
		return &QueryError{Expr: expr, Offset: -1, Err: err}
	}
}

// MergePages makes one result of the pages of a list: the first page with the items
// of all pages, byte for byte, and without nextCursor. What is no page of a list is
// left out; of no pages it makes nil.
func MergePages(pages []json.RawMessage) json.RawMessage {
	if len(pages) == 0 {
		return nil
	}
	lists := map[string]bool{} // the members of the first page that are lists
	_ = rawjson.Each(pages[0], func(key string, _, raw []byte) bool {
		lists[key] = rawjson.KindOf(raw) == rawjson.Array
		return true
	})
	out := []byte{'{'}
	err := rawjson.Each(pages[0], func(key string, rawKey, raw []byte) bool {
		if key == "nextCursor" {
			return true
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, rawKey...), ':')
		if !lists[key] {
			out = append(out, raw...)
			return true
		}
		out = append(out, '[')
		for _, page := range pages {
			out = appendItems(out, page, key)
		}
		out = append(out, ']')
		return true
	})
	if err != nil {
		return pages[0]
	}
	return append(out, '}')
}

func appendItems(out []byte, page json.RawMessage, key string) []byte {
	list, ok := rawjson.Get(page, key)
	if !ok || rawjson.KindOf(list) != rawjson.Array {
		return out
	}
	inside := bytes.TrimSpace(list[1 : len(list)-1])
	if len(inside) == 0 {
		return out
	}
	if out[len(out)-1] != '[' {
		out = append(out, ',')
	}
	return append(out, inside...)
}
