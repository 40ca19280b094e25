package script

import (
	"net/textproto"
	"slices"
	"strings"

	"parley/client/mcp"
	"parley/client/near"
)

const settingHeader = "header"

var (
	transports = []string{"auto", "http", "sse"}
	eras       = []string{"auto", "legacy", "modern"}
)

// protocols are the values of set protocol that are known.
func protocols() []string { return slices.Concat(eras, []string{mcp.V20260728}, mcp.Legacy()) }

// setProtocol takes any version: what does the server say to it? What has no digit
// in it is none.
func setProtocol(s *Settings, value string, _ *AnswerDeps) error {
	if !slices.Contains(eras, value) && !strings.ContainsAny(value, "0123456789") {
		return choiceError("protocol", "auto, legacy, modern or a version", value, protocols())
	}
	s.Protocol = value
	return nil
}

func setTransport(s *Settings, value string, _ *AnswerDeps) error {
	if !slices.Contains(transports, value) {
		return choiceError("transport", "auto, http or sse", value, transports)
	}
	s.Transport = value
	return nil
}

func setLogLevel(s *Settings, value string, _ *AnswerDeps) error {
	if !slices.Contains(mcp.LogLevels(), value) {
		return choiceError("log-level", "a level", value, mcp.LogLevels())
	}
	s.LogLevel = value
	return nil
}

// choiceError is a value that is none of those there are.
func choiceError(name, expected, found string, choices []string) error {
	advice := "there are " + strings.Join(choices, ", ")
	if n := near.Best(found, choices); n != "" {
		advice = "did you mean " + n + "?"
	}
	return &SettingError{name, "expected " + expected + ", found " + shown(found), advice}
}

func setExtension(s *Settings, value string, _ *AnswerDeps) error {
	if prefix, name, ok := strings.Cut(value, "/"); !ok || prefix == "" || name == "" || strings.ContainsAny(value, " \t") {
		return &SettingError{"extension", "expected an id with a prefix, found " + shown(value), "it is written as in " + mcp.TasksExtension}
	}
	if !slices.Contains(s.Extensions, value) {
		s.Extensions = append(slices.Clip(s.Extensions), value)
	}
	return nil
}

// setHeader keeps one value of a name. What is said of a header that cannot be sent
// never has its value in it.
func setHeader(s *Settings, value string, _ *AnswerDeps) error {
	name, content, ok := strings.Cut(value, ":")
	name, content = strings.TrimSpace(name), strings.Trim(content, " \t")
	const form = "write set header 'Name: value'"
	switch {
	case !ok:
		return &SettingError{"header", "expected 'Name: value', found no colon", form}
	case !isToken(name):
		return &SettingError{"header", "what stands before the colon is no header's name", form + "; a name has letters, digits and -"}
	case strings.ContainsFunc(content, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return &SettingError{"header", "the value of " + name + " has a control character in it", "a header is one line"}
	}
	s.Headers = slices.DeleteFunc(slices.Clone(s.Headers), func(h string) bool {
		other, _, _ := strings.Cut(h, ":")
		return strings.EqualFold(other, name)
	})
	s.Headers = append(s.Headers, strings.TrimSuffix(name+": "+content, " "))
	return nil
}

// isToken reports whether a text may be the name of a header (RFC 9110, section 5.6.2).
func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

// maskedHeader is a header with … for its value.
func maskedHeader(line string) string {
	name, _, ok := strings.Cut(line, ":")
	if !ok {
		return "…"
	}
	return name + ": …"
}

// ApplyHeader lets the headers that were set win in those that a host sends, an
// http.Header.
func (s *Settings) ApplyHeader(h map[string][]string) {
	to := textproto.MIMEHeader(h)
	for _, line := range s.Headers {
		name, value, _ := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); value == "" {
			to.Del(name)
			continue
		}
		to.Set(name, value)
	}
}
