// Package uitest drives Bubble Tea models in tests: it makes messages of key
// names, applies them with the commands they return, and compares screens.
package uitest

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// Key makes the message of one key press from its name, as bindings spell it:
// "j", "G", "space", "ctrl+s", "shift+tab". It panics at a name that no key
// has, so that a test with a slip does not pass by pressing nothing.
func Key(name string) tea.KeyPressMsg {
	msg, ok := keys.Press(name)
	if !ok {
		panic(fmt.Sprintf("uitest: no key %q", name))
	}
	return msg
}

// Keys makes the messages of several key presses.
func Keys(names ...string) []tea.Msg {
	msgs := make([]tea.Msg, len(names))
	for i, name := range names {
		msgs[i] = Key(name)
	}
	return msgs
}

// Type makes the messages of typing text, one key press for each rune.
func Type(text string) []tea.Msg {
	var msgs []tea.Msg
	for _, r := range text {
		switch r {
		case '\n':
			msgs = append(msgs, Key("enter"))
		case '\t':
			msgs = append(msgs, Key("tab"))
		default:
			msgs = append(msgs, tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return msgs
}

// Paste makes the message of a bracketed paste.
func Paste(text string) tea.Msg { return tea.PasteMsg{Content: text} }

// Click makes the message of a click with the left button.
func Click(x, y int) tea.Msg { return tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft} }

// Wheel makes the message of one turn of the wheel at x, y; up if n is
// negative.
func Wheel(x, y, n int) tea.Msg {
	button := tea.MouseWheelDown
	if n < 0 {
		button = tea.MouseWheelUp
	}
	return tea.MouseWheelMsg{X: x, Y: y, Button: button}
}
