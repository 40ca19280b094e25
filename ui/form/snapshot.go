package form

import (
	"maps"

	"parley/client/schema"
)

// Snapshot is what was entered, to be kept beyond the form: the values by name,
// also those that are not valid, and the text of the row for everything else.
// It can be written as JSON.
type Snapshot struct {
	Values  map[string]schema.Value `json:"values,omitempty"`
	Other   string                  `json:"other,omitempty"`
	Current string                  `json:"current,omitempty"`
}

// Snapshot returns what was entered.
func (f *Form) Snapshot() Snapshot {
	values, extra := f.values()
	for name, v := range f.lost {
		if _, taken := values[name]; !taken {
			values[name] = v
		}
	}
	return Snapshot{Values: values, Other: string(extra), Current: f.Current()}
}

// Restore puts back what was entered, into this form or that of a schema that
// changed. Values of fields that are no more stay in the next snapshot.
func (f *Form) Restore(s Snapshot) {
	f.lost = maps.Clone(s.Values)
	for _, field := range f.object.Fields {
		delete(f.lost, field.Name)
	}
	f.fill(s.Values, s.Other)
	f.Goto(s.Current)
}

// Reset makes every field absent.
func (f *Form) Reset() {
	f.lost, f.checked = nil, false
	f.fill(nil, "")
}
