package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/tailscale/hujson"

	"parley/client/rawjson"
)

// OwnPath is parley's own list of servers. It need not exist.
func OwnPath() (string, error) {
	own, err := Dir()
	if err != nil {
		return "", err
	}
	return join(runtime.GOOS, own, "mcp.json"), nil
}

// LoadOwn reads parley's own list; nil if there is none yet.
func LoadOwn(path string) (*File, error) {
	file, err := Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file, err
}

// Add writes a server into a file of the mcpServers form, which is made when it
// is not there; one of that name is replaced where it stands. Everything else
// in the file stays as it is, comments too.
func Add(path string, s Server) error {
	return edit(path, func(content []byte) ([]byte, error) { return addTo(path, content, s) },
		func(before []string) []string {
			if slices.Contains(before, s.Name) {
				return before
			}
			return append(before, s.Name)
		})
}

// Remove takes a server out of a file of the mcpServers form, together with the
// comments that are right above it or on its line.
func Remove(path, name string) error {
	return edit(path, func(content []byte) ([]byte, error) { return removeFrom(path, content, name) },
		func(before []string) []string {
			return slices.DeleteFunc(before, func(n string) bool { return n == name })
		})
}

// edit changes a file, looks whether it now has the servers that it should, and
// writes it whole or not at all. A link stays one: what it points to is written.
func edit(path string, change func([]byte) ([]byte, error), want func([]string) []string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reading(path, err)
	}
	mark := []byte("\xef\xbb\xbf") // of a file that some editors for Windows wrote
	content, marked := bytes.CutPrefix(content, mark)
	if n := len(content); n > 0 && content[n-1] != '\n' {
		content = append(content, '\n') // a comment on the last line has to end
	}
	var before []string
	if len(bytes.TrimSpace(content)) > 0 {
		file, err := parse(path, content)
		if err != nil {
			return err
		}
		before = file.Names()
	}
	changed, err := change(content)
	if err != nil {
		return err
	}
	after, err := parse(path, changed)
	if err != nil {
		return fmt.Errorf("%s is left as it was: editing it would break it: %w", path, err)
	}
	got, wanted := after.Names(), want(before)
	slices.Sort(got)
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		return fmt.Errorf("%s is left as it was: it cannot be edited in place", path)
	}
	if marked {
		changed = append(mark, changed...)
	}
	return replace(path, changed)
}

// replace writes a file that only its owner may read, in one step: a reader sees
// the old one or the new one.
func replace(path string, content []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("writing %s: %w", path, bare(err))
	}
	temporary, err := os.CreateTemp(dir, ".mcp-*.json") // mode 0600
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, bare(err))
	}
	_, err = temporary.Write(content)
	if err == nil {
		err = temporary.Sync()
	}
	if e := temporary.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return fmt.Errorf("writing %s: %w", path, bare(err))
	}
	return nil
}

// listOf finds the object with the servers in a parsed file, nil if there is none.
func listOf(root *hujson.Object) *hujson.Value {
	for _, key := range []string{"mcpServers", "servers"} {
		for i := range root.Members {
			m := &root.Members[i]
			if _, ok := m.Value.Value.(*hujson.Object); ok && memberName(m) == key {
				return &m.Value
			}
		}
	}
	return nil
}

// rootOf parses a file; list is the object with the servers in it, nil if there is none.
func rootOf(path string, content []byte) (root, list *hujson.Value, err error) {
	value, err := hujson.Parse(content)
	if err != nil {
		return nil, nil, err
	}
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		return nil, nil, fmt.Errorf("%s is no object", path)
	}
	return &value, listOf(object), nil
}

