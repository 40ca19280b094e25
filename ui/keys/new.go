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
			Tools:     bind("1", "go to the tools"),
			Resources: bind("2", "go to the resources"),
			Prompts:   bind("3", "go to the prompts"),
			Traffic:   bind("4", "go to the traffic"),
			Console:   bind("5", "go to the console"),
			Info:      bind("6", "server info and stderr"),
			Next:      bind("tab", "go to the next pane"),
			Prev:      bind("shift+tab", "go to the previous pane"),
			Zoom:      bind("Z", "zoom the pane, and back"),
			Cancel:    bind("x", "cancel the call in flight"),
			Restart:   bind("R", "restart the server, or connect again"),
			Mouse:     bind("M", "give the mouse to the terminal, and back"),
			Palette:   bind(":", "any action or command"),
			Help:      bind("?", "help"),
			Back:      bind("esc", "go one step back"),
			Close:     bind("q", "back, or quit"),
		},
		List: List{
			Open:      bind("enter", "open what is selected"),
			Move:      move(),
			Filter:    bind("/", "filter the list"),
			Reload:    bind("r", "list again, whatever is cached"),
			Subscribe: bind("s", "subscribe to the resource, or end that"),
			Copy:      bind("y", "copy what is selected …"),
		},
		Detail: Detail{
			Open:      bind("enter", "read the resource"),
			Move:      move(),
			Read:      read(),
			Fold:      fold(),
			Subscribe: bind("s", "subscribe to the resource, or end that"),
			Copy:      bind("y", "copy what is shown …"),
			Editor:    bind("e", "open it in the editor"),
			Calls:     calls(),
		},
		Form: Form{
			Send:    bind("ctrl+s", "send the call"),
			Rows:    rows(),
			Earlier: bind("ctrl+p", "fill in the arguments of an earlier call"),
			Editor:  bind("e", "edit the arguments as JSON"),
			Repeat:  bind("r", "send the last call again"),
			Copy:    bind("y", "copy what is selected …"),
			Calls:   calls(),
		},
		Field: Field{
			Send:    bind("ctrl+s", "send the call"),
			Fields:  fields(),
			Earlier: bind("ctrl+p", "fill in the arguments of an earlier call"),
			Editor:  bind("ctrl+o", "edit the arguments as JSON"),
			Leave:   bind("esc", "leave the field"),
			Edit:    edit(),
		},
		Result: Result{
			Repeat:  bind("r", "send the last call again"),
			Send:    bind("ctrl+s", "send the form"),
			Move:    move(),
			Read:    read(),
			Fold:    fold(),
			Open:    bind("enter", "open as text"),
			Partner: bind("p", "show the request, or the response"),
			Copy:    bind("y", "copy from the result …"),
			Editor:  bind("e", "open the result in the editor"),
			Calls:   calls(),
		},
		Info: Info{
			Move:   move(),
			Read:   read(),
			Fold:   fold(),
			Copy:   bind("y", "copy what is shown …"),
			Editor: bind("e", "open it in the editor"),
		},
		Traffic: Traffic{
			Open:    bind("enter", "open the frame"),
			Move:    follow(),
			Filter:  bind("/", "filter the traffic"),
			Hit:     bind("n", "next hit"),
			HitUp:   bind("N", "previous hit"),
			HTTP:    bind("h", "show the lines of HTTP too, or only the messages"),
			Carrier: bind("H", "go to the HTTP line of the message, or to its message"),
			Partner: bind("p", "go to the request, or to the response"),
			Repeat:  bind("r", "send the request again"),
			Editor:  bind("e", "edit what was sent, and send it"),
			Copy:    bind("y", "copy from the frame …"),
		},
		Frame: Frame{
			Fold:    fold(),
			Move:    move(),
			Read:    read(),
			Open:    bind("enter", "open as text"),
			Bytes:   bind("b", "show the exact bytes, and back"),
			Carrier: bind("H", "go to the HTTP line of the message, or to its message"),
			Partner: bind("p", "go to the request, or to the response"),
			Repeat:  bind("r", "send the request again"),
			Copy:    bind("y", "copy from the frame …"),
			Editor:  bind("e", "open it in the editor"),
		},
		Console: Console{
			Send:     bind("enter", "run the line", "enter", "ctrl+s"),
			Complete: bind("tab", "complete, or go to the next pane"),
			Earlier:  bind("↑", "the line typed before", "up"),
			Later:    bind("↓", "the line typed after", "down"),
			Search:   bind("ctrl+r", "search the lines typed earlier"),
			Editor:   bind("ctrl+o", "edit the line in the editor"),
			Copy:     bind("ctrl+y", "copy the line …"),
			PageUp:   bind("pgup", "what was said before"),
			PageDown: bind("pgdn", "what was said after", "pgdown"),
			Prev:     bind("shift+tab", "go to the previous pane"),
			Leave:    bind("esc", "leave the line"),
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
		Recall: recall(),
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
		Prompt: prompt(),
		Filter: Filter{
			Accept: bind("enter", "keep the filter"),
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
		Wrap:   bind("w", "wrap long lines, or not"),
		Search: bind("/", "search the text"),
		Hit:    bind("n", "next hit"),
		HitUp:  bind("N", "previous hit"),
	}
}

