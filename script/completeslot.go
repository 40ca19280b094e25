package script

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/client/mcp"
	"parley/client/schema"
)

// slot completes a word by what it names; words are those before it.
func (c *completer) slot(cmd *Command, kind SlotKind, words []fragment, w fragment) {
	switch kind {
	case SettingName:
		for _, s := range AllSettings() {
			c.offer(w.text, s.Name, s.Name, s.Short)
		}
	case SettingValue:
		if s, ok := setting(words[0].text); ok {
			for _, v := range s.Values {
				c.offer(w.text, v, v, "")
			}
		}
	case FileName:
		c.files(w.text)
	case MethodName:
		c.methods(cmd, w.text)
	case CommandName:
		for _, cmd := range append(Commands(), topics...) {
			c.offer(w.text, cmd.Name, cmd.Name, cmd.Short)
		}
	default:
		if c.src != nil {
			c.named(cmd, kind, words, w)
		}
	}
}

// named completes a word by what the server has and what is configured.
func (c *completer) named(cmd *Command, kind SlotKind, words []fragment, w fragment) {
	switch kind {
	case ToolName:
		for _, t := range c.src.Tools() {
			c.word(w.text, t.Name, firstLine(t.Title, t.Description))
		}
	case PromptName:
		c.prompts(w.text)
	case Reference:
		c.prompts(w.text)
		for _, t := range c.src.Templates() {
			c.word(w.text, t.URITemplate, firstLine(t.Label(), t.Description))
		}
	case ListenWord:
		for _, name := range listenNames {
			c.offer(w.text, name, name, "")
		}
		c.resources(others(words), w.text)
	case SubscribedURI:
		c.subscribed(others(words), w.text)
	case ResourceURI:
		if cmd.Name == "subscribe" { // a template's URI is not whole
			c.resources(others(words), w.text)
			return
		}
		for _, r := range c.src.Resources() {
			c.word(w.text, r.URI, firstLine(r.Label(), r.Description))
		}
		for _, t := range c.src.Templates() {
			text, _, _ := strings.Cut(t.URITemplate, "{")
			if text == "" {
				continue
			}
			c.offer(w.text, text, t.URITemplate, firstLine(t.Label(), t.Description))
		}
	case ArgumentName:
		for name, info := range c.parameters(unquoted(words[0].text)) {
			c.word(w.text, name, info)
		}
	case ArgumentWord:
		c.argument(cmd, words, w)
	case TargetWord:
		if len(words) == 0 {
			for _, name := range c.src.Servers() {
				c.word(w.text, name, "")
			}
		}
	}
}

// others are the texts of the words that stand there already.
func others(words []fragment) map[string]bool {
	given := map[string]bool{}
	for _, w := range words {
		given[unquoted(w.text)] = true
	}
	return given
}

// resources offers the URIs of resources but for those given.
func (c *completer) resources(given map[string]bool, typed string) {
	for _, r := range c.src.Resources() {
		if !given[r.URI] {
			c.word(typed, r.URI, firstLine(r.Label(), r.Description))
		}
	}
}

// subscribed offers what was subscribed to, if the source knows that.
func (c *completer) subscribed(given map[string]bool, typed string) {
	src, ok := c.src.(interface{ Subscribed() []string })
	if !ok {
		c.resources(given, typed)
		return
	}
	for _, uri := range src.Subscribed() {
		if !given[uri] {
			c.word(typed, uri, "")
		}
	}
}

func (c *completer) prompts(typed string) {
	for _, p := range c.src.Prompts() {
		c.word(typed, p.Name, firstLine(p.Title, p.Description))
	}
}

// unquoted is the text of a word that was typed whole.
func unquoted(text string) string {
	s := newSource("", []byte(text))
	if text == "" {
		return ""
	}
	w, wrong := s.word(false)
	if wrong != nil {
		return text
	}
	text, _ = w.literal()
	return text
}

