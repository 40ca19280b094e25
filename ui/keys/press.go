package keys

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
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

// Press makes the message of one key press from its name, as bindings spell it:
// "j", "G", "space", "ctrl+s", "shift+tab". ok is false for a name that no key
// has.
func Press(name string) (msg tea.KeyPressMsg, ok bool) {
	var k tea.Key
	rest := name
	for {
		mod, after, more := strings.Cut(rest, "+")
		if !more || after == "" {
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
			return msg, false
		}
		rest = after
	}
	if code, found := named[rest]; found {
		k.Code = code
	} else if utf8.RuneCountInString(rest) == 1 {
		k.Code, _ = utf8.DecodeRuneInString(rest)
	} else {
		return msg, false
	}
	if k.Mod&^tea.ModShift == 0 && (k.Code == tea.KeySpace || named[rest] == 0) {
		k.Text = string(k.Code)
	}
	return tea.KeyPressMsg(k), true
}

// First makes the message of a binding's first key, so that what the binding
// does can be asked for without its key.
func First(b key.Binding) (tea.KeyPressMsg, bool) {
	if all := b.Keys(); len(all) > 0 {
		return Press(all[0])
	}
	return tea.KeyPressMsg{}, false
}
