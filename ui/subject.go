package ui

import (
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/schema"
	"parley/ui/theme"
)

// subject is an item of the catalogue as the detail shows it: what it is, and
// the form for what it takes.
type subject struct {
	item     item
	raw      []byte
	form     *schema.Object // nil if nothing can be filled in
	template *uritemplate.Template
	problem  string // why the template cannot be expanded
	checks   *schema.Validator
}

// subject reads an item from the catalogue.
func (d *desk) subject(x item) subject {
	s := subject{item: x, raw: d.itemRaw(x)}
	log, state := d.sess.Log, &d.state
	switch x.key.kind {
	case toolItem:
		input := at(d.cat.Tools(log, state), x.index).InputSchema
		s.form, _ = schema.Parse(input)
		if s.form == nil {
			s.form = &schema.Object{Problem: "inputSchema is not JSON", Raw: input}
		}
		s.checks = schema.NewValidator(input)
	case promptItem:
		s.form = promptForm(at(d.cat.Prompts(log, state), x.index))
	case templateItem:
		t, err := uritemplate.New(x.key.name)
		if err != nil {
			s.problem = err.Error()
			break
		}
		s.template = t
		s.form = textForm(t.Varnames(), nil)
	}
	return s
}

// promptForm is the form of a prompt's arguments, which are texts.
func promptForm(p mcp.Prompt) *schema.Object {
	names := make([]string, len(p.Arguments))
	for i, a := range p.Arguments {
		names[i] = a.Name
	}
	return textForm(names, p.Arguments)
}

// textForm makes a form of texts.
func textForm(names []string, about []mcp.PromptArgument) *schema.Object {
	b := []byte(`{"type":"object","properties":{`)
	var required []byte
	for i, n := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = rawjson.Quote(b, n)
		b = append(b, `:{"type":"string"`...)
		if i < len(about) {
			b = append(b, `,"description":`...)
			b = rawjson.Quote(b, about[i].Description)
			if about[i].Title != "" {
				b = append(b, `,"title":`...)
				b = rawjson.Quote(b, about[i].Title)
			}
			if about[i].Required {
				if required != nil {
					required = append(required, ',')
				}
				required = rawjson.Quote(required, n)
			}
		}
		b = append(b, '}')
	}
	b = append(b, `},"required":[`...)
	b = append(append(b, required...), `]}`...)
	o, _ := schema.Parse(b)
	return o
}

// operation is what sending the subject asks for, with its params. The
// arguments are those of the form.
func (s *subject) operation(args []byte) (op operation, params []byte, err error) {
	name := s.item.key.name
	switch s.item.key.kind {
	case toolItem:
		return operation{"tools/call", name}, client.CallParams(name, args), nil
	case promptItem:
		if string(args) == "{}" {
			args = nil
		}
		return operation{"prompts/get", name}, client.PromptParams(name, args), nil
	case templateItem:
		if name, err = s.expand(args); err != nil {
			return op, nil, err
		}
	}
	return operation{"resources/read", name}, client.ReadParams(name), nil
}

// expand fills the template in (RFC 6570).
func (s *subject) expand(args []byte) (string, error) {
	values := uritemplate.Values{}
	err := rawjson.Each(args, func(key string, _, raw []byte) bool {
		if text, ok := rawjson.Unquote(raw); ok {
			values.Set(key, uritemplate.String(text))
		}
		return true
	})
	if err != nil {
		return "", err
	}
	return s.template.Expand(values)
}

// about tells what the item is.
func (d *desk) about(s *subject) *doc {
	out := &doc{st: d.st}
	x := s.item
	row := func(name, value string) {
		if value != "" {
			l := theme.Styled(d.st.Muted, theme.Pad(theme.Text(name), 10))
			l.Add(d.st.Text, theme.Safe(value))
			out.line(l)
		}
	}
	if x.malformed != "" {
		out.text(d.st.Warn, "▲ malformed: "+x.malformed, 0)
	}
	if x.excluded != "" {
		out.text(d.st.Error, "✗ excluded: must not be called over HTTP: "+x.excluded, 0)
		out.add(d.st.Muted, "2026-07-28 leaves such tools out; the server has to mend the schema. ctrl+s twice calls it all the same")
	}
	log, state := d.sess.Log, &d.state
	switch x.key.kind {
	case toolItem:
		t := at(d.cat.Tools(log, state), x.index)
		if t.Title != "" && t.Title != t.Name {
			out.text(d.st.Accent, t.Title, 0)
		}
		out.text(d.st.Text, firstOf(strings.TrimSpace(t.Description), "(no description)"), 0)
		if h := hints(t); h != "" {
			out.add(d.st.Muted, theme.Safe(h))
		}
	case promptItem:
		p := at(d.cat.Prompts(log, state), x.index)
		if p.Title != "" && p.Title != p.Name {
			out.text(d.st.Accent, p.Title, 0)
		}
		out.text(d.st.Text, firstOf(strings.TrimSpace(p.Description), "(no description)"), 0)
	case resourceItem:
		r := at(d.cat.Resources(log, state), x.index)
		row("uri", r.URI)
		row("name", firstOf(r.Title, r.Name))
		row("type", r.MIMEType)
		if r.Size != nil {
			row("size", size(*r.Size))
		}
		if r.Description != "" {
			out.text(d.st.Text, r.Description, 0)
		}
	case templateItem:
		t := at(d.cat.Templates(log, state), x.index)
		row("template", t.URITemplate)
		row("name", firstOf(t.Title, t.Name))
		row("type", t.MIMEType)
		if t.Description != "" {
			out.text(d.st.Text, t.Description, 0)
		}
		if s.problem != "" {
			out.text(d.st.Error, "✗ "+s.problem, 0)
		}
	}
	return out
}

// hints are what the server says a tool does, in its own words' names.
func hints(t mcp.Tool) string {
	var out []string
	say := func(b *bool, yes, no string) {
		switch {
		case b == nil:
		case *b && yes != "":
			out = append(out, yes)
		case !*b && no != "":
			out = append(out, no)
		}
	}
	say(t.ReadOnly, "read-only", "")
	if t.ReadOnly == nil || !*t.ReadOnly {
		say(t.Destructive, "destructive", "not destructive")
	}
	say(t.Idempotent, "idempotent", "")
	say(t.OpenWorld, "open world", "closed world")
	return strings.Join(out, " · ")
}
