package theme

import (
	"image/color"

	"github.com/charmbracelet/x/ansi"
)

// reset ends every styled piece, so that pieces can be put together in any
// order.
const reset = "\x1b[m"

// Style is how text looks. The zero value is the terminal's own look. Styles
// are values and may be compared.
type Style struct{ open string }

// NewStyle returns the style of a foreground colour; nil keeps the terminal's.
func NewStyle(fg color.Color) Style {
	if fg == nil {
		return Style{}
	}
	return Style{ansi.Style{}.ForegroundColor(fg).String()}
}

// Bold returns s in bold.
func (s Style) Bold() Style { return Style{s.open + ansi.Style{}.Bold().String()} }

// Dim returns s at lower intensity.
func (s Style) Dim() Style { return Style{s.open + ansi.Style{}.Faint().String()} }

// Underline returns s underlined.
func (s Style) Underline() Style {
	return Style{s.open + ansi.Style{}.Underline(true).String()}
}

// Strike returns s struck out.
func (s Style) Strike() Style {
	return Style{s.open + ansi.Style{}.Strikethrough(true).String()}
}

// Reverse returns s with foreground and background exchanged.
func (s Style) Reverse() Style { return Style{s.open + ansi.Style{}.Reverse(true).String()} }

// On returns s on top of base: what s does not say stays as base has it.
func (s Style) On(base Style) Style { return Style{base.open + s.open} }

// Render returns t in this style, as a string for the screen.
func (s Style) Render(t Text) string {
	if s.open == "" || t == "" {
		return string(t)
	}
	return s.open + string(t) + reset
}

func (s Style) appendTo(dst []byte, t Text) []byte {
	if s.open == "" || t == "" {
		return append(dst, t...)
	}
	dst = append(dst, s.open...)
	dst = append(dst, t...)
	return append(dst, reset...)
}

// Styles is every look there is. Widgets are given one; there is no global.
// Nothing is told by colour alone: whoever uses In, Out, Warn or Error also
// writes an arrow, a mark or a word.
type Styles struct {
	Text      Style // what is read
	Muted     Style // what explains it: descriptions, units, times
	Faint     Style // what only holds the place: (absent), line numbers
	Accent    Style // the one accent
	Border    Style // rules
	Focus     Style // the title of the pane that has the keys
	Selection Style // laid under the selected row of the focused pane
	Match     Style // laid over what a search found
	In        Style // from the server
	Out       Style // to the server
	OK        Style
	Warn      Style
	Error     Style
	Key       Style // member names of JSON, keys of the keyboard
	String    Style
	Number    Style // numbers and literals
}

// New returns the styles for a dark or a light background. Colours are the
// terminal's own sixteen, so that the user's palette rules. Lower importance
// is told by intensity, not by "bright black": some palettes draw that in the
// colour of the background.
func New(dark bool) *Styles {
	plain := NewStyle(nil)
	s := &Styles{
		Muted:     plain.Dim(),
		Faint:     NewStyle(ansi.White).Dim(),
		Accent:    NewStyle(ansi.Cyan),
		Border:    plain.Dim(),
		Focus:     NewStyle(ansi.Cyan).Bold(),
		Selection: plain.Bold(),
		Match:     plain.Reverse(),
		In:        NewStyle(ansi.Magenta),
		Out:       NewStyle(ansi.BrightBlue),
		OK:        NewStyle(ansi.Green),
		Warn:      NewStyle(ansi.Yellow),
		Error:     NewStyle(ansi.Red),
		Key:       NewStyle(ansi.Cyan),
		String:    NewStyle(ansi.Green),
		Number:    NewStyle(ansi.Magenta),
	}
	if !dark {
		s.Faint = NewStyle(ansi.BrightBlack).Dim()
		s.Accent = NewStyle(ansi.Blue)
		s.Focus = NewStyle(ansi.Blue).Bold()
		s.Out = NewStyle(ansi.Blue)
		s.Key = NewStyle(ansi.Blue)
	}
	return s
}

// Plain returns styles without any colour or attribute.
func Plain() *Styles { return &Styles{} }
