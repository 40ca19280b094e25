package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// parseTOML reads a TOML file into nodes.
func (s *source) parseTOML() (*node, error) {
	var root map[string]any
	meta, err := toml.Decode(string(s.content), &root)
	if err != nil {
		var wrong toml.ParseError
		if !errors.As(err, &wrong) {
			return nil, s.errorAt(spot{line: 1}, "", "TOML", err.Error())
		}
		line, col := s.position(spot{offset: min(max(wrong.Position.Start, 0), len(s.content))})
		return nil, &SyntaxError{File: s.path, Line: line, Col: col, Expected: "TOML", Found: "a mistake: " + wrong.Message}
	}
	t := tomlTree{places: tomlPlaces(string(s.content)), order: map[string]int{}}
	for i, key := range meta.Keys() {
		if _, there := t.order[joined(key)]; !there {
			t.order[joined(key)] = i
		}
	}
	return t.node(nil, root), nil
}

// tomlTree turns decoded tables into nodes: the library gives values without
// their places and maps without an order.
type tomlTree struct {
	places map[string]spot
	order  map[string]int
}

// joined makes one string of a key's parts, which may have any character.
func joined(key []string) string { return strings.Join(key, "\x00") }

func (t tomlTree) node(path []string, value any) *node {
	n := &node{at: t.at(path)}
	switch v := value.(type) {
	case map[string]any:
		n.kind = '{'
		for key, value := range v {
			inner := append(slices.Clip(path), key)
			n.members = append(n.members, member{key: key, at: t.at(inner), value: t.node(inner, value)})
		}
		slices.SortFunc(n.members, func(a, b member) int {
			ka, kb := joined(append(slices.Clip(path), a.key)), joined(append(slices.Clip(path), b.key))
			if d := t.order[ka] - t.order[kb]; d != 0 {
				return d
			}
			return strings.Compare(a.key, b.key)
		})
	case []any:
		n.kind = '['
		for _, item := range v {
			n.items = append(n.items, t.node(path, item))
		}
	case []map[string]any:
		n.kind = '['
		for _, item := range v {
			n.items = append(n.items, t.node(path, item))
		}
	case string:
		n.kind, n.text = '"', v
	case bool:
		n.kind, n.text = 't', strconv.FormatBool(v)
	default:
		n.kind, n.text = '0', fmt.Sprint(v)
	}
	return n
}

// at is the place of a key, or of the nearest key above it.
func (t tomlTree) at(path []string) spot {
	for i := len(path); i > 0; i-- {
		if at, ok := t.places[joined(path[:i])]; ok {
			return at
		}
	}
	return spot{line: 1, col: 1}
}

// tomlPlaces finds where keys of valid TOML are: the keys of tables in brackets
// and those that begin a line.
func tomlPlaces(text string) map[string]spot {
	places := map[string]spot{}
	var table []string
	quote := "" // of the text over several lines that we are in
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if quote != "" {
			if strings.Contains(line, quote) {
				quote = ""
			}
			continue
		}
		rest := strings.TrimLeft(line, " \t")
		at := spot{line: number, col: 1 + len(line) - len(rest)}
		if header := strings.TrimLeft(rest, "["); header != rest {
			table, _ = tomlKey(header, ']')
			remember(places, table, at)
			continue
		}
		key, after := tomlKey(rest, '=')
		if len(key) == 0 {
			continue
		}
		remember(places, append(slices.Clip(table), key...), at)
		for _, q := range []string{`"""`, "'''"} {
			if strings.Count(after, q) == 1 {
				quote = q
			}
		}
	}
	return places
}

func remember(places map[string]spot, key []string, at spot) {
	for i := range key {
		if _, there := places[joined(key[:i+1])]; !there {
			places[joined(key[:i+1])] = at
		}
	}
}

// tomlKey reads a key of parts joined by dots that ends at end. after is what
// follows that; without end there is no key.
func tomlKey(text string, end byte) (key []string, after string) {
	for {
		text = strings.TrimLeft(text, " \t")
		if text == "" {
			return nil, ""
		}
		var part string
		switch quote := text[0]; quote {
		case '"', '\'':
			i := 1
			for i < len(text) && text[i] != quote {
				if text[i] == '\\' && quote == '"' {
					i++
				}
				i++
			}
			if i >= len(text) {
				return nil, ""
			}
			part = text[1:i]
			if whole, err := strconv.Unquote(text[:i+1]); err == nil && quote == '"' {
				part = whole
			}
			text = text[i+1:]
		default:
			i := strings.IndexAny(text, " \t.=]#\"'")
			if i <= 0 {
				return nil, ""
			}
			part, text = text[:i], text[i:]
		}
		key = append(key, part)
		text = strings.TrimLeft(text, " \t")
		if text == "" {
			return nil, ""
		}
		if text[0] == end {
			return key, text[1:]
		}
		if text[0] != '.' {
			return nil, ""
		}
		text = text[1:]
	}
}
