package script

import (
	"slices"
	"strings"
)

// onlyLines are the operations that are no one-shot commands.
var onlyLines = []string{"notify", "schema", "subscribe", "unsubscribe", "listen"}

// ShellOf writes a line of the language as a command for a POSIX shell, with the
// target behind --, or as it is if it begins with a flag (-s name, --url …). Lines
// that no one-shot command does, raw ones and notifications, are piped into
// parley run. It reports false for lines that need others: with variables or
// expectations, and those that only change the session.
func ShellOf(line string, target []string) (string, bool) {
	step, err := ParseLine(line)
	if err != nil || step == nil || step.Want != Success || step.Let != "" {
		return "", false
	}
	for range step.expressions() {
		return "", false
	}
	switch step.Verb.Group {
	case "list", "call":
		if !slices.Contains(onlyLines, step.Verb.Name) {
			return Shell(append(oneShot(step), behindDashes(target)...)...), true
		}
	case "line":
		if strings.ContainsAny(step.Source, "\x00") {
			return "", false
		}
	default:
		return "", false
	}
	return Shell("printf", `%s\n`, step.Source) + " | " + Shell(append([]string{"parley", "run", "-"}, behindDashes(target)...)...), true
}

func behindDashes(target []string) []string {
	if len(target) > 0 && strings.HasPrefix(target[0], "-") {
		return target
	}
	return append([]string{"--"}, target...)
}

// oneShot gives the words of the one-shot command that a step is. Flags stand
// before the words, where every command takes them.
func oneShot(step *Step) []string {
	words := []string{"parley", step.Verb.Name}
	for _, f := range step.Verb.Flags {
		w, ok := step.Flags[f.Name]
		if !ok {
			continue
		}
		text, _ := w.literal()
		switch {
		case f.Name == "--page" && text != "": // there it stands alone for the first page
			words = append(words, f.Name+"="+text)
		case f.Value != "" && f.Name != "--page":
			words = append(words, f.Name, text)
		default:
			words = append(words, f.Name)
		}
	}
	for _, w := range step.Words {
		text, _ := w.literal()
		words = append(words, text)
	}
	return words
}
