// Package script is the command language. In this release it reads the
// arguments of a call as they are typed on a command line, and drives replay.
package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"strings"

	"parley/client/rawjson"
	"parley/client/schema"
)

// ArgError is an argument that cannot be read.
type ArgError struct {
	Arg     string // as typed
	Problem string
	Advice  string
}

func (e *ArgError) Error() string { return fmt.Sprintf("argument %s: %s", e.Arg, e.Problem) }

// Hint says how it is written.
func (e *ArgError) Hint() string { return e.Advice }

// Word names the error for machines.
func (e *ArgError) Word() string { return "usage" }

// CheckArgs says whether words have the form that [Args] reads, without reading
// files or standard input: an error here needs no server to be started.
func CheckArgs(words []string) error {
	if len(words) == 1 && isObject(words[0]) {
		_, err := whole(words[0])
		return err
	}
	for _, w := range words {
		if _, _, _, err := split(w); err != nil {
			return err
		}
	}
	return nil
}

// Args makes the arguments object of a call from words: key=text, read by the
// type that the schema gives the argument; key:=json, always JSON; key=@file,
// the file's text (@- is stdin); key:=@file, its JSON; or one {…} for the
// whole. Numbers keep their spelling. It returns nil for no words.
func Args(form *schema.Object, words []string, stdin io.Reader) ([]byte, error) {
	if len(words) == 1 && isObject(words[0]) {
		return whole(words[0])
	}
	if len(words) == 0 {
		return nil, nil
	}
	given := map[string][]byte{}
	var order []string
	for _, w := range words {
		key, raw, err := arg(form, w, stdin)
		if err != nil {
			return nil, err
		}
		if _, twice := given[key]; twice {
			return nil, &ArgError{Arg: w, Problem: "given twice", Advice: "an array is written " + key + ":='[…]'"}
		}
		given[key], order = raw, append(order, key)
	}
	return object(form, given, order), nil
}

// Arguments makes the arguments object of a call from the words of a statement, as
// [Args] does, with values of expressions: k=$x.path is read like typed text if it
// is a JSON string, everything else keeps its exact bytes; one $x is the whole.
func Arguments(form *schema.Object, words []Word, eval Eval, stdin io.Reader) (json.RawMessage, error) {
	return nil, errNotYet
}

// object writes the members in the order of the schema, then the others as typed.
func object(form *schema.Object, given map[string][]byte, order []string) []byte {
	place := map[string]int{}
	if form != nil {
		for i, f := range form.Fields {
			place[f.Name] = i - len(form.Fields)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return place[order[i]] < place[order[j]] })
	b := []byte{'{'}
	for i, k := range order {
		if i > 0 {
			b = append(b, ',')
		}
		b = rawjson.Quote(b, k)
		b = append(b, ':')
		b = append(b, given[k]...)
	}
	return append(b, '}')
}

// isObject reports whether a word is the whole arguments object.
func isObject(word string) bool { return strings.HasPrefix(strings.TrimSpace(word), "{") }

func whole(word string) ([]byte, error) {
	raw, err := rawjson.CompactLoose(nil, []byte(word))
	if err != nil {
		return nil, &ArgError{Arg: word, Problem: err.Error(), Advice: "a word that begins with { is the whole arguments object, as JSON"}
	}
	return raw, nil
}

// split takes a word apart: key=value or key:=json.
func split(word string) (key, value string, asJSON bool, err error) {
	key, value, ok := strings.Cut(word, "=")
	key, asJSON = strings.CutSuffix(key, ":")
	switch {
	case isObject(word):
		err = &ArgError{Arg: word, Problem: "an object is all arguments at once", Advice: "give one {…} and nothing else, or key=value words"}
	case !ok || key == "":
		err = &ArgError{Arg: word, Problem: "is not key=value", Advice: "write key=text, key:=json, key=@file or {…}"}
	}
	return key, value, asJSON, err
}

func arg(form *schema.Object, word string, stdin io.Reader) (key string, raw []byte, err error) {
	key, value, asJSON, err := split(word)
	if err != nil {
		return "", nil, err
	}
	file, isFile := strings.CutPrefix(value, "@")
	if isFile {
		if value, err = readArg(file, stdin); err != nil {
			return "", nil, &ArgError{Arg: word, Problem: err.Error(), Advice: `a text that begins with @ is written ` + key + `:='"@…"'`}
		}
	}
	if asJSON {
		raw, err := rawjson.Compact(nil, []byte(value))
		if err != nil {
			return "", nil, &ArgError{Arg: word, Problem: err.Error(), Advice: key + ":= takes JSON; text is written " + key + "=text"}
		}
		return key, raw, nil
	}
	if form != nil {
		if f, ok := form.Field(key); ok {
			raw, err := typed(f, value, isFile)
			if err != nil {
				return "", nil, &ArgError{Arg: word, Problem: plain(err), Advice: key + ":=json sends any JSON"}
			}
			return key, raw, nil
		}
	}
	return key, rawjson.Quote(nil, value), nil
}

// typed reads a text by a field's type. The newline at the end of a file
// belongs to a text, but not to a choice or to a word like true.
func typed(f *schema.Field, text string, isFile bool) ([]byte, error) {
	if isFile && f.Type != schema.String && !f.Untyped {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return f.FromText(text)
}

// plain is an error without the field's name: the argument names it already.
func plain(err error) string {
	var wrong *schema.FieldError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("expected %s, found %s", wrong.Expected, wrong.Found)
	}
	return err.Error()
}

func readArg(file string, stdin io.Reader) (string, error) {
	if file == "-" {
		raw, err := io.ReadAll(stdin)
		return string(raw), err
	}
	raw, err := os.ReadFile(file)
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = fmt.Errorf("cannot read %s: %w", file, failed.Err)
	}
	return string(raw), err
}