// firstLine is the first of texts that is not empty, up to its line's end.
func firstLine(texts ...string) string {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			line, _, _ := strings.Cut(t, "\n")
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// parameters gives the arguments of a prompt or the variables of a template, with
// what is known of them.
func (c *completer) parameters(ref string) func(yield func(name, info string) bool) {
	return func(yield func(name, info string) bool) {
		for _, p := range c.src.Prompts() {
			if p.Name != ref {
				continue
			}
			for _, a := range p.Arguments {
				info := firstLine(a.Title, a.Description)
				if a.Required {
					info = strings.TrimSuffix("required, "+info, ", ")
				}
				if !yield(a.Name, info) {
					return
				}
			}
		}
		if !strings.Contains(ref, "{") {
			return
		}
		for _, part := range strings.Split(ref, "{")[1:] {
			names, _, _ := strings.Cut(part, "}")
			for _, name := range strings.Split(strings.TrimLeft(names, "+#./;?&"), ",") {
				name, _, _ = strings.Cut(strings.TrimSuffix(name, "*"), ":")
				if name != "" && !yield(name, "") {
					return
				}
			}
		}
	}
}

// argument completes key=value: names that were not given, then values.
func (c *completer) argument(cmd *Command, words []fragment, w fragment) {
	given := map[string]bool{}
	for _, word := range words[1:] {
		key, _, _ := strings.Cut(word.text, "=")
		given[strings.TrimSuffix(key, ":")] = true
	}
	key, value, hasValue := strings.Cut(w.text, "=")
	if hasValue {
		c.from = w.from + len(key) + 1
		if file, ok := strings.CutPrefix(value, "@"); ok {
			c.from++
			c.files(file)
			return
		}
	} else if k := strings.IndexAny(c.line[c.at:c.to], "="); k >= 0 {
		c.to = c.at + k + 1
	}
	name := unquoted(words[0].text)
	if cmd.Name == "get" {
		if hasValue {
			return
		}
		for arg, info := range c.parameters(name) {
			if !given[arg] {
				c.offer(w.text, arg+"=", arg, info)
			}
		}
		return
	}
	form := c.form(name)
	if form == nil {
		return
	}
	if hasValue {
		c.values(form, strings.TrimSuffix(key, ":"), value, strings.HasSuffix(key, ":"))
		return
	}
	for _, required := range []bool{true, false} {
		for _, f := range form.Fields {
			if f.Required == required && !given[f.Name] {
				c.offer(w.text, f.Name+equals(f), f.Name, fieldInfo(f))
			}
		}
	}
}

// form is the form of a tool's arguments, nil if there is none.
func (c *completer) form(tool string) *schema.Object {
	tools := c.src.Tools()
	for i := range tools {
		if tools[i].Name == tool {
			form, err := schema.Parse(tools[i].InputSchema)
			if err != nil {
				return nil
			}
			return form
		}
	}
	return nil
}

// equals is what stands behind an argument's name: its value is JSON or text.
func equals(f *schema.Field) string {
	if f.Type == schema.JSON && !f.Untyped {
		return ":="
	}
	return "="
}

// fieldInfo says what a field takes.
func fieldInfo(f *schema.Field) string {
	info := f.Type.String()
	switch {
	case f.Type == schema.JSON && f.Untyped:
		info = "any value"
	case f.Type == schema.JSON:
		info = f.Reason
	case f.Type == schema.Enum:
		var labels []string
		for _, o := range f.Enum[:min(len(f.Enum), 6)] {
			labels = append(labels, o.Label)
		}
		info = strings.Join(labels, "|")
	}
	if f.Required {
		info += ", required"
	}
	if d := firstLine(f.Title, f.Description); d != "" {
		info += ": " + d
	}
	return info
}

// values completes the value of an argument: its choices, booleans, null.
func (c *completer) values(form *schema.Object, key, typed string, asJSON bool) {
	path := []string{key}
	if _, ok := form.Field(key); !ok {
		if steps, ok := keyPath(key); ok {
			path = path[:0]
			for _, s := range steps {
				s = strings.Trim(s, "[]")
				if s == "" {
					s = "0"
				}
				path = append(path, s)
			}
		}
	}
	f, ok := form.At(path...)
	if !ok {
		return
	}
	put := func(raw []byte, label string) {
		if asJSON {
			c.offer(typed, string(raw), string(raw), "")
			return
		}
		c.word(typed, label, "")
	}
	for _, o := range f.Enum {
		put(o.Raw, o.Label)
	}
	switch f.Type {
	case schema.Boolean:
		put([]byte("true"), "true")
		put([]byte("false"), "false")
	case schema.Const:
		put(f.Const, textOf(f.Const))
	}
	if f.Nullable {
		put([]byte("null"), "null")
	}
	if f.Default != nil && len(f.Enum) == 0 && f.Type != schema.Boolean {
		put(f.Default, textOf(f.Default))
	}
}

// methods completes a method by who sends it.
func (c *completer) methods(cmd *Command, typed string) {
	for _, m := range mcp.Methods() {
		sent := m.From != mcp.FromServer && m.Notification == (cmd.Name == "notify")
		if cmd.Name == "wait" {
			sent = m.From != mcp.FromClient
		}
		if sent {
			c.offer(typed, m.Name, m.Name, m.Params)
		}
	}
}

// maxFiles is how many names of a directory are looked at.
const maxFiles = 5000

// files completes the name of a file, directories with a slash behind them.
func (c *completer) files(typed string) {
	dir, base := filepath.Split(typed)
	where := dir
	if where == "" {
		where = "."
	}
	f, err := os.Open(where)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	entries, _ := f.ReadDir(maxFiles)
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".") {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		if quoted, ok := quoteText(dir + name); ok {
			c.offer(base, quoted, name, "")
		}
	}
}