func memberName(m *hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

func addTo(path string, content []byte, s Server) ([]byte, error) {
	if len(bytes.TrimSpace(content)) == 0 {
		content = []byte("{\n  \"mcpServers\": {}\n}\n")
	}
	root, list, err := rootOf(path, content)
	if err != nil {
		return nil, err
	}
	step := indentation(content)
	if list == nil {
		entry := rawjson.Quote(nil, "mcpServers")
		entry = append(entry, ": {}"...)
		if content, err = insert(content, root, entry, step); err != nil {
			return nil, err
		}
		return addTo(path, content, s)
	}
	for i := range list.Value.(*hujson.Object).Members {
		m := &list.Value.(*hujson.Object).Members[i]
		if memberName(m) == s.Name {
			value := s.entry(lineIndent(content, m.Name.StartOffset), step)
			return slices.Concat(content[:m.Value.StartOffset], value, content[m.Value.EndOffset:]), nil
		}
	}
	inner := lineIndent(content, list.StartOffset) + step
	entry := rawjson.Quote(nil, s.Name)
	entry = append(append(entry, ": "...), s.entry(inner, step)...)
	return insert(content, list, entry, step)
}

// insert puts a member at the end of an object.
func insert(content []byte, v *hujson.Value, entry []byte, step string) ([]byte, error) {
	object := v.Value.(*hujson.Object)
	outer := lineIndent(content, v.StartOffset)
	inner := outer + step
	end := v.EndOffset - 1 // of the closing brace
	if content[end] != '}' {
		return nil, errors.New("an object that does not end with a brace")
	}
	if len(object.Members) == 0 {
		text := bytes.TrimRight(content[:end], " \t\r\n") // a comment may stand in the braces
		return slices.Concat(text, []byte("\n"+inner), entry, []byte("\n"+outer), content[end:]), nil
	}
	last := &object.Members[len(object.Members)-1]
	at := last.Value.EndOffset
	rest := content[at:end]
	if bytes.ContainsRune(content[v.StartOffset:end], '\n') {
		if n := len(object.Members); n > 0 {
			inner = lineIndent(content, object.Members[n-1].Name.StartOffset)
		}
	}
	comma := []byte(",")
	if i := commaIn(rest); i >= 0 { // a trailing comma: the new entry gets one too
		before, after := rest[:i+1], rest[i+1:]
		line, tail := restOfLine(after)
		return slices.Concat(content[:at], before, line, []byte("\n"+inner), entry, comma, orLine(tail, outer), content[end:]), nil
	}
	line, tail := restOfLine(rest)
	return slices.Concat(content[:at], comma, line, []byte("\n"+inner), entry, orLine(tail, outer), content[end:]), nil
}

// restOfLine splits what follows a member into what is on its line, a comment
// perhaps, and the lines after that.
func restOfLine(text []byte) (line, tail []byte) {
	i := bytes.IndexByte(text, '\n')
	if i < 0 {
		if bytes.Contains(text, []byte("/*")) {
			return text, nil
		}
		return nil, text
	}
	line = bytes.TrimRight(text[:i], " \t\r")
	if bytes.Count(line, []byte("/*")) != bytes.Count(line, []byte("*/")) { // a comment over several lines
		return text, nil
	}
	return line, text[i:]
}

// orLine is what stands before a closing brace; it is on a line of its own.
func orLine(tail []byte, indent string) []byte {
	if bytes.ContainsRune(tail, '\n') {
		return tail
	}
	return []byte("\n" + indent)
}

// commaIn finds a comma outside comments, -1 if there is none.
func commaIn(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case bytes.HasPrefix(text[i:], []byte("//")):
			n := bytes.IndexByte(text[i:], '\n')
			if n < 0 {
				return -1
			}
			i += n
		case bytes.HasPrefix(text[i:], []byte("/*")):
			n := bytes.Index(text[i+2:], []byte("*/"))
			if n < 0 {
				return -1
			}
			i += n + 3
		case text[i] == ',':
			return i
		}
	}
	return -1
}

// indentation is one step of the indentation that a file uses.
func indentation(content []byte) string {
	for line := range bytes.Lines(content) {
		text := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(text); n > 0 && bytes.HasPrefix(text, []byte(`"`)) {
			return string(line[:n])
		}
	}
	return "  "
}

