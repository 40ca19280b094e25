package config

import (
	"slices"
	"strings"
)

// Input is a value that an editor asks its user for: an entry of "inputs" in a
// file of VS Code (code.visualstudio.com/docs/reference/variables-reference).
type Input struct {
	ID          string
	Type        string // promptString, pickString or command
	Description string
	Default     string
	Options     []string // of pickString
	Secret      bool     // not to be shown while it is typed
}

// Ask gets a person's answer to an input.
type Ask func(Input) (string, error)

// Variable is the environment variable that answers the input unasked.
func (i Input) Variable() string { return variableName(i.ID) }

// inputs reads what is there; an entry that is not understood is left out, as
// it is an error only where it is used.
func (r *reader) inputs(n *node) {
	if n == nil {
		return
	}
	for _, item := range n.items {
		in := Input{ID: item.word("id"), Type: item.word("type"), Description: item.word("description"), Default: item.word("default")}
		if p := item.get("password"); p != nil {
			in.Secret = p.text == "true"
		}
		if o := item.get("options"); o != nil {
			for _, option := range o.items {
				switch {
				case option.kind == '"':
					in.Options = append(in.Options, option.text)
				case option.get("value") != nil:
					in.Options = append(in.Options, option.word("value"))
				}
			}
		}
		if in.ID != "" {
			r.file.Inputs = append(r.file.Inputs, in)
		}
	}
}

// word is a member's text, "" when it has none.
func (n *node) word(key string) string {
	if v := n.get(key); v != nil && v.kind == '"' {
		return v.text
	}
	return ""
}

// input answers ${input:id}: by a variable, by the default, by asking, once.
func (x *expansion) input(id string) (string, bool) {
	if v, ok := x.answers[id]; ok {
		return v, true
	}
	in := Input{ID: id}
	if f := x.server.file; f != nil {
		if i := slices.IndexFunc(f.Inputs, func(in Input) bool { return in.ID == id }); i >= 0 {
			in = f.Inputs[i]
		}
	}
	if v, ok := x.lookup(in.Variable()); ok {
		return v, true
	}
	if in.Default != "" {
		return in.Default, true
	}
	if x.ask == nil || x.first != nil || strings.EqualFold(in.Type, "command") {
		return "", false // a command is one of the editor's
	}
	v, err := x.ask(in)
	if err != nil {
		x.first = err
		return "", true
	}
	x.answers[id] = v
	return v, true
}
