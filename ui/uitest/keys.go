// Package uitest drives Bubble Tea models in tests: it makes messages of key
// names, applies them with the commands they return, and compares screens.
package uitest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// named are the keys that have a name instead of a character.
var named = map[string]rune{
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "insert": tea.KeyInsert,
	"space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4,
	"f5": tea.KeyF5, "f6": tea.KeyF6, "f7": tea.KeyF7, "f8": tea.KeyF8,
	"f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
}

// Key makes the message of one key press from its name, as bindings spell it:
// "j", "G", "space", "ctrl+s", "shift+tab". It panics at a name that no key
// has, so that a test with a slip does not pass by pressing nothing.
func Key(name string) tea.KeyPressMsg {
	var k tea.Key
	rest := name
	for {
		mod, after, ok := strings.Cut(rest, "+")
		if !ok || after == "" {
			break
		}
		switch mod {
		case "ctrl":
			k.Mod |= tea.ModCtrl
		case "alt":
			k.Mod |= tea.ModAlt
		case "shift":
			k.Mod |= tea.ModShift
		default:
			panic(fmt.Sprintf("uitest: no modifier %q in %q", mod, name))
		}
		rest = after
	}
	if code, ok := named[rest]; ok {
		k.Code = code
	} else if utf8.RuneCountInString(rest) == 1 {
		k.Code, _ = utf8.DecodeRuneInString(rest)
	} else {
		panic(fmt.Sprintf("uitest: no key %q", name))
	}
	if k.Mod&^tea.ModShift == 0 && (k.Code == tea.KeySpace || named[rest] == 0) {
		k.Text = string(k.Code)
	}
	return tea.KeyPressMsg(k)
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
