package config

import (
	"slices"
	"strconv"
	"strings"
)

// reader reads the servers of one file. What it understands is the union of
// what programs write; where two of them mean different things by one key, the
// key above it decides (see [styles]).
type reader struct {
	*source
	file *File
}

// style is how the entries below a key are written, beyond what is common.
type style struct {
	commandArray  bool // "command" may be an array with the arguments: opencode, Crush
	commandObject bool // "command" may be {"path", "args", "env"}: Zed, before 2025
	list          bool // an array of entries that have a "name": Continue
	extensions    bool // entries that are no MCP servers stand between them: Goose
}

// styles are the keys below which programs keep servers. A file of a known
// program is searched for its own keys only.
var styles = map[string]style{
	"mcpServers":      {list: true},          // most
	"servers":         {},                    // VS Code's mcp.json, Visual Studio
	"mcp.servers":     {},                    // VS Code's settings.json, and mcp: {servers}
	"mcp":             {commandArray: true},  // opencode, Crush
	"context_servers": {commandObject: true}, // Zed
	"mcp_servers":     {},                    // Codex
	"extensions":      {extensions: true},    // Goose
}

// root reads the whole file. Its errors concern the file as a whole.
func (r *reader) root(n *node, keys []string) error {
	if n.kind == 'n' && n.loose {
		return nil // an empty YAML file
	}
	if err := r.object(n, ""); err != nil {
		return err
	}
	r.inputs(n.get("inputs"))
	for _, m := range n.members {
		_, known := styles[m.key]
		if !known || len(keys) > 0 && !slices.Contains(keys, m.key) || m.value.kind == 'n' {
			continue
		}
		if m.key == "extensions" && !n.loose && len(keys) == 0 {
			continue // only Goose, whose file is YAML, means servers by it
		}
		var err error
		if m.key == "mcp" {
			err = r.mcp(m.value)
		} else {
			err = r.servers(m.value, m.key)
		}
		if err != nil {
			return err
		}
	}
	r.filter(n.get("mcp"))
	return nil
}

// mcp reads what is below "mcp": {"servers": …} in an editor's settings, else
// the servers themselves. Other programs keep other things there.
func (r *reader) mcp(n *node) error {
	if n.kind != '{' {
		return nil
	}
	if servers := n.get("servers"); servers != nil {
		r.inputs(n.get("inputs"))
		return r.servers(servers, "mcp.servers")
	}
	found := &node{kind: '{', at: n.at}
	for _, m := range n.members {
		if m.value.get("command") != nil || m.value.get("url") != nil || m.value.get("type") != nil {
			found.members = append(found.members, m)
		}
	}
	return r.servers(found, "mcp")
}

// filter applies "mcp": {"allowed", "excluded"} of Gemini and its kin: names of
// the servers that are used, or not.
func (r *reader) filter(n *node) {
	var allowed, excluded []string
	if a := n.get("allowed"); a == nil || r.texts(&allowed, a, "") != nil {
		allowed = nil
	}
	if x := n.get("excluded"); x == nil || r.texts(&excluded, x, "") != nil {
		excluded = nil
	}
	for i := range r.file.Servers {
		s := &r.file.Servers[i]
		if len(allowed) > 0 && !slices.Contains(allowed, s.Name) || slices.Contains(excluded, s.Name) {
			s.Disabled = true
		}
	}
}

func (r *reader) servers(n *node, key string) error {
	st := styles[key]
	if st.list && n.kind == '[' && n.loose {
		r.listed(n, key, st)
		return nil
	}
	if err := r.object(n, key); err != nil {
		return err
	}
	for _, m := range n.members {
		if st.extensions && !isExtension(m.value) {
			continue
		}
		r.add(m.key, m.at, m.value, key+"."+m.key, st)
	}
	return nil
}

// listed reads an array of entries that have their names inside.
func (r *reader) listed(n *node, key string, st style) {
	for i, item := range n.items {
		at := key + "[" + strconv.Itoa(i) + "]"
		name := item.get("name")
		if name == nil || name.text == "" {
			if item.get("uses") == nil { // a reference to something that is elsewhere
				r.add(at, item.at, &node{kind: 'n', at: item.at}, at, st)
			}
			continue
		}
		r.add(name.text, item.at, item, at, st)
	}
}

// isExtension tells an MCP server from Goose's other extensions, which are part
// of Goose.
func isExtension(n *node) bool {
	kind := n.get("type")
	if kind == nil {
		return n.get("cmd") != nil || n.get("uri") != nil
	}
	return kind.text == "stdio" || kind.text == "sse" || kind.text == "streamable_http"
}

// add reads one entry. A name that the file has already is replaced.
func (r *reader) add(name string, at spot, n *node, key string, st style) {
	server := Server{Name: name, Program: r.file.Program, File: r.path, file: r.file}
	server.Line, server.Col = r.position(at)
	if err := r.server(&server, n, key, st); err != nil {
		server.err = err
	}
	if other, twice := r.file.Lookup(name); twice {
		server.Instead = other.Line
		r.file.Servers = slices.DeleteFunc(r.file.Servers, func(o Server) bool { return o.Name == name })
	}
	r.file.Servers = append(r.file.Servers, server)
}

