package schema

import (
	"fmt"

	"parley/client/rawjson"
)

// Build makes the arguments, on one line: the fields' values in the order of the
// schema, then the members of the object extra, which may be nil, unchanged but
// for the space between their parts. A field whose name is not in values is not
// sent, except that a required [Const] is; with the state [Absent] that one is
// not sent either. A field's value goes before a member of extra with the same
// name. Without fields extra may be any JSON, and is the arguments. The error is
// a *[FieldError], or says what is wrong with extra.
func Build(o *Object, values map[string]Value, extra []byte) ([]byte, error) {
	if len(extra) > 0 {
		compact, err := rawjson.Compact(nil, extra)
		if err != nil {
			return nil, fmt.Errorf("the other arguments: %w", err)
		}
		extra = compact
	}
	switch {
	case len(extra) == 0 || rawjson.KindOf(extra) == rawjson.Object:
	case len(o.Fields) == 0:
		return extra, nil
	default:
		return nil, fmt.Errorf("the other arguments: expected an object, found %s", rawjson.KindOf(extra).String())
	}
	out := []byte{'{'}
	member := func(key []byte, raw []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), raw...)
	}
	sent := map[string]bool{}
	for _, f := range o.Fields {
		v, touched := values[f.Name]
		if !touched && f.Type == Const && f.Required && !hasMember(extra, f.Name) {
			v = Value{State: Set}
		}
		raw, err := f.Raw(v)
		if err != nil {
			return nil, err
		}
		if raw != nil {
			sent[f.Name] = true
			member(rawjson.Quote(nil, f.Name), raw)
		}
	}
	if len(extra) > 0 {
		_ = rawjson.Each(extra, func(key string, rawKey, raw []byte) bool {
			if !sent[key] {
				member(rawKey, raw)
			}
			return true
		})
	}
	return append(out, '}'), nil
}

func hasMember(object []byte, name string) bool {
	if len(object) == 0 {
		return false
	}
	_, ok := rawjson.Get(object, name)
	return ok
}

// Split is the inverse of [Build]: it takes arguments apart into the values of
// fields and the object extra, which has what no field can hold: unknown names,
// and values of another type than their field's. extra is nil when there is
// nothing of the kind; without fields it is args, which may then be any JSON. Names that are not there are not in values, but for a
// required [Const], which is there as [Absent] so that Build leaves it out again.
func Split(o *Object, args []byte) (values map[string]Value, extra []byte, err error) {
	if at, reason, ok := rawjson.Valid(args); !ok {
		return nil, nil, fmt.Errorf("not JSON at byte %d: %s", at, reason)
	}
	values = map[string]Value{}
	if rawjson.KindOf(args) != rawjson.Object {
		if len(o.Fields) == 0 {
			return values, args, nil
		}
		return nil, nil, fmt.Errorf("expected an object, found %s", rawjson.KindOf(args).String())
	}
	rest := []byte{'{'}
	err = rawjson.Each(args, func(key string, rawKey, raw []byte) bool {
		if f, ok := o.Field(key); ok {
			if v, ok := f.Parse(raw); ok {
				values[key] = v
				return true
			}
			delete(values, key)
		}
		if len(rest) > 1 {
			rest = append(rest, ',')
		}
		rest = append(append(append(rest, rawKey...), ':'), raw...)
		return true
	})
	if err != nil {
		return nil, nil, err
	}
	if len(rest) > 1 {
		rest = append(rest, '}')
		extra = rest
	}
	for _, f := range o.Fields {
		if _, ok := values[f.Name]; !ok && f.Type == Const && f.Required && !hasMember(extra, f.Name) {
			values[f.Name] = Value{State: Absent}
		}
	}
	return values, extra, nil
}
