package config

import (
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// root reads the whole file. Its errors concern the file as a whole.
func (s *source) root(file *File, v *hujson.Value) error {
	root, err := s.object(v, "")
	if err != nil {
		return err
	}
	for i := range root.Members {
		m := &root.Members[i]
		switch key := name(m); key {
		case "mcpServers", "servers", "mcp.servers":
			err = s.servers(file, &m.Value, key)
		case "mcp":
			err = s.nested(file, &m.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nested reads "mcp": {"servers": …}, as editors have it in their settings.
func (s *source) nested(file *File, v *hujson.Value) error {
	mcp, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range mcp.Members {
		if m := &mcp.Members[i]; name(m) == "servers" {
			if err := s.servers(file, &m.Value, "mcp.servers"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *source) servers(file *File, v *hujson.Value, key string) error {
	all, err := s.object(v, key)
	if err != nil {
		return err
	}
	for i := range all.Members {
		m := &all.Members[i]
		server := Server{Name: name(m), File: s.path}
		server.Line, _ = s.position(m.Name.StartOffset)
		if err := s.server(&server, &m.Value, key+"."+server.Name); err != nil {
			server.err = err
		}
		file.Servers = slices.DeleteFunc(file.Servers, func(o Server) bool { return o.Name == server.Name })
		file.Servers = append(file.Servers, server)
	}
	return nil
}

// server reads one entry and returns the first thing that is wrong with it,
// having read everything else.
func (s *source) server(out *Server, v *hujson.Value, key string) error {
	entry, err := s.object(v, key)
	if err != nil {
		return err
	}
	var first error
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}
	for i := range entry.Members {
		m := &entry.Members[i]
		if isNull(&m.Value) {
			continue // the same as absent: some programs write every key
		}
		at := key + "." + name(m)
		switch name(m) {
		case "command":
			keep(s.text(&out.Command, &m.Value, at))
		case "args":
			keep(s.texts(&out.Args, &m.Value, at))
		case "env":
			keep(s.table(&out.Env, &m.Value, at))
		case "cwd":
			keep(s.text(&out.Dir, &m.Value, at))
		case "url", "serverUrl", "httpUrl":
			keep(s.text(&out.URL, &m.Value, at))
		case "type", "transport":
			keep(s.text(&out.Type, &m.Value, at))
		case "headers":
			keep(s.table(&out.Headers, &m.Value, at))
		case "disabled":
			keep(s.boolean(&out.Disabled, &m.Value, at))
		}
	}
	if first == nil && out.Command == "" && out.URL == "" {
		first = s.errorAt(v.StartOffset, key, `"command" or "url"`, "neither")
	}
	return first
}

func name(m *hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

func isNull(v *hujson.Value) bool { return v.Value.Kind() == 'n' }

func (s *source) object(v *hujson.Value, key string) (*hujson.Object, error) {
	if o, ok := v.Value.(*hujson.Object); ok {
		return o, nil
	}
	return nil, s.errorAt(v.StartOffset, key, "an object", kind(v.Value))
}

func (s *source) text(out *string, v *hujson.Value, key string) error {
	if v.Value.Kind() != '"' {
		return s.errorAt(v.StartOffset, key, "a string", kind(v.Value))
	}
	*out = v.Value.(hujson.Literal).String()
	return nil
}

func (s *source) boolean(out *bool, v *hujson.Value, key string) error {
	if k := v.Value.Kind(); k != 't' && k != 'f' {
		return s.errorAt(v.StartOffset, key, "true or false", kind(v.Value))
	}
	*out = v.Value.(hujson.Literal).Bool()
	return nil
}

func (s *source) texts(out *[]string, v *hujson.Value, key string) error {
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		return s.errorAt(v.StartOffset, key, "an array of strings", kind(v.Value))
	}
	*out = make([]string, len(list.Elements))
	for i := range list.Elements {
		if err := s.text(&(*out)[i], &list.Elements[i], key+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	return nil
}

func (s *source) table(out *map[string]string, v *hujson.Value, key string) error {
	o, err := s.object(v, key)
	if err != nil {
		return err
	}
	*out = make(map[string]string, len(o.Members))
	for i := range o.Members {
		m := &o.Members[i]
		var text string
		if err := s.text(&text, &m.Value, key+"."+name(m)); err != nil {
			return err
		}
		(*out)[name(m)] = text
	}
	return nil
}
