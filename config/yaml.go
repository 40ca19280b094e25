package config

import (
	"errors"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxNodes bounds what the aliases of a YAML file may blow it up to.
const maxNodes = 100_000

// parseYAML reads a YAML file into nodes.
func (s *source) parseYAML() (*node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(s.content, &doc); err != nil {
		return nil, s.yamlError(err)
	}
	if len(doc.Content) == 0 {
		return &node{kind: 'n', loose: true, at: spot{line: 1, col: 1}}, nil
	}
	left := maxNodes
	return s.yamlNode(doc.Content[0], &left)
}

func (s *source) yamlNode(y *yaml.Node, left *int) (*node, error) {
	at := spot{line: y.Line, col: y.Column}
	if *left--; *left < 0 {
		return nil, s.errorAt(at, "", "a configuration of a usual size", "aliases that make it huge")
	}
	if y.Kind == yaml.AliasNode {
		return s.yamlNode(y.Alias, left)
	}
	n := &node{at: at, loose: true}
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = '{'
		return n, s.yamlMembers(n, y, left)
	case yaml.SequenceNode:
		n.kind = '['
		for _, c := range y.Content {
			item, err := s.yamlNode(c, left)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		return n, nil
	}
	n.text = y.Value
	switch y.ShortTag() {
	case "!!null":
		n.kind = 'n'
	case "!!bool":
		n.kind = 't'
		if yes := strings.ToLower(y.Value); yes == "true" || yes == "yes" || yes == "on" {
			n.text = "true" // as a boolean; its spelling is lost only for texts like yes, which YAML means so
		}
	case "!!int", "!!float":
		n.kind = '0'
	default:
		n.kind = '"'
	}
	return n, nil
}

// yamlMembers reads a mapping; what << merges comes before its own keys, so that
// those win.
func (s *source) yamlMembers(n *node, y *yaml.Node, left *int) error {
	var own []member
	for i := 0; i+1 < len(y.Content); i += 2 {
		k := y.Content[i]
		value, err := s.yamlNode(y.Content[i+1], left)
		if err != nil {
			return err
		}
		if k.ShortTag() == "!!merge" {
			from := []*node{value}
			if value.kind == '[' {
				from = value.items
			}
			for _, f := range from {
				n.members = append(n.members, f.members...)
			}
			continue
		}
		own = append(own, member{key: k.Value, at: spot{line: k.Line, col: k.Column}, value: value})
	}
	n.members = append(n.members, own...)
	return nil
}

// yamlError gives the place that yaml's error has only as text; the column is
// that of the line's first character.
func (s *source) yamlError(err error) error {
	var typed *yaml.TypeError
	message := err.Error()
	if errors.As(err, &typed) && len(typed.Errors) > 0 {
		message = typed.Errors[0]
	}
	message = strings.TrimPrefix(message, "yaml: ")
	line := 1
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		if number, after, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(number); err == nil && n > 0 {
				line, message = n, after
			}
		}
	}
	return &SyntaxError{File: s.path, Line: line, Col: 1, Expected: "YAML", Found: "a mistake: " + message}
}
