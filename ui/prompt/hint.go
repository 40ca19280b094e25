package prompt

import (
	"errors"
	"strings"

	"parley/client/schema"
	"parley/client/wire"
	"parley/script"
	"parley/ui/theme"
)

// mostWanted is how many arguments a hint names.
const mostWanted = 4

// Hint says in a few words what will happen to a line when it is entered; nothing
// while the word that decides it is being typed. src may be nil.
func Hint(line string, src script.Source) theme.Text {
	if line != "" && (line[0] == '{' || line[0] == '[') {
		return SortOf([]byte(line))
	}
	word, rest, more := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	if word == "raw" && more {
		return SortOf([]byte(rest))
	}
	step, err := script.ParseLine(line)
	if err != nil {
		return whyNot(err, more)
	}
	if step == nil || step.Verb == nil {
		return ""
	}
	text := theme.Safe(step.Verb.Short)
	if step.Verb.Name == "call" {
		if wanted := missing(step, src); wanted != "" {
			text = wanted
		}
	}
	switch {
	case step.Want == script.Failure:
		text = "has to fail: " + text
	case step.Let != "":
		text = "into $" + theme.Safe(step.Let) + ": " + text
	}
	return text
}

// whyNot says what is probably meant, or what has still to be typed.
func whyNot(err error, more bool) theme.Text {
	var wrong *script.SyntaxError
	switch {
	case !errors.As(err, &wrong) || !more:
		return ""
	case wrong.Near != "":
		return theme.Safe("did you mean " + wrong.Near + "?")
	case wrong.Expected != "":
		return theme.Safe("wants " + wrong.Expected)
	}
	return ""
}

// missing names the tool that the server does not have, or the arguments that
// it requires and that were not given.
func missing(step *script.Step, src script.Source) theme.Text {
	if src == nil || len(step.Words) == 0 {
		return ""
	}
	name, given := plain(step.Words[0]), map[string]bool{}
	for _, w := range step.Words[1:] {
		key, _, ok := strings.Cut(w.Source, "=")
		if !ok { // an object or a variable: it may have all of them
			return ""
		}
		key = strings.TrimSuffix(key, ":")
		if i := strings.IndexAny(key, ".["); i > 0 {
			key = key[:i]
		}
		given[key] = true
	}
	tools := src.Tools()
	for i := range tools {
		if tools[i].Name != name {
			continue
		}
		form, err := schema.Parse(tools[i].InputSchema)
		if err != nil {
			return ""
		}
		return wants(form, given)
	}
	return ""
}

func wants(form *schema.Object, given map[string]bool) theme.Text {
	var names []string
	for _, f := range form.Fields {
		if f.Required && !given[f.Name] {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	if n := len(names); n > mostWanted {
		names = append(names[:mostWanted:mostWanted], "…")
	}
	return theme.Safe("wants " + strings.Join(names, ", "))
}

// plain is the text of a word without variables.
func plain(w script.Word) (text string) {
	for _, p := range w.Parts {
		text += p.Text
	}
	return text
}

// SortOf says what the bytes of a raw line are, seen as JSON-RPC.
func SortOf(raw []byte) theme.Text {
	h := wire.Scan(raw)
	switch h.Form {
	case wire.Request:
		return "a request, sent as typed"
	case wire.Notification:
		return "a notification, sent as typed"
	case wire.Result, wire.Failure:
		return "a response, sent as typed"
	case wire.Batch:
		return "a batch, sent as typed"
	case wire.Value:
		return "JSON but no message, sent as typed"
	}
	return "not JSON, sent as typed"
}
