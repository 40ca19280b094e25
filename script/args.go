// Package script is the command language. In this release it reads the
// arguments of a call as they are typed on a command line, and drives replay.
package script

import (
	"fmt"
	"io"
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

// Args makes the arguments object of a call from words: key=text, read by the
// type that the schema gives the argument; key:=json, always JSON; key=@file,
// the file's text (@- is stdin); key:=@file, its JSON; or one {…} for the
// whole. Numbers keep their spelling. It returns nil for no words.
func Args(form *schema.Object, words []string, stdin io.Reader) ([]byte, error) {
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		raw, err := rawjson.CompactLoose(nil, []byte(words[0]))
		if err != nil {
			return nil, &ArgError{Arg: words[0], Problem: err.Error(), Advice: "a word that begins with { is the whole arguments object, as JSON"}
		}
		return raw, nil
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

const argAdvice = "write key=text, key:=json, key=@file or {…}"

func arg(form *schema.Object, word string, stdin io.Reader) (key string, raw []byte, err error) {
	key, value, ok := strings.Cut(word, "=")
	if !ok || key == "" || key == ":" {
		return "", nil, &ArgError{Arg: word, Problem: "is not key=value", Advice: argAdvice}
	}
	key, asJSON := strings.CutSuffix(key, ":")
	text := value
	if file, isFile := strings.CutPrefix(value, "@"); isFile {
		content, err := readArg(file, stdin)
		if err != nil {
			return "", nil, &ArgError{Arg: word, Problem: err.Error(), Advice: `a text that begins with @ is written ` + key + `:='"@…"'`}
		}
		text = string(content)
	}
	if asJSON {
		raw, err := rawjson.Compact(nil, []byte(text))
		if err != nil {
			return "", nil, &ArgError{Arg: word, Problem: err.Error(), Advice: key + ":= takes JSON; text is written " + key + "=text"}
		}
		return key, raw, nil
	}
	if form != nil {
		if f, ok := form.Field(key); ok {
			raw, err := f.FromText(text)
			if err != nil {
				return "", nil, &ArgError{Arg: word, Problem: err.Error(), Advice: key + ":=json sends any JSON"}
			}
			return key, raw, nil
		}
	}
	return key, rawjson.Quote(nil, text), nil
}

func readArg(file string, stdin io.Reader) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(file)
}
