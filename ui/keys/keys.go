// Package keys is the one key table: which key does what, and where.
//
// A [Map] has a struct of bindings per context. Code matches messages against
// bindings and never against key names; help, footer and documentation are
// made from the same bindings, so that they cannot disagree. A disabled
// binding neither matches nor shows.
//
// Bindings are named as Bubble Tea spells keystrokes: "space", "ctrl+s",
// "shift+tab", and text as it was typed ("G", "?"). Nothing needs a key that
// plain terminals cannot send.
package keys

import "charm.land/bubbles/v2/key"

// Map is every binding, by context. Several contexts are active at a time;
// [Map.Active] says which.
type Map struct {
	Always  Always
	Global  Global
	List    List
	Detail  Detail
	Form    Form
	Field   Field
	Result  Result
	Info    Info
	Traffic Traffic
	Frame   Frame
	Console Console
	Choice  Choice
	Recall  Recall
	Palette Palette
	Start   Start
	Ask     Ask
	Filter  Filter
	Prompt  Prompt
}

// Always works everywhere, also while a field has the keys.
type Always struct {
	Help    key.Binding
	Palette key.Binding
	Quit    key.Binding
}

// Global works wherever letters are commands.
type Global struct {
	Tools     key.Binding
	Resources key.Binding
	Prompts   key.Binding
	Traffic   key.Binding
	Console   key.Binding
	Info      key.Binding
	Next      key.Binding
	Prev      key.Binding
	Zoom      key.Binding
	Cancel    key.Binding
	Restart   key.Binding
	Mouse     key.Binding
	Palette   key.Binding
	Help      key.Binding
	Back      key.Binding
	Close     key.Binding
}

// Move goes up and down in anything that has rows.
type Move struct {
	Up       key.Binding
	Down     key.Binding
	HalfUp   key.Binding
	HalfDown key.Binding
	PageUp   key.Binding
	PageDown key.Binding
	Top      key.Binding
	Bottom   key.Binding
}

// Read moves in text: sideways, wrapped, from hit to hit.
type Read struct {
	Left   key.Binding
	Right  key.Binding
	Wrap   key.Binding
	Search key.Binding
	Hit    key.Binding
	HitUp  key.Binding
}

// Fold closes and opens parts of a document. Level is followed by a digit.
type Fold struct {
	Toggle key.Binding
	Level  key.Binding
}

// List is a list of the catalogue.
type List struct {
	Open key.Binding
	Move
	Filter    key.Binding
	Reload    key.Binding
	Subscribe key.Binding
	Copy      key.Binding
}

// Detail is a resource: there is nothing to fill in.
type Detail struct {
	Open key.Binding
	Move
	Read
	Fold
	Subscribe key.Binding
	Copy      key.Binding
	Editor    key.Binding
	Calls
}

// Calls goes through the calls that were made of one thing.
type Calls struct {
	PrevCall key.Binding
	NextCall key.Binding
}

// Rows chooses a row of a form and changes its state, without typing.
type Rows struct {
	Edit   key.Binding
	Up     key.Binding
	Down   key.Binding
	Top    key.Binding
	Bottom key.Binding
	Left   key.Binding
	Right  key.Binding
	Unset  key.Binding
	Null   key.Binding
}

// Form is a form while no field has the keys.
type Form struct {
	Send key.Binding
	Rows
	Earlier key.Binding
	Editor  key.Binding
	Repeat  key.Binding
	Copy    key.Binding
	Calls
}

// Edit changes text. It holds in every place where text is typed.
type Edit struct {
	Left      key.Binding
	Right     key.Binding
	WordLeft  key.Binding
	WordRight key.Binding
	Start     key.Binding
	End       key.Binding
	Backspace key.Binding
	Delete    key.Binding
	WordBack  key.Binding
	KillStart key.Binding
	KillEnd   key.Binding
}

// Fields goes from field to field while typing.
type Fields struct {
	NextField key.Binding
	PrevField key.Binding
	Enter     key.Binding
	Above     key.Binding
	Below     key.Binding
	Unset     key.Binding
	Null      key.Binding
}

// Field is a field of a form that has the keys.
type Field struct {
	Send key.Binding
	Fields
	Earlier key.Binding
	Editor  key.Binding
	Leave   key.Binding
	Edit
}

// Result is the answer to a call.
type Result struct {
	Repeat key.Binding
	Send   key.Binding
	Move
	Read
	Fold
	Open    key.Binding
	Partner key.Binding
	Copy    key.Binding
	Editor  key.Binding
	Calls
}

// Info is what the server says of itself, and its standard error.
type Info struct {
	Move
	Read
	Fold
	Copy   key.Binding
	Editor key.Binding
}

// Traffic is the list of frames.
type Traffic struct {
	Open key.Binding
	Move
	Filter  key.Binding
	Hit     key.Binding
	HitUp   key.Binding
	HTTP    key.Binding
	Carrier key.Binding
	Partner key.Binding
	Repeat  key.Binding
	Editor  key.Binding
	Copy    key.Binding
}

// Frame is one frame, opened.
type Frame struct {
	Fold
	Move
	Read
	Open    key.Binding
	Bytes   key.Binding
	Carrier key.Binding
	Partner key.Binding
	Repeat  key.Binding
	Copy    key.Binding
	Editor  key.Binding
}

// Console is a line of the command language.
type Console struct {
	Send     key.Binding
	Complete key.Binding
	Earlier  key.Binding
	Later    key.Binding
	Search   key.Binding
	Editor   key.Binding
	Copy     key.Binding
	PageUp   key.Binding
	PageDown key.Binding
	Prev     key.Binding
	Leave    key.Binding
	Edit
}

// Choice is the list of what may be meant by the word that is being typed.
type Choice struct {
	Send  key.Binding
	Take  key.Binding
	Prev  key.Binding
	Up    key.Binding
	Down  key.Binding
	Close key.Binding
	Edit
}

// Recall looks for a line that was typed earlier.
type Recall struct {
	Run   key.Binding
	Take  key.Binding
	Older key.Binding
	Newer key.Binding
	Close key.Binding
	Edit
}

// Palette is every action and every command, found by a few letters.
type Palette struct {
	Take     key.Binding
	Complete key.Binding
	Up       key.Binding
	Down     key.Binding
	PageUp   key.Binding
	PageDown key.Binding
	Close    key.Binding
	Edit
}

// Start is the screen without a target.
type Start struct {
	Open key.Binding
	Move
	Filter key.Binding
}

// Ask is a question from the server.
type Ask struct {
	Accept key.Binding
	Refuse key.Binding
	Cancel key.Binding
	Editor key.Binding
	Hide   key.Binding
}

// Filter is the line that narrows a list, or searches a text, as it is typed.
type Filter struct {
	Accept key.Binding
	Up     key.Binding
	Down   key.Binding
	Clear  key.Binding
	Edit
}

// Prompt is the line of parley repl on a terminal; [Recall] holds there too.
type Prompt struct {
	Send     key.Binding
	Complete key.Binding
	Back     key.Binding
	Earlier  key.Binding
	Later    key.Binding
	Search   key.Binding
	Escape   key.Binding
	Stop     key.Binding
	Leave    key.Binding
	Clear    key.Binding
	Suspend  key.Binding
	Edit
}
