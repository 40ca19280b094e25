package script

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"parley/client/rawjson"
	"parley/client/schema"
)

// tree is a value that arguments put together: JSON, an object or an array.
type tree struct {
	raw     []byte           // of a leaf
	members map[string]*tree // of an object, and of an array by decimal index
	order   []string         // of the members, as given
	array   bool
}

// keyPath takes a.b[0] apart into its steps; "[]" is the next element. It reports
// false for a key that is only a name.
func keyPath(key string) (steps []string, ok bool) {
	end := strings.IndexAny(key, ".[")
	if end <= 0 {
		return nil, false
	}
	steps = []string{key[:end]}
	for rest := key[end:]; rest != ""; {
		var step string
		if rest[0] == '.' {
			step, rest = cutAny(rest[1:])
			if step == "" || strings.Contains(step, "]") {
				return nil, false
			}
			steps = append(steps, step)
			continue
		}
		step, rest, ok = strings.Cut(rest[1:], "]")
		if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' || !isIndex(step) {
			return nil, false
		}
		steps = append(steps, "["+step+"]")
	}
	return steps, true
}

// cutAny cuts a text before the next step of a path.
func cutAny(s string) (step, rest string) {
	if end := strings.IndexAny(s, ".["); end >= 0 {
		return s[:end], s[end:]
	}
	return s, ""
}

// isIndex reports whether a step in brackets is an index, or empty for the next.
func isIndex(s string) bool {
	return s == "" || strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0') && len(s) < 10
}

// reach gives the place at the end of steps, which must be free, and its path for
// the schema. What leads there is made.
func (t *tree) reach(steps []string) (at *tree, path []string, err error) {
	at = t
	for i, step := range steps {
		index, array := strings.CutPrefix(step, "[")
		name := step
		if array && i > 0 {
			if name = strings.TrimSuffix(index, "]"); name == "" {
				name = strconv.Itoa(len(at.members))
			}
		}
		switch {
		case at.raw != nil:
			return nil, nil, errors.New(plainPlace(steps[:i]) + " has a value already")
		case at.members != nil && at.array != (array && i > 0):
			return nil, nil, errors.New(plainPlace(steps[:i]) + " is an array and an object")
		case at.members == nil:
			at.members, at.array = map[string]*tree{}, array && i > 0
		}
		next := at.members[name]
		if next == nil {
			next = &tree{}
			at.members[name], at.order = next, append(at.order, name)
		}
		at, path = next, append(path, name)
	}
	if at.raw != nil || at.members != nil {
		return nil, nil, errors.New("given twice")
	}
	return at, path, nil
}

// plainPlace names a place as it is typed.
func plainPlace(steps []string) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 && s[0] != '[' {
			b.WriteByte('.')
		}
		b.WriteString(s)
	}
	return b.String()
}

// gap names an element that is missing between others.
func (t *tree) gap(place string) error {
	for i, name := range t.order {
		inside := place + "." + name
		if t.array {
			inside = place + "[" + name + "]"
			if t.members[strconv.Itoa(i)] == nil {
				return fmt.Errorf("%s[%d] is missing", place, i)
			}
		}
		if err := t.members[name].gap(inside); err != nil {
			return err
		}
	}
	return nil
}

// arguments writes the object, its members in the order of the schema, then the
// others as typed.
func (t *tree) arguments(form *schema.Object) []byte {
	if form != nil {
		at := map[string]int{}
		for i, f := range form.Fields {
			at[f.Name] = i - len(form.Fields)
		}
		sort.SliceStable(t.order, func(i, j int) bool { return at[t.order[i]] < at[t.order[j]] })
	}
	return t.append(nil)
}

func (t *tree) append(b []byte) []byte {
	switch {
	case t.raw != nil:
		return append(b, t.raw...)
	case t.array:
		b = append(b, '[')
		for i := range t.order {
			if i > 0 {
				b = append(b, ',')
			}
			b = t.members[strconv.Itoa(i)].append(b)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i, name := range t.order {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(rawjson.Quote(b, name), ':')
		b = t.members[name].append(b)
	}
	return append(b, '}')
}
