package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley/client/rawjson"
)

// Filter says what a subscription is to hear of (spec: 2026-07-28,
// basic/patterns/subscriptions). TaskIDs belong to the tasks extension.
type Filter struct {
	Tools, Prompts, Resources bool // that these lists changed
	URIs                      []string
	TaskIDs                   []string
}

// IsZero reports whether the filter lets nothing through.
func (f Filter) IsZero() bool {
	return !f.Tools && !f.Prompts && !f.Resources && len(f.URIs) == 0 && len(f.TaskIDs) == 0
}

// MarshalJSON gives the object as subscriptions/listen has it; what is not asked for
// is left out.
func (f Filter) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	add := func(key string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(rawjson.Quote(b, key), ':')
	}
	for _, list := range []struct {
		key string
		on  bool
	}{{"toolsListChanged", f.Tools}, {"promptsListChanged", f.Prompts}, {"resourcesListChanged", f.Resources}} {
		if list.on {
			add(list.key)
			b = append(b, "true"...)
		}
	}
	for _, of := range []struct {
		key  string
		list []string
	}{{"resourceSubscriptions", f.URIs}, {"taskIds", f.TaskIDs}} {
		if len(of.list) == 0 {
			continue
		}
		add(of.key)
		for i, s := range of.list {
			b = append(b, "[,"[min(i, 1)])
			b = rawjson.Quote(b, s)
		}
		b = append(b, ']')
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads what [DecodeFilter] reads; what cannot be read is left out.
func (f *Filter) UnmarshalJSON(raw []byte) error {
	*f, _ = DecodeFilter(raw)
	return nil
}

// DecodeFilter reads a filter, asked for or granted, and says what is wrong with it.
func DecodeFilter(raw json.RawMessage) (f Filter, problem string) {
	r := newReader("notifications")
	on := func(key string, raw []byte) bool {
		b := r.boolean(key, raw)
		return b != nil && *b
	}
	texts := func(key string, raw []byte) (list []string) {
		r.elements(key, raw, func(raw []byte) {
			if rawjson.KindOf(raw) == rawjson.String {
				list = append(list, r.text(key, raw))
				return
			}
			r.want("a member of "+key, raw, rawjson.String)
		})
		return list
	}
	r.object(raw, func(key string, raw []byte) {
		switch key {
		case "toolsListChanged":
			f.Tools = on(key, raw)
		case "promptsListChanged":
			f.Prompts = on(key, raw)
		case "resourcesListChanged":
			f.Resources = on(key, raw)
		case "resourceSubscriptions":
			f.URIs = texts(key, raw)
		case "taskIds":
			f.TaskIDs = texts(key, raw)
		}
	})
	return f, r.problem()
}

// Without gives what f lets through and other does not.
func (f Filter) Without(other Filter) Filter {
	return Filter{
		Tools:     f.Tools && !other.Tools,
		Prompts:   f.Prompts && !other.Prompts,
		Resources: f.Resources && !other.Resources,
		URIs:      missing(f.URIs, other.URIs),
		TaskIDs:   missing(f.TaskIDs, other.TaskIDs),
	}
}

func missing(list, from []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(from, s) {
			out = append(out, s)
		}
	}
	return out
}

// String says for people what the filter lets through: "changes of tools, updates of
// file:///a".
func (f Filter) String() string {
	var parts []string
	for _, list := range []struct {
		name string
		on   bool
	}{{"tools", f.Tools}, {"prompts", f.Prompts}, {"resources", f.Resources}} {
		if list.on {
			parts = append(parts, list.name)
		}
	}
	if len(parts) > 0 {
		parts = []string{"changes of " + strings.Join(parts, ", ")}
	}
	for _, of := range []struct {
		name string
		list []string
	}{{"updates of", f.URIs}, {"tasks", f.TaskIDs}} {
		switch n := len(of.list); {
		case n > 3:
			parts = append(parts, fmt.Sprintf("%s %s and %d more", of.name, strings.Join(of.list[:3], ", "), n-3))
		case n > 0:
			parts = append(parts, of.name+" "+strings.Join(of.list, ", "))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}
