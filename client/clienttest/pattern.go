package clienttest

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// pattern is a JSON value that may have * for any value and ... for further
// members of an object.
type pattern struct {
	text string
	want any
}

// What stands for * and ... in the decoded pattern: strings that no sensible
// pattern asks for.
const (
	anyValue    = "\x00*"
	moreMembers = "\x00..."
)

func parsePattern(text string) (pattern, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			n := stringLength(text[i:])
			b.WriteString(text[i : i+n])
			i += n - 1
		case text[i] == '*':
			b.WriteString(`"\u0000*"`)
		case strings.HasPrefix(text[i:], "..."):
			b.WriteString(`"\u0000...":0`)
			i += 2
		default:
			b.WriteByte(text[i])
		}
	}
	want, err := decode(b.String())
	if err != nil {
		return pattern{}, fmt.Errorf("%w in %s", err, text)
	}
	return pattern{text, want}, nil
}

// stringLength is the length of the JSON string that text begins with.
func stringLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func decode(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, fmt.Errorf("more than one JSON value")
	}
	return v, nil
}

// match says what of line is not as the pattern wants it.
func (p pattern) match(line []byte) error {
	got, err := decode(string(line))
	if err != nil {
		return fmt.Errorf("expected JSON: %w", err)
	}
	return compare("", p.want, got)
}

// compare reports the first difference; path is a JSON pointer.
func compare(path string, want, got any) error {
	if want == anyValue {
		return nil
	}
	different := fmt.Errorf("expected %s at %q, found %s", show(want), path, show(got))
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			return different
		}
		return compareObjects(path, want, got)
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return different
		}
		for i := range want {
			if err := compare(fmt.Sprintf("%s/%d", path, i), want[i], got[i]); err != nil {
				return err
			}
		}
		return nil
	case json.Number:
		if got, ok := got.(json.Number); ok && sameNumber(want.String(), got.String()) {
			return nil
		}
		return different
	default:
		if want != got {
			return different
		}
		return nil
	}
}

func compareObjects(path string, want, got map[string]any) error {
	_, more := want[moreMembers]
	for k, w := range want {
		if k == moreMembers {
			continue
		}
		g, ok := got[k]
		if !ok {
			return fmt.Errorf("expected a member %s at %q", k, path)
		}
		if err := compare(path+"/"+k, w, g); err != nil {
			return err
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok && !more {
			return fmt.Errorf("found a member %s at %q", k, path)
		}
	}
	return nil
}

func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

func show(v any) string {
	if v == anyValue {
		return "*"
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}
