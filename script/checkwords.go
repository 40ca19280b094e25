package script

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"parley/client/near"
	"parley/client/rawjson"
)

// checkWords checks the words of a step by their kinds, as far as that needs no
// server: s is where they stand, nil for those of a shell.
func checkWords(s *source, step *Step) *SyntaxError {
	if wrong := checkFlags(step); wrong != nil {
		return wrong
	}
	arguments := 0
	for i, w := range step.Words {
		slot, _ := slotOf(step.Verb, i)
		var wrong *SyntaxError
		switch slot.Kind {
		case ArgumentWord:
			arguments++
			wrong = checkArgument(s, w)
		case JSONWord:
			wrong = checkParams(s, w)
		case DurationWord:
			wrong = checkDuration(s, w)
		case ListenWord:
			wrong = checkListen(s, w)
		case SettingName:
			wrong = checkName(s, w, "a setting's name", settingNames())
		case SettingValue:
			wrong = checkSetting(s, step, w)
		}
		if wrong != nil {
			return wrong
		}
	}
	if arguments < 2 {
		return nil
	}
	for _, w := range step.Words[len(step.Words)-arguments:] {
		if isWhole(w) {
			return &SyntaxError{Pos: place(s, w, 0), Expected: "key=value", Found: shown(w.Source),
				Advice: "an object is all arguments at once: give one {…} or $x and nothing else, or key=value words"}
		}
	}
	return nil
}

// checkFlags checks the flags that mean nothing alone.
func checkFlags(step *Step) *SyntaxError {
	ttl, ok := step.Flags[flagTTL.Name]
	if !ok || has(step, flagTask.Name) {
		return nil
	}
	pos := ttl.Pos
	if step.Literal {
		pos = Pos{}
	}
	return &SyntaxError{Pos: pos, Expected: flagTask.Name + " with " + flagTTL.Name, Found: "it alone", Advice: "call --task --ttl 5m NAME …"}
}

// place is where byte n of a word stands.
func place(s *source, w Word, n int) Pos {
	if s == nil {
		return Pos{}
	}
	return s.pos(w.at + n)
}

// isWhole reports whether a word is all arguments at once.
func isWhole(w Word) bool {
	return w.expr() != nil || len(w.Parts) > 0 && isObject(w.Parts[0].Text)
}

// checkArgument checks the form of key=value, and JSON that can be read already.
func checkArgument(s *source, w Word) *SyntaxError {
	if w.expr() != nil {
		return nil
	}
	if isWhole(w) {
		return checkJSON(s, w, 0, "a word that begins with { is the whole arguments object, as JSON")
	}
	a, err := argumentOf(w)
	if err != nil {
		return argumentError(s, w, err)
	}
	if a.asJSON && !a.file && a.value.expr() == nil {
		n := strings.IndexByte(w.Parts[0].Text, '=') + 1
		return checkJSON(s, w, n, a.key+":= takes JSON; text is written "+a.key+"=text")
	}
	return nil
}

// argumentError is what is wrong with the form of an argument, at its place.
func argumentError(s *source, w Word, err error) *SyntaxError {
	wrong := &SyntaxError{Pos: place(s, w, 0), Expected: "key=value", Found: shown(w.Source)}
	var arg *ArgError
	if errors.As(err, &arg) {
		wrong.Advice = arg.Advice
	}
	return wrong
}

// checkParams checks what request and notify send.
func checkParams(s *source, w Word) *SyntaxError {
	if w.expr() != nil {
		return nil
	}
	if text := w.Parts[0].Text; text == "" || !strings.ContainsAny(text[:1], "{[ \t") {
		return &SyntaxError{Pos: place(s, w, 0), Expected: "params as JSON, {…}", Found: shown(w.Source)}
	}
	return checkJSON(s, w, 0, "params are one JSON object")
}

func checkDuration(s *source, w Word) *SyntaxError {
	text, ok := w.literal()
	if !ok {
		return nil
	}
	if _, err := ParseDuration(text); err != nil {
		return &SyntaxError{Pos: place(s, w, 0), Err: err}
	}
	return nil
}

