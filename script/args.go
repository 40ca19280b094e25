package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"parley/client/rawjson"
	"parley/client/schema"
)

// ArgError is an argument that cannot be read.
type ArgError struct {
	Arg     string // as typed
	Problem string
	Advice  string
	Err     error // what its file or its value gave, or nil
}

func (e *ArgError) Error() string { return fmt.Sprintf("argument %s: %s", e.Arg, e.Problem) }

// Unwrap gives what its file or its value gave.
func (e *ArgError) Unwrap() error { return e.Err }

// Hint says how it is written.
func (e *ArgError) Hint() string { return e.Advice }

// Word names the error for machines.
func (e *ArgError) Word() string { return "usage" }

// CheckArgs says whether words of a shell have the form that [Args] reads, without
// reading files or standard input: an error here needs no server to be started.
func CheckArgs(words []string) error {
	if len(words) == 1 && isObject(words[0]) {
		_, err := wholeObject(literalWord(words[0]), nil)
		return err
	}
	for _, w := range words {
		a, err := argumentOf(literalWord(w))
		if err == nil && a.asJSON && !a.file {
			_, err = a.value.JSON(nil)
			err = a.notJSON(err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Args makes the arguments object of a call from words of a shell: key=text, read by
// the type that the schema gives the argument; key:=json, always JSON; key=@file,
// the file's text (@- is stdin); key:=@file, its JSON; a.b[0]=text and a[]=text,
// which are read by the type at that place; or one {…} for the whole. Numbers keep
// their spelling. It returns nil for no words. The errors are those of [Arguments].
func Args(form *schema.Object, words []string, stdin io.Reader) ([]byte, error) {
	list := make([]Word, len(words))
	for i, w := range words {
		list[i] = literalWord(w)
	}
	return Arguments(context.Background(), form, list, nil, stdin)
}

// Arguments makes the arguments object of a call from the words of a statement, as
// [Args] does, with values of expressions: k=$x.path is read like typed text if it
// is a JSON string, everything else keeps its exact bytes; one $x is the whole. The
// error is an *[ArgError], one of eval, or the reason why ctx ended while a file was
// read.
func Arguments(ctx context.Context, form *schema.Object, words []Word, eval Eval, stdin io.Reader) (json.RawMessage, error) {
	if len(words) == 0 {
		return nil, nil
	}
	if len(words) == 1 && isWhole(words[0]) {
		return wholeObject(words[0], eval)
	}
	return readArguments(words, argumentReader{ctx: ctx, form: form, eval: eval, stdin: stdin})
}

// PromptArguments is [Arguments] for a prompt: the arguments are texts, and their
// names no paths.
func PromptArguments(ctx context.Context, words []Word, eval Eval, stdin io.Reader) (json.RawMessage, error) {
	switch {
	case len(words) == 0:
		return nil, nil
	case len(words) == 1 && isWhole(words[0]):
		return wholeObject(words[0], eval)
	}
	return readArguments(words, argumentReader{ctx: ctx, eval: eval, stdin: stdin, texts: true})
}

func readArguments(words []Word, r argumentReader) (json.RawMessage, error) {
	var all tree
	for _, w := range words {
		if err := r.add(&all, w); err != nil {
			return nil, err
		}
	}
	for _, key := range all.order {
		if err := all.members[key].gap(key); err != nil {
			return nil, &ArgError{Arg: key, Problem: err.Error(), Advice: "the elements of an array are given from [0] on, or by " + key + "[]=…"}
		}
	}
	return all.arguments(r.form), nil
}

// isObject reports whether a word is the whole arguments object.
func isObject(word string) bool { return strings.HasPrefix(strings.TrimSpace(word), "{") }

// wholeObject reads {…} or $x.
func wholeObject(w Word, eval Eval) (json.RawMessage, error) {
	raw, err := w.JSON(eval)
	var wrong *rawjson.SyntaxError
	switch {
	case errors.As(err, &wrong):
		return nil, &ArgError{Arg: w.Source, Problem: err.Error(), Advice: "a word that begins with { is the whole arguments object, as JSON", Err: err}
	case err != nil:
		return nil, err
	case rawjson.KindOf(raw) != rawjson.Object:
		return nil, &ArgError{Arg: w.Source, Problem: "the value is " + rawjson.KindOf(raw).String() + ", not an object",
			Advice: "one value alone is the whole arguments object; that of an argument is written key=" + w.Source}
	}
	return raw, nil
}

// argument is key=value taken apart.
type argument struct {
	word   Word
	key    string
	asJSON bool
	file   bool // the value is the name of a file
	value  Word
}

// argumentOf takes a word apart: key=value or key:=json.
func argumentOf(w Word) (a argument, err error) {
	text := ""
	if len(w.Parts) > 0 {
		text = w.Parts[0].Text
	}
	key, value, ok := strings.Cut(text, "=")
	a.word, a.key = w, key
	a.key, a.asJSON = strings.CutSuffix(key, ":")
	switch {
	case isObject(text):
		return a, &ArgError{Arg: w.Source, Problem: "an object is all arguments at once", Advice: "give one {…} and nothing else, or key=value words"}
	case !ok || a.key == "":
		return a, &ArgError{Arg: w.Source, Problem: "is not key=value", Advice: "write key=text, key:=json, key=@file or {…}"}
	}
	n := len(key) + 1
	if a.file = strings.HasPrefix(value, "@"); a.file {
		n++
	}
	a.value = w.behind(n)
	return a, nil
}

// argumentReader reads arguments into the object that they make.
type argumentReader struct {
	ctx   context.Context
	form  *schema.Object
	eval  Eval
	stdin io.Reader
	texts bool // values are texts, and keys no paths
	spent bool // stdin was read
}

func (r *argumentReader) add(all *tree, w Word) error {
	a, err := argumentOf(w)
	if err != nil {
		return err
	}
	steps := []string{a.key}
	if !r.texts && (r.form == nil || !hasField(r.form, a.key)) {
		if path, ok := keyPath(a.key); ok {
			steps = path
		}
	}
	at, path, err := all.reach(steps)
	if err != nil {
		return &ArgError{Arg: w.Source, Problem: err.Error(), Advice: "an array is written " + steps[0] + ":='[…]', or " + steps[0] + "[]=… for each element"}
	}
	at.raw, err = r.read(a, path)
	return err
}

func hasField(form *schema.Object, name string) bool {
	_, ok := form.Field(name)
	return ok
}

// read gives the JSON of an argument that goes to a path.
func (r *argumentReader) read(a argument, path []string) ([]byte, error) {
	switch {
	case a.file:
		return r.readFile(a, path)
	case a.asJSON:
		raw, err := a.value.JSON(r.eval)
		return raw, a.notJSON(err)
	}
	if e := a.value.expr(); e != nil && !r.texts {
		raw, err := r.eval(e)
		if err != nil || rawjson.KindOf(raw) != rawjson.String {
			return raw, err
		}
		if f, ok := r.field(path); !ok || f.Type == schema.String || f.Untyped {
			return raw, nil // the string as it is spelled
		}
	}
	text, err := a.value.Text(r.eval)
	if err != nil {
		return nil, err
	}
	return r.typed(a, path, text)
}

// readFile reads key=@file and key:=@file.
func (r *argumentReader) readFile(a argument, path []string) ([]byte, error) {
	name, err := a.value.Text(r.eval)
	if err != nil {
		return nil, err
	}
	text, err := r.content(name)
	if err == nil && !utf8.ValidString(text) {
		return nil, &ArgError{Arg: a.word.Source, Problem: name + " is no UTF-8 text",
			Advice: "JSON has only text: encode the file first, as with base64, if that is what the tool takes"}
	}
	if err != nil && r.ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, &ArgError{Arg: a.word.Source, Problem: err.Error(), Advice: `a text that begins with @ is written ` + a.key + `:='"@…"'`, Err: err}
	}
	if a.asJSON {
		raw, err := rawjson.CompactLoose(nil, []byte(strings.TrimPrefix(text, "\ufeff"))) // as editors put it there
		return raw, a.notJSON(err)
	}
	if f, ok := r.field(path); ok && f.Type != schema.String && !f.Untyped {
		// the newline at the end of a file belongs to a text, but not to a choice or to
		// a word like true
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return r.typed(a, path, text)
}

// content is the text of a file, or of standard input.
func (r *argumentReader) content(name string) (string, error) {
	read := func() ([]byte, error) { return os.ReadFile(name) }
	switch name {
	case "":
		return "", errors.New("no file is named behind @")
	case "-":
		if r.stdin == nil {
			return "", errors.New("there is no standard input here")
		}
		if r.spent {
			return "", errors.New("standard input was read already, by the argument before")
		}
		r.spent = true
		read = func() ([]byte, error) { return io.ReadAll(r.stdin) }
	}
	raw, err := untilEnd(r.ctx, read)
	if err != nil && name != "-" && r.ctx.Err() == nil {
		err = unreadable(name, err)
	}
	return string(raw), err
}

// untilEnd reads until ctx ends: a pipe may never say anything.
func untilEnd(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	type result struct {
		raw []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		raw, err := read()
		done <- result{raw, err}
	}()
	select {
	case r := <-done:
		return r.raw, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// notJSON is the error of JSON that is none, or the error itself.
func (a *argument) notJSON(err error) error {
	var wrong *rawjson.SyntaxError
	if !errors.As(err, &wrong) {
		return err
	}
	return &ArgError{Arg: a.word.Source, Problem: err.Error(), Advice: a.key + ":= takes JSON; text is written " + a.key + "=text", Err: err}
}

func (r *argumentReader) field(path []string) (*schema.Field, bool) {
	if r.form == nil {
		return nil, false
	}
	return r.form.At(path...)
}

// typed reads a text by the type of its place.
func (r *argumentReader) typed(a argument, path []string, text string) ([]byte, error) {
	f, ok := r.field(path)
	if !ok {
		return rawjson.Quote(nil, text), nil
	}
	raw, err := f.FromText(text)
	if err != nil {
		return nil, &ArgError{Arg: a.word.Source, Problem: withoutName(err), Advice: a.key + ":=json sends any JSON", Err: err}
	}
	return raw, nil
}

// withoutName is an error without the field's name: the argument names it already.
func withoutName(err error) string {
	var wrong *schema.FieldError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("expected %s, found %s", wrong.Expected, wrong.Found)
	}
	return err.Error()
}
