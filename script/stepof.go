package script

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/client/near"
)

// StepOf makes a step of words that a shell has taken apart: nothing in them is a
// variable, a quote or a comment. flags have their names as in the table, and an
// empty value if they take none. The error is an *[ArgError] or a *[SyntaxError]
// without a place.
func StepOf(verb string, words []string, flags map[string]string) (*Step, error) {
	c, ok := typedCommand(verb)
	switch {
	case !ok:
		return nil, &SyntaxError{Expected: "a command", Found: shown(verb), Near: near.Best(verb, commandNames(true))}
	case slices.Contains([]string{"let", "for", "expect", "include"}, c.Name):
		return nil, &SyntaxError{Expected: "a command of its own", Found: verb, Advice: verb + " is for scripts"}
	}
	step := &Step{Verb: c, Literal: true}
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		f, wrong := findFlag(c, name, Pos{})
		if wrong != nil {
			return nil, wrong
		}
		if step.Flags == nil {
			step.Flags = map[string]Word{}
		}
		step.Flags[f.Name] = Word{}
		if f.Value != "" {
			step.Flags[f.Name] = literalWord(flags[name])
		}
		if f.Kind == DurationWord {
			if wrong := checkDuration(nil, step.Flags[f.Name]); wrong != nil {
				return nil, wrong
			}
		}
	}
	if err := step.take(words); err != nil {
		return nil, err
	}
	step.Source = lineOfStep(step)
	return step, nil
}

// take gives a step the words of a shell.
func (s *Step) take(words []string) error {
	c := s.Verb
	if c.Name == "raw" {
		s.Raw = []byte(strings.Join(words, " "))
		return nil
	}
	if n := len(c.Words); n > 0 && len(words) > n && (c.Words[n-1].Kind == RestOfLine || c.Words[n-1].Kind == SettingValue) {
		words = append(slices.Clone(words[:n-1]), strings.Join(words[n-1:], " "))
	}
	for i, text := range words {
		if !utf8.ValidString(text) {
			return &SyntaxError{Expected: "UTF-8 text", Found: shown(text), Advice: "JSON has only text; parley raw sends any bytes"}
		}
		if _, ok := slotOf(c, i); !ok {
			return &SyntaxError{Expected: "no more words", Found: shown(text),
				Advice: "it is written " + strings.Join(c.Forms, ", or ")}
		}
		s.Words = append(s.Words, literalWord(text))
	}
	if slot, missing := missingSlot(c, len(words)); missing {
		return &SyntaxError{Expected: slotName(slot), Found: "nothing", Advice: "it is written " + c.Forms[0]}
	}
	if wrong := checkFlags(s); wrong != nil {
		return wrong
	}
	if at := slices.IndexFunc(c.Words, func(s Slot) bool { return s.Kind == ArgumentWord }); at >= 0 {
		return CheckArgs(words[min(at, len(words)):])
	}
	if wrong := checkWords(nil, s); wrong != nil {
		return wrong
	}
	return nil
}
