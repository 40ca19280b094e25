package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/client/mcp"
)

// arguments are those of a call: as they came, and by name with the schema's
// defaults for what is missing.
type arguments struct {
	raw   json.RawMessage
	named map[string]json.RawMessage
}

// flat is as much of a JSON Schema as the worlds' tools use.
type flat struct {
	Properties           map[string]flat   `json:"properties"`
	Required             []string          `json:"required"`
	AdditionalProperties *bool             `json:"additionalProperties"`
	Type                 oneOrMore         `json:"type"`
	Enum                 []json.RawMessage `json:"enum"`
	Const                json.RawMessage   `json:"const"`
	OneOf                []flat            `json:"oneOf"`
	Default              json.RawMessage   `json:"default"`
	Minimum              json.Number       `json:"minimum"`
	ExclusiveMinimum     json.Number       `json:"exclusiveMinimum"`
	Maximum              json.Number       `json:"maximum"`
	MinLength            int               `json:"minLength"`
	MaxLength            int               `json:"maxLength"`
}

// oneOrMore is a type, or several of which one must hold.
type oneOrMore []string

func (t *oneOrMore) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*t = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(t))
}

// readArguments checks arguments against the schema of their tool. What is
// wrong with them is said in the language of the tutorials.
func readArguments(schema, raw json.RawMessage) (args arguments, wrong string) {
	var s flat
	if err := json.Unmarshal(schema, &s); err != nil {
		return arguments{}, err.Error()
	}
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	args = arguments{raw: raw}
	if json.Unmarshal(raw, &args.named) != nil {
		return args, "参数 arguments 必须是 object"
	}
	for _, name := range s.Required {
		if _, ok := args.named[name]; !ok {
			return args, "参数 " + name + " 是必需的"
		}
	}
	names := make([]string, 0, len(args.named))
	for name := range args.named {
		names = append(names, name)
	}
	slices.Sort(names) // the first that is wrong is the same one each time
	for _, name := range names {
		p, known := s.Properties[name]
		if !known && s.AdditionalProperties != nil && !*s.AdditionalProperties {
			return args, "参数 " + name + " 不存在"
		}
		if wrong := p.check(args.named[name]); wrong != "" {
			return args, "参数 " + name + " " + wrong
		}
	}
	for name, p := range s.Properties {
		if _, given := args.named[name]; !given && p.Default != nil {
			args.named[name] = p.Default
		}
	}
	return args, ""
}

// check says what is wrong with one value, or "".
func (s flat) check(raw json.RawMessage) string {
	if len(s.Type) > 0 && !slices.ContainsFunc(s.Type, func(t string) bool { return isA(t, raw) }) {
		return "必须是 " + strings.Join(s.Type, " 或 ")
	}
	allowed := s.Enum
	if s.Const != nil {
		allowed = append(allowed, s.Const)
	}
	for _, o := range s.OneOf {
		allowed = append(allowed, o.Const)
	}
	if len(allowed) > 0 && !slices.ContainsFunc(allowed, func(a json.RawMessage) bool { return sameScalar(a, raw) }) {
		return "必须是 " + string(bytes.Join(rawBytes(allowed), []byte(", "))) + " 之一"
	}
	if n, ok := numberOf(raw); ok {
		return s.checkRange(n)
	}
	var text string
	if json.Unmarshal(raw, &text) == nil && raw[0] == '"' {
		switch n := utf8.RuneCountInString(text); {
		case n < s.MinLength:
			return fmt.Sprintf("至少要有 %d 个字符", s.MinLength)
		case s.MaxLength > 0 && n > s.MaxLength:
			return fmt.Sprintf("最多只能有 %d 个字符", s.MaxLength)
		}
	}
	return ""
}

func (s flat) checkRange(n float64) string {
	if min, ok := numberOf(json.RawMessage(s.Minimum)); ok && n < min {
		return "不能小于 " + s.Minimum.String()
	}
	if min, ok := numberOf(json.RawMessage(s.ExclusiveMinimum)); ok && n <= min {
		return "必须大于 " + s.ExclusiveMinimum.String()
	}
	if max, ok := numberOf(json.RawMessage(s.Maximum)); ok && n > max {
		return "不能大于 " + s.Maximum.String()
	}
	return ""
}

func isA(typ string, raw json.RawMessage) bool {
	switch typ {
	case "string":
		return raw[0] == '"'
	case "boolean":
		return raw[0] == 't' || raw[0] == 'f'
	case "null":
		return raw[0] == 'n'
	case "number":
		_, ok := numberOf(raw)
		return ok
	case "integer": // 1.0 is one too
		n, ok := numberOf(raw)
		return ok && n == math.Trunc(n)
	}
	return true
}

func numberOf(raw json.RawMessage) (float64, bool) {
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	f, err := json.Number(raw).Float64()
	return f, err == nil
}

func rawBytes(values []json.RawMessage) [][]byte {
	out := make([][]byte, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

// text, number and integer read arguments that were checked; one that is
// missing is zero.

func (a arguments) text(name string) (s string) {
	_ = json.Unmarshal(a.named[name], &s)
	return s
}

func (a arguments) number(name string) (f float64) {
	_ = json.Unmarshal(a.named[name], &f)
	return f
}

func (a arguments) integer(name string) int { return int(a.number(name)) }

// invalidParams is the error for wrong arguments.
func (w *world) invalidParams(details string) error { return w.fault(mcp.CodeInvalidParams, details) }

// fault is an error in the words that JSON-RPC has for its code.
func (w *world) fault(code int64, details string) error {
	e := &rpcError{Code: code, Message: standard[code]}
	if details != "" {
		e.Data = w.errorData(details)
	}
	return e
}

// errorData is the data of an error in the shape of the world's tutorial.
func (w *world) errorData(details string) json.RawMessage {
	if w.PlainErrorData {
		return plainJSON(details)
	}
	return plainJSON(struct {
		Details string `json:"details"`
	}{details})
}