// checkListen checks what listen is asked for: one of the lists, or what may be a URI.
// A word in quotes is a URI whatever it looks like.
func checkListen(s *source, w Word) *SyntaxError {
	text, ok := w.literal()
	if !ok || w.Quoted || slices.Contains(listenNames, text) || strings.Contains(text, ":") {
		return nil
	}
	return &SyntaxError{Pos: place(s, w, 0), Expected: "tools, prompts, resources or a resource's URI", Found: shown(w.Source),
		Near: near.Best(text, listenNames), Advice: "a URI has a colon, as in demo://status; any other text stands in quotes"}
}

// checkSetting checks the value of a setting. Whether a root is there is looked at
// when it is set, and so is whether there is somebody to ask.
func checkSetting(s *source, step *Step, w Word) *SyntaxError {
	name, _ := step.Words[0].literal()
	value, ok := w.literal()
	if !ok || name == "root" {
		return nil
	}
	somebody := func(context.Context, string, json.RawMessage) (json.RawMessage, error) { return nil, nil }
	if err := SetOption(&Settings{}, name, value, &AnswerDeps{Ask: somebody}); err != nil {
		return &SyntaxError{Pos: place(s, w, 0), Err: err}
	}
	return nil
}

// checkQuery checks the expression of --jq.
func checkQuery(s *source, w Word) *SyntaxError {
	expr, ok := w.literal()
	if !ok {
		return nil
	}
	if strings.TrimSpace(expr) == "" {
		return &SyntaxError{Pos: place(s, w, 0), Expected: "a jq expression", Found: "an empty one", Advice: "--jq .tools[0].name; . is the whole result"}
	}
	if err := CheckQuery(expr); err != nil {
		return &SyntaxError{Pos: place(s, w, 0), Err: err}
	}
	return nil
}

// checkName checks a word that has to be one of few.
func checkName(s *source, w Word, what string, names []string) *SyntaxError {
	text, ok := w.literal()
	if ok && (slices.Contains(names, text) || len(names) == 0) {
		return nil
	}
	return &SyntaxError{Pos: place(s, w, 0), Expected: what, Found: shown(w.Source), Near: near.Best(text, names),
		Advice: "there are " + strings.Join(names, ", ")}
}

// checkJSON checks the JSON that a word is from byte n of its text on. Values in it
// are taken for sound.
func checkJSON(s *source, w Word, n int, advice string) *SyntaxError {
	raw, seams := sample(w, n)
	_, err := rawjson.CompactLoose(nil, raw)
	var wrong *rawjson.SyntaxError
	if !errors.As(err, &wrong) {
		return nil
	}
	expected, found, _ := strings.Cut(wrong.Reason, ", found ")
	at := 0
	for _, m := range seams {
		if m.raw > wrong.Offset {
			break
		}
		if at = m.written + wrong.Offset - m.raw; m.expr != nil && m.raw == wrong.Offset {
			found = shown(m.expr.Source)
		}
	}
	expected, ok := strings.CutPrefix(expected, "expected ")
	e := &SyntaxError{Pos: place(s, w, min(at, len(w.Source))), Advice: advice}
	if e.Expected, e.Found = expected+" in JSON", found; !ok || found == "" {
		e.Expected, e.Found = "JSON", wrong.Reason
	}
	return e
}

// seam is where a part begins: in the sample of a word, and in the word as written.
type seam struct {
	raw, written int
	expr         *Expr
}

// sample is the JSON that a word is from byte n of its text on, with a number in the
// place of each value that is not inside of a string.
func sample(w Word, n int) (raw []byte, seams []seam) {
	inString := false
	written := n
	if w.Quoted && n < len(w.Source) {
		written++
	}
	for i, part := range w.Parts {
		if part.Expr != nil {
			if !inString {
				seams = append(seams, seam{len(raw), written, part.Expr})
				raw = append(raw, '0')
			}
			written += part.width
			continue
		}
		text := part.Text
		if i == 0 {
			text = text[n:]
		}
		seams = append(seams, seam{len(raw), written, nil})
		inString = stringGoesOn(inString, text)
		raw, written = append(raw, text...), written+len(text)
	}
	return raw, seams
}

func settingNames() []string {
	var names []string
	for _, s := range AllSettings() {
		names = append(names, s.Name)
	}
	return names
}