// recall edits what is looked for at its end alone: the keys that move the cursor
// take the line that was found.
func recall() Recall {
	e := edit()
	for _, b := range []*key.Binding{&e.Left, &e.Right, &e.WordLeft, &e.WordRight, &e.Start, &e.End, &e.Delete, &e.KillEnd} {
		b.SetEnabled(false)
	}
	return Recall{
		Run:   bind("enter", "run the line", "enter", "ctrl+s"),
		Take:  bind("tab ← →", "take the line, to change it", "tab", "left", "right", "home", "end", "ctrl+a", "ctrl+e", "ctrl+b", "ctrl+f"),
		Older: bind("ctrl+r ↑", "older", "ctrl+r", "up"),
		Newer: bind("↓", "newer", "down"),
		Close: bind("esc", "back to what was typed", "esc", "ctrl+g"),
		Edit:  e,
	}
}

func prompt() Prompt {
	e := edit()
	e.Delete = bind("delete", "delete to the right")
	return Prompt{
		Send:     bind("enter", "run the line", "enter", "ctrl+j"),
		Complete: bind("tab", "complete, then the next one"),
		Back:     bind("shift+tab", "complete with the one before"),
		Earlier:  bind("↑", "the line typed before, or the one before in a list", "up", "ctrl+p"),
		Later:    bind("↓", "the line typed after, or the one after in a list", "down", "ctrl+n"),
		Search:   bind("ctrl+r", "search the lines typed earlier"),
		Escape:   bind("esc", "close the list: back to what was typed", "esc", "ctrl+g"),
		Stop:     bind("ctrl+c", "stop what runs, or drop the line"),
		Leave:    bind("ctrl+d", "leave, or delete to the right"),
		Clear:    bind("ctrl+l", "clear the screen"),
		Suspend:  bind("ctrl+z", "suspend"),
		Edit:     e,
	}
}

func fold() Fold {
	return Fold{
		Toggle: bind("space", "fold, or unfold"),
		Level:  bind("z1…z9", "fold to a level", "z"),
	}
}

func calls() Calls {
	return Calls{
		PrevCall: bind("[", "show the call before"),
		NextCall: bind("]", "show the call after"),
	}
}

func rows() Rows {
	return Rows{
		Edit:   bind("enter", "edit the field"),
		Up:     bind("k ↑", "up", "k", "up"),
		Down:   bind("j ↓", "down", "j", "down"),
		Top:    bind("g home", "first field", "g", "home"),
		Bottom: bind("G end", "last field", "G", "end"),
		Left:   bind("h ←", "previous choice", "h", "left"),
		Right:  bind("l → space", "next choice", "l", "right", "space"),
		Unset:  bind("ctrl+l", "make the argument absent"),
		Null:   bind("ctrl+n", "make the argument null"),
	}
}

func fields() Fields {
	return Fields{
		NextField: bind("tab", "next field"),
		PrevField: bind("shift+tab", "previous field"),
		Enter:     bind("enter", "next field, or new line"),
		Above:     bind("↑", "line or field above", "up"),
		Below:     bind("↓", "line or field below", "down"),
		Unset:     bind("ctrl+l", "make the argument absent"),
		Null:      bind("ctrl+n", "make the argument null"),
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
