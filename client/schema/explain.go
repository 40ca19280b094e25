package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// explain turns the tree of what failed into problems: only its leaves say
// something to people.
func explain(e *jsonschema.ValidationError) []Problem {
	at := pointer(e.InstanceLocation)
	problem := func(path, format string, a ...any) Problem {
		first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		return Problem{Path: path, Field: unescapePointer.Replace(first), Message: fmt.Sprintf(format, a...)}
	}
	inside := func(names []string, format string, a ...any) []Problem {
		var list []Problem
		for _, name := range names {
			list = append(list, problem(at+pointer([]string{name}), format, a...))
		}
		return list
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return inside(k.Missing, "required, but missing")
	case *kind.Dependency:
		return inside(k.Missing, "required when %s is given, but missing", k.Prop)
	case *kind.DependentRequired:
		return inside(k.Missing, "required when %s is given, but missing", k.Prop)
	case *kind.AdditionalProperties:
		return inside(k.Properties, "unknown name, and the schema allows no other names")
	case *kind.PropertyNames:
		return inside([]string{k.Property}, "the schema does not allow this name")
	case *kind.AnyOf:
		return alternatives(e, problem(at, "fits none of what the schema allows here"))
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			return alternatives(e, problem(at, "fits none of what the schema allows here"))
		}
		return []Problem{problem(at, "fits more than one of what the schema allows here, and must fit just one")}
	}
	if len(e.Causes) > 0 {
		var all []Problem
		for _, cause := range e.Causes {
			all = append(all, explain(cause)...)
		}
		return all
	}
	return []Problem{problem(at, "%s", words(e.ErrorKind))}
}

// alternatives explains why none of several schemas fits. Those of another type
// than the value are not what was meant; if one is left, its problems are told.
func alternatives(e *jsonschema.ValidationError, none Problem) []Problem {
	var meant [][]Problem
	var wanted []string
	got := ""
	for _, cause := range e.Causes {
		if k := typeMismatch(cause, e.InstanceLocation); k != nil {
			got = k.Got
			for _, w := range k.Want {
				if !has(wanted, w) {
					wanted = append(wanted, w)
				}
			}
			continue
		}
		meant = append(meant, explain(cause))
	}
	switch {
	case len(meant) == 1:
		return meant[0]
	case len(meant) == 0 && got != "":
		none.Message = words(&kind.Type{Got: got, Want: wanted})
	}
	return []Problem{none}
}

// typeMismatch finds out whether an alternative failed because the value itself
// is of another type.
func typeMismatch(e *jsonschema.ValidationError, at []string) *kind.Type {
	if len(e.InstanceLocation) != len(at) {
		return nil
	}
	if k, ok := e.ErrorKind.(*kind.Type); ok {
		return k
	}
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return nil
	}
	for _, cause := range e.Causes {
		if k := typeMismatch(cause, at); k != nil {
			return k
		}
	}
	return nil
}

// words says what one failed keyword means.
func words(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		var want []string
		for _, w := range k.Want {
			if w != "null" {
				want = append(want, typeWords(w))
			}
		}
		if has(k.Want, "null") { // last, as what is meant less often
			want = append(want, "null")
		}
		return "expected " + orList(want) + ", found " + foundWords(k.Got, k.Want)
	case *kind.Enum:
		want := make([]string, len(k.Want))
		for i, w := range k.Want {
			want[i] = valueWords(w)
		}
		return "expected one of " + few(want) + ", found " + clip(valueWords(k.Got))
	case *kind.Const:
		return "expected " + clip(valueWords(k.Want)) + ", found " + clip(valueWords(k.Got))
	case *kind.Format:
		return clip(valueWords(k.Got)) + " is not of the format " + k.Want
	case *kind.Pattern:
		return clip(valueWords(k.Got)) + " does not match the pattern " + k.Want
	case *kind.Minimum:
		return "expected at least " + decimal(k.Want) + ", found " + decimal(k.Got)
	case *kind.Maximum:
		return "expected at most " + decimal(k.Want) + ", found " + decimal(k.Got)
	case *kind.ExclusiveMinimum:
		return "expected more than " + decimal(k.Want) + ", found " + decimal(k.Got)
	case *kind.ExclusiveMaximum:
		return "expected less than " + decimal(k.Want) + ", found " + decimal(k.Got)
	case *kind.MultipleOf:
		return "expected a multiple of " + decimal(k.Want) + ", found " + decimal(k.Got)
	case *kind.FalseSchema:
		return "the schema allows no value here"
	case *kind.Not:
		return "the schema excludes this value"
	}
	return countWords(k)
}

// countWords says what a failed limit on a number of things means.
func countWords(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return atLeast(k.Want, "character", k.Got)
	case *kind.MaxLength:
		return atMost(k.Want, "character", k.Got)
	case *kind.MinItems:
		return atLeast(k.Want, "item", k.Got)
	case *kind.MaxItems:
		return atMost(k.Want, "item", k.Got)
	case *kind.AdditionalItems:
		return fmt.Sprintf("too many items, the last %d are not allowed", k.Count)
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains:
		return "no item is one that the schema demands"
	case *kind.MinContains:
		return atLeast(k.Want, "item that the schema demands", len(k.Got))
	case *kind.MaxContains:
		return atMost(k.Want, "item that the schema limits", len(k.Got))
	case *kind.MinProperties:
		return atLeast(k.Want, "name", k.Got)
	case *kind.MaxProperties:
		return atMost(k.Want, "name", k.Got)
	}
	return "does not fit the schema (" + strings.Join(k.KeywordPath(), "/") + ")"
}

func atLeast(want int, thing string, got int) string {
	return fmt.Sprintf("expected at least %s, found %d", plural(want, thing), got)
}

func atMost(want int, thing string, got int) string {
	return fmt.Sprintf("expected at most %s, found %d", plural(want, thing), got)
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	first, rest, _ := strings.Cut(thing, " ")
	return strings.TrimSpace(fmt.Sprintf("%d %ss %s", n, first, rest))
}

func typeWords(t string) string {
	if t == "integer" {
		return "a whole number"
	}
	return article(t)
}

// foundWords names the type that was found. The library calls whole numbers
// numbers too, which says little where an integer was expected.
func foundWords(got string, want []string) string {
	if got == "number" && has(want, "integer") {
		return "a number that is not whole"
	}
	return article(got)
}

// valueWords shows a value: a string's text, anything else as JSON.
func valueWords(v any) string {
	if s, ok := v.(string); ok && s != "" {
		return s
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// decimal spells a number of a schema or a message exactly.
func decimal(r *big.Rat) string {
	if n, exact := r.FloatPrec(); exact {
		return r.FloatString(n)
	}
	return r.RatString()
}

func pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteByte('/')
		b.WriteString(escapePointer.Replace(name))
	}
	return b.String()
}

// explainSchema says why the schema raw cannot be used.
func explainSchema(raw []byte, err error) string {
	var outside *jsonschema.LoadURLError
	var mismatch *jsonschema.SchemaValidationError
	switch {
	case errors.As(err, &outside) && outside.URL == strings.TrimSuffix(newNode(raw).text("$schema"), "#"):
		return "the schema is of a dialect that is not supported: " + outside.URL
	case errors.As(err, &outside):
		return "the schema refers to another document, which is not loaded: " + outside.URL
	case errors.As(err, &mismatch):
		var failure *jsonschema.ValidationError
		if errors.As(mismatch.Err, &failure) {
			if problems := explain(failure); len(problems) > 0 {
				return "the schema itself is wrong: " + problems[0].String()
			}
		}
	}
	return "the schema cannot be used: " + err.Error()
}
