package prompt

import (
	"charm.land/bubbles/v2/key"

	"parley/ui/keys"
)

// Keys is what the keys of the prompt do, beside those that edit the line.
type Keys struct {
	Enter    key.Binding
	Complete key.Binding
	Back     key.Binding // of completion: the one before
	Search   key.Binding
	Escape   key.Binding // leaves completion and search
	Take     key.Binding // in a search: the line, to be changed
	Stop     key.Binding
	Leave    key.Binding
	Clear    key.Binding
	Suspend  key.Binding

	keys.Console
}

// NewKeys returns the keys of the prompt.
func NewKeys() Keys {
	bind := func(name, does string, also ...string) key.Binding {
		return key.NewBinding(key.WithKeys(append(also, name)...), key.WithHelp(name, does))
	}
	return Keys{
		Enter:    bind("enter", "run the line", "ctrl+j"),
		Complete: bind("tab", "complete"),
		Back:     bind("shift+tab", "complete with the one before"),
		Search:   bind("ctrl+r", "search the lines typed earlier"),
		Escape:   bind("esc", "back to what was typed", "ctrl+g"),
		Take:     bind("tab", "take the line", "right", "end", "ctrl+e", "ctrl+f"),
		Stop:     bind("ctrl+c", "stop what runs, or drop the line"),
		Leave:    bind("ctrl+d", "leave, on an empty line"),
		Clear:    bind("ctrl+l", "clear the screen"),
		Suspend:  bind("ctrl+z", "suspend"),
		Console:  keys.New().Console,
	}
}