// server reads one entry and returns the first thing that is wrong with it,
// having read everything else.
func (r *reader) server(out *Server, n *node, key string, st style) error {
	if err := r.object(n, key); err != nil {
		return err
	}
	var first error
	for _, m := range n.members {
		if m.value.kind == 'n' {
			continue // the same as absent: some programs write every key
		}
		if err := r.field(out, m, key+"."+m.key, st); err != nil && first == nil {
			first = err
		}
	}
	if first == nil && out.Command == "" && out.URL == "" {
		found := "neither"
		if n.get("settings") != nil || n.get("source") != nil {
			found = "the settings of an extension that brings its own"
		}
		first = r.errorAt(n.at, key, `"command" or "url"`, found)
	}
	return first
}

func (r *reader) field(out *Server, m member, at string, st style) error {
	switch m.key {
	case "command", "cmd":
		return r.command(out, m.value, at, st)
	case "args":
		return r.texts(&out.Args, m.value, at)
	case "env", "envs", "environment":
		return r.table(&out.Env, m.value, at, nil)
	case "cwd":
		return r.text(&out.Dir, m.value, at)
	case "envFile":
		return r.text(&out.EnvFile, m.value, at)
	case "url", "serverUrl", "httpUrl", "uri":
		return r.text(&out.URL, m.value, at)
	case "type", "transport":
		return r.text(&out.Type, m.value, at)
	case "headers", "http_headers":
		return r.table(&out.Headers, m.value, at, nil)
	case "requestOptions":
		if headers := m.value.get("headers"); headers != nil {
			return r.table(&out.Headers, headers, at+".headers", nil)
		}
	case "protocol":
		if r.file.Program == "" || r.file.Own { // another program means something else by it
			return r.text(&out.Protocol, m.value, at)
		}
		return nil
	case "disabled":
		return r.boolean(&out.Disabled, m.value, at)
	case "enabled":
		enabled := true
		err := r.boolean(&enabled, m.value, at)
		out.Disabled = out.Disabled || !enabled
		return err
	}
	return r.byName(out, m, at)
}

// byName reads the keys that give the names of environment variables where
// others have ${NAME}: Codex, and Goose's env_keys.
func (r *reader) byName(out *Server, m member, at string) error {
	reference := func(name string) string { return "${" + name + "}" }
	switch m.key {
	case "env_vars":
		return r.texts(&out.pass, m.value, at)
	case "env_keys":
		var names []string
		if err := r.texts(&names, m.value, at); err != nil {
			return err
		}
		for _, name := range names {
			if _, given := out.Env[name]; !given {
				put(&out.Env, name, reference(name))
			}
		}
	case "env_http_headers":
		return r.table(&out.Headers, m.value, at, reference)
	case "bearer_token_env_var":
		var name string
		if err := r.text(&name, m.value, at); err != nil {
			return err
		}
		put(&out.Headers, "Authorization", "Bearer "+reference(name))
	}
	return nil
}

func (r *reader) command(out *Server, n *node, at string, st style) error {
	switch {
	case n.kind == '[' && st.commandArray:
		var words []string
		if err := r.texts(&words, n, at); err != nil {
			return err
		}
		if len(words) == 0 {
			return r.errorAt(n.at, at, "the program and its arguments", "an empty array")
		}
		out.Command, out.Args = words[0], append(words[1:len(words):len(words)], out.Args...)
		return nil
	case n.kind == '{' && st.commandObject:
		for _, m := range n.members {
			var err error
			switch m.key {
			case "path":
				err = r.text(&out.Command, m.value, at+".path")
			case "args":
				err = r.texts(&out.Args, m.value, at+".args")
			case "env":
				if m.value.kind != 'n' {
					err = r.table(&out.Env, m.value, at+".env", nil)
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return r.text(&out.Command, n, at)
}

func (r *reader) object(n *node, key string) error {
	if n.kind == '{' {
		return nil
	}
	return r.errorAt(n.at, key, "an object", kindName(n))
}

func (r *reader) text(out *string, n *node, key string) error {
	if n.kind != '"' && !(n.loose && strings.IndexByte("0t", n.kind) >= 0) {
		return r.errorAt(n.at, key, "a string", kindName(n))
	}
	*out = n.text
	return nil
}

func (r *reader) boolean(out *bool, n *node, key string) error {
	if n.kind != 't' {
		return r.errorAt(n.at, key, "true or false", kindName(n))
	}
	*out = n.text == "true"
	return nil
}

func (r *reader) texts(out *[]string, n *node, key string) error {
	if n.kind != '[' {
		return r.errorAt(n.at, key, "an array of strings", kindName(n))
	}
	*out = make([]string, len(n.items))
	for i, item := range n.items {
		if err := r.text(&(*out)[i], item, key+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	return nil
}

// table reads an object of strings, each changed by with, into what is there.
func (r *reader) table(out *map[string]string, n *node, key string, with func(string) string) error {
	if err := r.object(n, key); err != nil {
		return err
	}
	if *out == nil {
		*out = make(map[string]string, len(n.members))
	}
	for _, m := range n.members {
		var text string
		if err := r.text(&text, m.value, key+"."+m.key); err != nil {
			return err
		}
		if with != nil {
			text = with(text)
		}
		(*out)[m.key] = text
	}
	return nil
}

func put(table *map[string]string, key, value string) {
	if *table == nil {
		*table = map[string]string{}
	}
	(*table)[key] = value
}
