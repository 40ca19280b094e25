package ui

import (
	"mime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/client/mcp"
	"parley/client/rawjson"
)

// copyResult offers what can be taken from an answer: its text, its JSON, the
// binary contents as files.
func (x *detail) copyResult(m *Model) {
	e, ok := x.exchange()
	if !ok || e.Response.Seq == 0 {
		m.say("there is no answer yet")
		return
	}
	raw := x.resultBytes()
	entries := []menuEntry{
		clipEntry("v", "its text", "the text", func() []byte { return []byte(contentText(e.Method, raw)) }),
		clipEntry("b", "the exact bytes of the result", "the result", func() []byte { return raw }),
		clipEntry("j", "indented JSON", "the result", func() []byte { pretty, _ := rawjson.Indent(nil, raw); return pretty }),
	}
	if command := m.asCommand(e.Request.Seq); command != "" {
		entries = append(entries, clipEntry("c", "the call as a command", "the command", func() []byte { return []byte(command) }))
	}
	entries = append(entries, clipEntry("l", "the call as a script line", "the line", func() []byte { return m.asLine(e.Request.Seq) }))
	entries = append(entries, menuEntry{letter: "s", text: "save the result as JSON", do: func(m *Model) tea.Cmd { return m.save("result.json", raw) }})
	for i, c := range contents(e.Method, raw) {
		if c.BlobSize() == 0 || i > 8 {
			continue
		}
		entries = append(entries, menuEntry{letter: itoa(int64(i + 1)), text: "save " + c.Type + " " + c.MIMEType + " " + size(c.BlobSize()),
			do: func(m *Model) tea.Cmd { return m.saveBlob(c) }})
	}
	m.overlay = &menu{title: "copy from the result", entries: entries}
}

// contents are the blocks of an answer, whatever it answers.
func contents(method string, result []byte) []mcp.Content {
	switch method {
	case "tools/call":
		return mcp.DecodeCall(result).Content
	case "resources/read":
		return mcp.DecodeRead(result).Contents
	case "prompts/get":
		var out []mcp.Content
		for _, m := range mcp.DecodePrompt(result).Messages {
			out = append(out, m.Content...)
		}
		return out
	}
	return nil
}

// contentText is the text of an answer's blocks.
func contentText(method string, result []byte) string {
	var texts []string
	for _, c := range contents(method, result) {
		if c.Text != "" {
			texts = append(texts, c.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// saveBlob writes binary contents to a file named by their type.
func (m *Model) saveBlob(c mcp.Content) tea.Cmd {
	blob, err := c.Blob()
	if blob == nil && err != nil {
		m.fail(err)
		return nil
	}
	ending := ".bin"
	if all, _ := mime.ExtensionsByType(c.MIMEType); len(all) > 0 {
		ending = all[len(all)-1]
	}
	name := "parley"
	if at := strings.LastIndexByte(c.URI, '/'); at >= 0 && at+1 < len(c.URI) {
		name, _, _ = strings.Cut(c.URI[at+1:], ".")
	}
	return m.save(cleanName(name)+ending, blob)
}

// cleanName keeps of a server's text what is safe in a file's name.
func cleanName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, s)
	return firstOf(s[:min(len(s), 64)], "parley")
}
