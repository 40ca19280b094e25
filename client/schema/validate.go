package schema

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"parley/client/rawjson"
)

// Problem is one thing in JSON that its schema does not allow.
type Problem struct {
	Path    string // where: a JSON pointer, empty for all of it
	Field   string // the first name of Path
	Message string // in words: "expected a number, found a string"
	Schema  bool   // it is the schema that is wrong, and nothing was checked
}

// String is the message with the place before it, "latitude: expected a number,
// found a string", or "tags[0].name: …" for one further inside.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	var place strings.Builder
	for i, name := range strings.Split(p.Path, "/")[1:] {
		name = unescapePointer.Replace(name)
		switch {
		case i > 0 && strings.Trim(name, "0123456789") == "":
			place.WriteString("[" + name + "]")
		case i > 0:
			place.WriteString("." + name)
		default:
			place.WriteString(name)
		}
	}
	return place.String() + ": " + p.Message
}

var (
	escapePointer   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
)

// Validate tells what in args the schema does not allow, sorted by place; nil
// args are an empty object. The dialect is the one that the schema names, else
// 2020-12. A reference to another document is never followed. A schema that
// cannot be used gives one Problem with Schema set.
func Validate(schema, args []byte) []Problem { return NewValidator(schema).Validate(args) }

// Validator checks JSON against one schema, which is compiled when it is first
// needed. It may be used by several goroutines.
type Validator struct {
	raw      []byte
	once     sync.Once
	compiled *jsonschema.Schema
	problem  string
}

// NewValidator returns a validator for a schema. It compiles nothing yet.
func NewValidator(schema []byte) *Validator { return &Validator{raw: schema} }

// Validate is the function [Validate] for the validator's schema.
func (v *Validator) Validate(args []byte) (problems []Problem) {
	defer func() {
		// the library does not expect numbers with exponents beyond a million
		if r := recover(); r != nil {
			problems = []Problem{{Message: fmt.Sprintf("could not be checked: %v", r)}}
		}
	}()
	v.once.Do(v.compile)
	if v.problem != "" {
		return []Problem{{Message: v.problem, Schema: true}}
	}
	if len(args) == 0 {
		args = []byte("{}")
	}
	if at, reason, ok := rawjson.Valid(args); !ok {
		return []Problem{{Message: fmt.Sprintf("not JSON at byte %d: %s", at, reason)}}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(args))
	if err != nil {
		return []Problem{{Message: err.Error()}}
	}
	var failure *jsonschema.ValidationError
	switch err := v.compiled.Validate(value); {
	case err == nil:
		return nil
	case !errors.As(err, &failure):
		return []Problem{{Message: err.Error()}}
	}
	problems = explain(failure)
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return strings.Compare(a.Path+"\x00"+a.Message, b.Path+"\x00"+b.Message)
	})
	return slices.Compact(problems)
}

// base is the address that local references are relative to. Nothing is there.
const base = "parley://schema/"

func (v *Validator) compile() {
	switch kind := rawjson.KindOf(v.raw); {
	case len(v.raw) == 0:
		v.problem = "there is no schema to check against"
		return
	case kind != rawjson.Object && kind != rawjson.Bool:
		v.problem = "the schema is " + rawjson.KindOf(v.raw).String() + ": nothing was checked"
		return
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(v.raw))
	if err != nil {
		v.problem = "the schema is not JSON: " + err.Error()
		return
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(compilePattern)
	if err := c.AddResource(base, document); err != nil {
		v.problem = explainSchema(v.raw, err)
		return
	}
	if v.compiled, err = c.Compile(base); err != nil {
		v.problem = explainSchema(v.raw, err)
	}
}

// noLoader refuses to load other documents. The dialects come with the library
// and are not loaded.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// compilePattern compiles the pattern of a schema. Patterns are ECMAScript, and
// what Go cannot compile of that, like looking ahead, is not checked: refusing
// arguments that the server may take would be worse.
func compilePattern(pattern string) (jsonschema.Regexp, error) {
	if re, err := regexp.Compile(pattern); err == nil {
		return re, nil
	}
	return anyPattern(pattern), nil
}

type anyPattern string

func (anyPattern) MatchString(string) bool { return true }
func (p anyPattern) String() string        { return string(p) }
