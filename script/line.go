package script

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/client/rawjson"
)

// LineOf writes a message that was sent as a line that sends the same params again:
// as a command if one does that, else as a raw line. What the client adds to params
// by itself, a progress token and what its era asks for in _meta, is left out. A
// string becomes key=text, which a schema that asks for another type reads by that
// type; one that looks like other JSON becomes key:="text".
func LineOf(raw []byte) []byte {
	if m, ok := sentOf(raw); ok {
		if line, ok := m.line(); ok {
			return []byte(line)
		}
	}
	if len(raw) > 0 && (raw[0] == '{' || raw[0] == '[') {
		return raw
	}
	return append([]byte("raw "), raw...)
}

// sent is a request or a notification that a command can send.
type sent struct {
	method  string
	request bool
	params  []byte // nil if it has none
}

// sentOf takes a message apart. It reports false for what is not one, or has
// something in it that no command sends.
func sentOf(raw []byte) (m sent, ok bool) {
	if _, _, valid := rawjson.Valid(raw); !valid || !utf8.Valid(raw) || rawjson.KindOf(raw) != rawjson.Object {
		return m, false
	}
	seen := map[string]bool{}
	sound := true
	_ = rawjson.Each(raw, func(key string, _, value []byte) bool {
		sound = sound && !seen[key]
		seen[key] = true
		switch key {
		case "jsonrpc":
			sound = sound && string(value) == `"2.0"`
		case "id":
			m.request = true
			sound = sound && (rawjson.KindOf(value) == rawjson.Number || rawjson.KindOf(value) == rawjson.String)
		case "method":
			sound = sound && rawjson.KindOf(value) == rawjson.String
			m.method, _ = rawjson.Unquote(value)
		case "params":
			m.params = value
		default:
			sound = false
		}
		return sound
	})
	if !sound || !seen["jsonrpc"] || m.method == "" || !exactly(m.method, raw) {
		return m, false
	}
	m.params = m.withoutMeta()
	return m, true
}

// exactly reports whether a text that was decoded from JSON is the text of a string
// in it, with nothing lost.
func exactly(text string, raw []byte) bool {
	return !strings.ContainsRune(text, '\ufffd') && bytes.Contains(raw, rawjson.Quote(nil, text))
}

// withoutMeta leaves out the _meta that the client writes itself.
func (m *sent) withoutMeta() []byte {
	if rawjson.KindOf(m.params) != rawjson.Object {
		return m.params
	}
	meta, ok := rawjson.Get(m.params, "_meta")
	if !ok || rawjson.KindOf(meta) != rawjson.Object {
		return m.params
	}
	own := false
	others := false
	_ = rawjson.Each(meta, func(key string, _, _ []byte) bool {
		mine := key == "progressToken" && m.method == "tools/call" || strings.HasPrefix(key, "io.modelcontextprotocol/")
		own, others = own || mine, others || !mine
		return true
	})
	if !own || others {
		return m.params
	}
	rest, err := rawjson.Delete(m.params, "/_meta")
	if err != nil {
		return m.params
	}
	return rest
}

// line writes the message as a command.
func (m sent) line() (string, bool) {
	params, err := rawjson.Compact(nil, m.params)
	if m.params != nil && err != nil {
		return "", false
	}
	if m.params == nil {
		params = nil
	}
	if m.request {
		if words, ok := short(m.method, params); ok {
			return strings.Join(words, " "), true
		}
	}
	verb := "request"
	if !m.request {
		verb = "notify"
	}
	name, ok := quoteText(m.method)
	switch {
	case !ok:
		return "", false
	case params == nil:
		return verb + " " + name, true
	case rawjson.KindOf(params) != rawjson.Object && rawjson.KindOf(params) != rawjson.Array:
		return "", false
	}
	j, ok := quoteJSON(params)
	return verb + " " + name + " " + j, ok
}

// short writes a request as the command that there is for it.
func short(method string, params []byte) (words []string, ok bool) {
	switch method {
	case "ping":
		return []string{"ping"}, params == nil
	case "tools/list", "resources/list", "prompts/list", "resources/templates/list":
		name := strings.TrimSuffix(strings.TrimPrefix(method, "resources/templates"), "/list")
		if name == "" {
			name = "templates"
		}
		return shortList(name, params)
	case "resources/read":
		return shortURI("read", params)
	case "resources/subscribe":
		return shortURI("subscribe", params)
	case "resources/unsubscribe":
		return shortURI("unsubscribe", params)
	case "subscriptions/listen":
		return shortListen(params)
	case "logging/setLevel":
		return shortLevel(params)
	case "tools/call":
		return shortCall("call", params)
	case "prompts/get":
		return shortCall("get", params)
	case "completion/complete":
		return shortComplete(params)
	}
	return nil, false
}

// members gives the values of an object if they are exactly those, in their order,
// as they are written.
func members(object []byte, names ...string) (values [][]byte, ok bool) {
	if rawjson.KindOf(object) != rawjson.Object {
		return nil, false
	}
	var got []string
	_ = rawjson.Each(object, func(key string, _, value []byte) bool {
		got, values = append(got, key), append(values, value)
		return true
	})
	return values, slices.Equal(got, names)
}

// wordOf writes a JSON string as a word that is read as that string.
func wordOf(raw []byte) (string, bool) {
	text, ok := rawjson.Unquote(raw)
	if !ok || !bytes.Equal(rawjson.Quote(nil, text), raw) || text == "" {
		return "", false
	}
	return quoteText(text)
}

// shortList writes a list, whole or from a cursor on.
func shortList(name string, params []byte) ([]string, bool) {
	values, ok := members(params, "cursor")
	if !ok {
		return []string{name}, params == nil || string(params) == "{}"
	}
	cursor, ok := wordOf(values[0])
	return []string{name, "--page", cursor}, ok
}
