package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWords is how many characters of a body stand in a message.
const maxWords = 120

// bodyWords gives the first words of a body as text: of a web page its title, of JSON
// what it says under one of the usual names.
func bodyWords(contentType string, body []byte) string {
	switch {
	case isPage(contentType, body):
		return plainWords(pageWords(string(body)))
	case strings.HasPrefix(contentType, "image/"), bytes.IndexByte(body, 0) >= 0:
		return "" // no text
	}
	if words := jsonWords(body, 3); words != "" {
		return plainWords(words)
	}
	return plainWords(string(body))
}

// isPage reports whether a body is a web page.
func isPage(contentType string, body []byte) bool {
	if contentType == "text/html" || contentType == "application/xhtml+xml" {
		return true
	}
	start := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\ufeff")), " \t\r\n")
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<body"} {
		if len(start) >= len(tag) && strings.EqualFold(string(start[:len(tag)]), tag) {
			return true
		}
	}
	return false
}

// plainWords puts text on one line of bounded length, without control characters.
func plainWords(text string) string {
	var b strings.Builder
	n, gap := 0, false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r), r == utf8.RuneError, !unicode.IsPrint(r):
			gap = n > 0
			continue
		case n >= maxWords:
			return b.String() + "…"
		case gap:
			b.WriteByte(' ')
			gap = false
			n++
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// pageWords gives the title of a page, or else its first heading or its text. A title
// that says nothing is none: the pages of Express have one.
func pageWords(page string) string {
	page = uncomment(page)
	for _, tag := range []string{"title", "h1", "pre"} {
		if inner, ok := element(page, tag); ok {
			if text := strings.TrimSpace(stripTags(inner)); text != "" && !strings.EqualFold(text, "error") {
				return text
			}
		}
	}
	return stripTags(page)
}

// element gives what is inside the first element of that name.
func element(page, name string) (inner string, ok bool) {
	for from := 0; ; {
		i := indexFold(page[from:], "<"+name)
		if i < 0 {
			return "", false
		}
		from += i + 1 + len(name)
		if rest := page[from:]; rest != "" && !strings.ContainsAny(rest[:1], "> \t\r\n/") {
			continue // a longer name
		}
		_, after, found := strings.Cut(page[from:], ">")
		if !found {
			return "", false
		}
		if end := indexFold(after, "</"+name); end >= 0 {
			after = after[:end]
		}
		return after, true
	}
}

// uncomment takes the comments out of HTML.
func uncomment(page string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(page, "<!--")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, page, _ = strings.Cut(after, "-->")
	}
}

// stripTags gives the text of a piece of HTML: without tags, scripts and styles, entities
// resolved.
func stripTags(page string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(page, '<')
		if i < 0 {
			b.WriteString(page)
			return entities.Replace(b.String())
		}
		b.WriteString(page[:i])
		b.WriteByte(' ')
		page = page[i:]
		end := ">"
		for start, stop := range map[string]string{"<script": "</script", "<style": "</style"} {
			if len(page) >= len(start) && strings.EqualFold(page[:len(start)], start) {
				end = stop
			}
		}
		n := indexFold(page, end)
		if n < 0 {
			return entities.Replace(b.String())
		}
		page = page[n+len(end):]
		if end[0] == '<' {
			_, page, _ = strings.Cut(page, ">")
		}
	}
}

// entities are those that stand in titles of error pages. The thousands of others,
// all of which package html has, are shown as they are written.
var entities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#39;", "'", "&#x27;", "'",
	"&nbsp;", " ", "&#160;", " ", "&ndash;", "–", "&mdash;", "—", "&hellip;", "…", "&rsquo;", "’", "&middot;", "·", "&copy;", "©")

// indexFold is strings.Index without regard to the case of ASCII letters; what it looks
// for is in lower case.
func indexFold(text, what string) int {
	for i := 0; i+len(what) <= len(text); i++ {
		if strings.EqualFold(text[i:i+len(what)], what) {
			return i
		}
	}
	return -1
}

// jsonWords gives what a JSON body says, if it is an object that says it under one of
// the usual names.
func jsonWords(body []byte, depth int) string {
	var object map[string]json.RawMessage
	if depth == 0 || json.Unmarshal(body, &object) != nil {
		return ""
	}
	said := ""
	for _, name := range []string{"error_description", "message", "detail", "reason", "title", "error"} {
		raw, ok := object[name]
		if !ok {
			continue
		}
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = jsonWords(raw, depth-1) // {"error":{"message":…}}
		}
		if text != "" && said == "" {
			said = text
		} else if name == "error" && text != "" && said != "" && !strings.Contains(said, text) && len(text) < maxCommand {
			said = text + ": " + said
		}
	}
	return said
}
