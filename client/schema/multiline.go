package schema

import (
	"strings"
	"unicode"
)

// longText is the maximal length, in characters, from which a schema promises
// more than a line.
const longText = 500

// prose are the words that names of long texts end with.
var prose = map[string]bool{
	"content": true, "contents": true, "text": true, "code": true, "body": true, "message": true,
	"prompt": true, "script": true, "markdown": true, "html": true, "sql": true, "comment": true,
	"description": true, "instructions": true, "notes": true, "source": true,
}

// multiline guesses whether a text is likely to have several lines. What the
// schema says goes first: a media type, a format, a length. Then the last word
// of the name, and a description that speaks of lines.
func multiline(f *Field, mediaType string) bool {
	switch f.Format {
	case "":
	case "markdown", "html", "textarea", "multiline", "code":
		return true
	default:
		return false // a date, a URI, an address: one line
	}
	if mediaType != "" {
		return true
	}
	if f.MaxLength != nil {
		return *f.MaxLength >= longText
	}
	if f.Pattern != "" {
		return false
	}
	description := strings.ToLower(f.Description)
	for _, hint := range []string{"multi-line", "multiline", "multiple lines", "newline"} {
		if strings.Contains(description, hint) {
			return true
		}
	}
	return prose[lastWord(f.Name)]
}

// lastWord is the last word of a name in lower case: "text" of newText,
// new_text and new-text.
func lastWord(name string) string {
	start := 0
	lower := false
	for i, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.' || r == ' ':
			start = i + 1
		case unicode.IsUpper(r) && lower:
			start = i
		}
		lower = unicode.IsLower(r)
	}
	return strings.ToLower(name[start:])
}
