package keys

import "charm.land/bubbles/v2/key"

// bind makes a binding whose help shows the keys as shown.
func bind(shown, does string, keys ...string) key.Binding {
	if len(keys) == 0 {
		keys = []string{shown}
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// New returns the whole table, everything enabled.
func New() Map {
	return Map{
		Always: Always{
			Help:    bind("f1", "help"),
			Palette: bind("f2", "any action or command"),
			Quit:    bind("ctrl+c", "quit, or stop what the console runs"),
		},
		Global: Global{
			Tools:     bind("1", "tools"),
			Resources: bind("2", "resources"),
			Prompts:   bind("3", "prompts"),
			Traffic:   bind("4", "traffic"),
			Console:   bind("5", "console"),
			Info:      bind("6", "server info and stderr"),
			Next:      bind("tab", "next pane"),
			Prev:      bind("shift+tab", "previous pane"),
			Zoom:      bind("Z", "zoom the pane"),
			Cancel:    bind("x", "cancel the call in flight"),
			Restart:   bind("R", "restart the server"),
			Mouse:     bind("M", "mouse to the terminal and back"),
			Palette:   bind(":", "any action or command"),
			Help:      bind("?", "help"),
			Back:      bind("esc", "back"),
			Close:     bind("q", "back, or quit"),
		},
		List: List{
			Open:   bind("enter", "open"),
			Move:   move(),
			Filter: bind("/", "filter"),
			Reload: bind("r", "list again"),
			Copy:   bind("y", "copy …"),
		},
		Detail: Detail{
			Open:   bind("enter", "read"),
			Move:   move(),
			Read:   read(),
			Fold:   fold(),
			Copy:   bind("y", "copy …"),
			Editor: bind("e", "open in the editor"),
			Calls:  calls(),
		},
		Form: Form{
			Send:    bind("ctrl+s", "send"),
			Rows:    rows(),
			Earlier: bind("ctrl+p", "earlier"),
			Editor:  bind("e", "edit as JSON"),
			Repeat:  bind("r", "send again"),
			Copy:    bind("y", "copy …"),
			Calls:   calls(),
		},
		Field: Field{
			Send:    bind("ctrl+s", "send"),
			Fields:  fields(),
			Earlier: bind("ctrl+p", "earlier"),
			Editor:  bind("ctrl+o", "as JSON"),
			Leave:   bind("esc", "leave"),
			Edit:    edit(),
		},
		Result: Result{
			Repeat:  bind("r", "send again"),
			Send:    bind("ctrl+s", "send the form"),
			Move:    move(),
			Read:    read(),
			Fold:    fold(),
			Open:    bind("enter", "open as text"),
			Partner: bind("p", "request and response"),
			Copy:    bind("y", "copy …"),
			Editor:  bind("e", "editor"),
			Calls:   calls(),
		},
		Info: Info{
			Move:   move(),
			Read:   read(),
			Fold:   fold(),
			Copy:   bind("y", "copy …"),
			Editor: bind("e", "open in the editor"),
		},
		Traffic: Traffic{
			Open:    bind("enter", "open the frame"),
			Move:    follow(),
			Filter:  bind("/", "filter"),
			Hit:     bind("n", "next hit"),
			HitUp:   bind("N", "previous hit"),
			Partner: bind("p", "partner"),
			Repeat:  bind("r", "send again"),
			Editor:  bind("e", "edit and send"),
			Copy:    bind("y", "copy …"),
		},
		Frame: Frame{
			Fold:    fold(),
			Move:    move(),
			Read:    read(),
			Open:    bind("enter", "open as text"),
			Bytes:   bind("b", "bytes"),
			Partner: bind("p", "partner"),
			Repeat:  bind("r", "send again"),
			Copy:    bind("y", "copy …"),
			Editor:  bind("e", "editor"),
		},
		Console: Console{
			Send:     bind("enter", "run", "enter", "ctrl+s"),
			Complete: bind("tab", "complete, or next pane"),
			Earlier:  bind("↑", "earlier", "up"),
			Later:    bind("↓", "later", "down"),
			Search:   bind("ctrl+r", "search"),
			Editor:   bind("ctrl+o", "editor"),
			Copy:     bind("ctrl+y", "copy …"),
			PageUp:   bind("pgup", "what was said before"),
			PageDown: bind("pgdn", "what was said after", "pgdown"),
			Prev:     bind("shift+tab", "previous pane"),
			Leave:    bind("esc", "leave"),
			Edit:     edit(),
		},
		Choice: Choice{
			Send:  bind("enter", "run the line", "enter", "ctrl+s"),
			Take:  bind("tab", "complete"),
			Prev:  bind("shift+tab", "the one before"),
			Up:    bind("↑", "up", "up"),
			Down:  bind("↓", "down", "down"),
			Close: bind("esc", "close the list"),
			Edit:  edit(),
		},
		Recall: Recall{
			Take:  bind("enter", "take the line", "enter", "tab"),
			Older: bind("ctrl+r ↑", "older", "ctrl+r", "up"),
			Newer: bind("↓", "newer", "down"),
			Close: bind("esc", "back to what was typed"),
			Edit:  edit(),
		},
		Palette: Palette{
			Take:     bind("enter", "run"),
			Complete: bind("tab", "complete"),
			Up:       bind("↑", "up", "up", "ctrl+p"),
			Down:     bind("↓", "down", "down", "ctrl+n"),
			PageUp:   bind("pgup", "page up"),
			PageDown: bind("pgdn", "page down", "pgdown"),
			Close:    bind("esc", "close"),
			Edit:     edit(),
		},
		Start: Start{
			Open:   bind("enter", "connect or open"),
			Move:   move(),
			Filter: bind("/", "filter"),
		},
		Ask: Ask{
			Accept: bind("ctrl+s", "accept"),
			Refuse: bind("ctrl+r", "refuse"),
			Cancel: bind("ctrl+x", "cancel"),
			Editor: bind("ctrl+o", "JSON"),
			Hide:   bind("esc", "hide"),
		},
		Filter: Filter{
			Accept: bind("enter", "keep"),
			Up:     bind("↑", "up", "up"),
			Down:   bind("↓", "down", "down"),
			Clear:  bind("esc", "drop the filter"),
			Edit:   edit(),
		},
	}
}

func move() Move {
	return Move{
		Up:       bind("k ↑", "up", "k", "up"),
		Down:     bind("j ↓", "down", "j", "down"),
		HalfUp:   bind("ctrl+u", "half a page up"),
		HalfDown: bind("ctrl+d", "half a page down"),
		PageUp:   bind("pgup", "page up"),
		PageDown: bind("pgdn", "page down", "pgdown"),
		Top:      bind("g home", "first", "g", "home"),
		Bottom:   bind("G end", "last", "G", "end"),
	}
}

func follow() Move {
	m := move()
	m.Bottom.SetHelp("G end", "last, and follow what comes")
	return m
}

func read() Read {
	return Read{
		Left:   bind("h ←", "left", "h", "left"),
		Right:  bind("l →", "right", "l", "right"),
		Wrap:   bind("w", "wrap long lines"),
		Search: bind("/", "search"),
		Hit:    bind("n", "next hit"),
		HitUp:  bind("N", "previous hit"),
	}
}

func fold() Fold {
	return Fold{
		Toggle: bind("space", "fold"),
		Level:  bind("z1…z9", "fold to a level", "z"),
	}
}

func calls() Calls {
	return Calls{
		PrevCall: bind("[", "previous call"),
		NextCall: bind("]", "next call"),
	}
}

func rows() Rows {
	return Rows{
		Edit:   bind("enter", "edit"),
		Up:     bind("k ↑", "up", "k", "up"),
		Down:   bind("j ↓", "down", "j", "down"),
		Top:    bind("g home", "first field", "g", "home"),
		Bottom: bind("G end", "last field", "G", "end"),
		Left:   bind("h ←", "previous choice", "h", "left"),
		Right:  bind("l → space", "next choice", "l", "right", "space"),
		Unset:  bind("ctrl+l", "absent"),
		Null:   bind("ctrl+n", "null"),
	}
}

func fields() Fields {
	return Fields{
		NextField: bind("tab", "next"),
		PrevField: bind("shift+tab", "previous field"),
		Enter:     bind("enter", "next field, or new line"),
		Above:     bind("↑", "line or field above", "up"),
		Below:     bind("↓", "line or field below", "down"),
		Unset:     bind("ctrl+l", "absent"),
		Null:      bind("ctrl+n", "null"),
	}
}

func edit() Edit {
	return Edit{
		Left:      bind("←", "left", "left", "ctrl+b"),
		Right:     bind("→", "right", "right", "ctrl+f"),
		WordLeft:  bind("alt+b", "word left", "alt+b", "alt+left", "ctrl+left"),
		WordRight: bind("alt+f", "word right", "alt+f", "alt+right", "ctrl+right"),
		Start:     bind("ctrl+a", "start of the line", "ctrl+a", "home"),
		End:       bind("ctrl+e", "end of the line", "ctrl+e", "end"),
		Backspace: bind("backspace", "delete to the left", "backspace", "ctrl+h", "shift+backspace"),
		Delete:    bind("ctrl+d", "delete to the right", "ctrl+d", "delete"),
		WordBack:  bind("ctrl+w", "delete the word to the left", "ctrl+w", "alt+backspace", "ctrl+backspace"),
		KillStart: bind("ctrl+u", "delete to the start"),
		KillEnd:   bind("ctrl+k", "delete to the end"),
	}
}