// lineIndent is the white space at the start of the line that offset is on.
func lineIndent(content []byte, offset int) string {
	line := content[bytes.LastIndexByte(content[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func removeFrom(path string, content []byte, name string) ([]byte, error) {
	for removed := false; ; removed = true { // a name may stand there several times
		_, list, err := rootOf(path, content)
		if err != nil {
			return nil, err
		}
		i := -1
		if list != nil {
			i = slices.IndexFunc(list.Value.(*hujson.Object).Members, func(m hujson.ObjectMember) bool { return memberName(&m) == name })
		}
		switch {
		case i >= 0:
			content = cut(content, list, i)
		case removed:
			return content, nil
		default:
			return nil, &UnknownError{Name: name, File: path}
		}
	}
}

// cut takes member i out of an object.
func cut(content []byte, list *hujson.Value, i int) []byte {
	members := list.Value.(*hujson.Object).Members
	from, to := members[i].Name.StartOffset, members[i].Value.EndOffset
	limit := list.EndOffset - 1
	if i+1 < len(members) {
		limit = members[i+1].Name.StartOffset
	}
	comma := commaIn(content[to:limit])
	if comma >= 0 {
		to += comma + 1
	}
	from = aboveComments(content, from)
	// the rest of the line goes too, if it is only white space and a comment
	if line, tail := restOfLine(content[to:limit]); tail != nil && bytes.HasPrefix(tail, []byte("\n")) && ownsLine(line) {
		to += len(content[to:limit]) - len(tail)
		if start := bytes.LastIndexByte(content[:from], '\n'); start >= 0 && len(bytes.TrimSpace(content[start:from])) == 0 {
			from = start
		}
	} else {
		for to < limit && (content[to] == ' ' || content[to] == '\t') {
			to++
		}
	}
	if comma < 0 && i > 0 { // the last one: the comma before it goes
		end := members[i-1].Value.EndOffset
		if c := commaIn(content[end:from]); c >= 0 {
			return slices.Concat(content[:end+c], content[end+c+1:from], content[to:])
		}
	}
	return slices.Concat(content[:from], content[to:])
}

func ownsLine(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*")) && bytes.HasSuffix(line, []byte("*/"))
}

// aboveComments moves the start of a member to the first of the comment lines
// that are right above it.
func aboveComments(content []byte, from int) int {
	for {
		start := bytes.LastIndexByte(content[:from], '\n')
		if start < 0 || len(bytes.TrimSpace(content[start:from])) > 0 {
			return from
		}
		above := bytes.LastIndexByte(content[:start], '\n') + 1
		line := bytes.TrimSpace(content[above:start])
		if !bytes.HasPrefix(line, []byte("//")) {
			return from
		}
		from = above + bytes.Index(content[above:start], []byte("//"))
	}
}

// entry is the server as JSON, its lines indented for a place in a file.
func (s Server) entry(indent, step string) []byte {
	b := []byte("{")
	first := true
	key := func(name string) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(b, "\n"+indent+step...), fmt.Sprintf("%q: ", name)...)
	}
	text := func(name, value string) {
		if value != "" {
			key(name)
			b = rawjson.Quote(b, value)
		}
	}
	table := func(name string, values map[string]string) {
		if len(values) == 0 {
			return
		}
		key(name)
		comma := "{"
		for _, k := range slices.Sorted(maps.Keys(values)) {
			b = append(b, comma+"\n"+indent+step+step...)
			b = append(rawjson.Quote(b, k), ": "...)
			b = rawjson.Quote(b, values[k])
			comma = ","
		}
		b = append(b, "\n"+indent+step+"}"...)
	}
	text("type", s.Type)
	text("command", s.Command)
	if len(s.Args) > 0 {
		key("args")
		comma := "["
		for _, arg := range s.Args {
			b = rawjson.Quote(append(b, comma...), arg)
			comma = ", "
		}
		b = append(b, ']')
	}
	table("env", s.Env)
	text("cwd", s.Dir)
	text("url", s.URL)
	table("headers", s.Headers)
	text("protocol", s.Protocol)
	return append(b, "\n"+indent+"}"...)
}
