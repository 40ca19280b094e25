package script

import (
	"strings"
	"unicode/utf8"

	"parley/client/rawjson"
)

// Shell quotes words for a POSIX shell, and puts blanks between them.
func Shell(words ...string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if w != "" && strings.Trim(w, shellSafe) == "" && strings.IndexFunc(w, func(r rune) bool { return !strings.ContainsRune(shellSafe, r) }) < 0 {
			b.WriteString(w)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
	}
	return b.String()
}

const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"

// quoteText writes a text that stands alone, or behind k=, so that it is read as
// that text. It reports false for what no word can be: bytes that are not UTF-8.
func quoteText(text string) (string, bool) {
	switch {
	case !utf8.ValidString(text):
		return "", false
	case isBare(text):
		return text, true
	case !strings.ContainsFunc(text, func(r rune) bool { return r == '\'' || r < ' ' }):
		return "'" + text + "'", true
	}
	quoted := string(rawjson.Quote(nil, text))
	return strings.ReplaceAll(quoted, "${", `\u0024{`), true
}

// isBare reports whether a text needs no quotes.
func isBare(text string) bool {
	if text == "" || strings.ContainsAny(text[:1], "'\"{[#~") || strings.HasPrefix(text, "--") {
		return false
	}
	for i, r := range text {
		switch {
		case r <= ' ' || r == 0x7f:
			return false
		case r == '$' && i+1 < len(text) && (text[i+1] == '{' || isNameStart(text[i+1])):
			return false
		}
	}
	return true
}

// quoteJSON writes JSON so that it is read as those bytes. It reports false for JSON
// that cannot be written exactly on one line.
func quoteJSON(raw []byte) (string, bool) {
	text := string(raw)
	switch {
	case strings.ContainsAny(text, "\n\r"):
		return "", false
	case !strings.Contains(text, "$") && !strings.HasPrefix(text, " "):
		return text, true
	case strings.Contains(text, "'"):
		return text, !strings.Contains(text, "${")
	case strings.Contains(text, "${"):
		return "'" + text + "'", true
	}
	return text, true
}

// lineOfStep writes a step of a shell's words as a line of a script.
func lineOfStep(s *Step) string {
	line := []string{s.Verb.Name}
	for i, w := range s.Words {
		text, _ := w.literal()
		slot, _ := slotOf(s.Verb, i)
		if slot.Kind == SettingValue && line[1] == settingHeader {
			text = "'" + maskedHeader(text) + "'"
		}
		line = append(line, lineWord(slot.Kind, text))
	}
	if s.Raw != nil {
		line = append(line, string(s.Raw))
	}
	for _, f := range s.Verb.Flags {
		w, ok := s.Flags[f.Name]
		if !ok {
			continue
		}
		line = append(line, f.Name)
		if f.Value != "" {
			text, _ := w.literal()
			line = append(line, lineWord(AnyWord, text))
		}
	}
	return strings.Join(line, " ")
}

// lineWord writes a word of a shell as a word of a script.
func lineWord(kind SlotKind, text string) string {
	quoted, ok := quoteText(text)
	switch {
	case kind == JSONWord || kind == ArgumentWord && isObject(text):
		if j, sound := quoteJSON([]byte(text)); sound && rawjson.KindOf([]byte(text)) == rawjson.Object {
			return j
		}
	case kind == ArgumentWord:
		key, value, found := strings.Cut(text, "=")
		if !found || !isBare(key) {
			break
		}
		if strings.HasSuffix(key, ":") {
			if j, sound := quoteJSON([]byte(value)); sound && len(value) > 0 && strings.IndexByte("{[\"", value[0]) >= 0 {
				return key + "=" + j
			}
		}
		if v, sound := quoteText(value); sound && value != "" {
			return key + "=" + v
		}
	case kind == RestOfLine || kind == SettingValue || kind == TargetWord:
		return text
	}
	if !ok {
		return text
	}
	return quoted
}
