package widget

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/theme"
)

// buffer is text being edited, byte by byte as it will be used. The cursor
// stands between glyphs: a rune with the marks that follow it.
type buffer struct {
	text []byte
	at   int // the cursor, in bytes
}

// glyph returns the length of the glyph that text begins with.
func glyph(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	_, n := utf8.DecodeRune(text)
	for n < len(text) && text[n] >= 0x80 {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError || !unicode.Is(unicode.M, r) {
			break
		}
		n += size
	}
	return n
}

// glyphBefore returns the length of the glyph that text ends with.
func glyphBefore(text []byte) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeLastRune(text[:len(text)-n])
		n += size
		if r == utf8.RuneError || !unicode.Is(unicode.M, r) {
			break
		}
	}
	return n
}

// cells returns the cells of the glyph that text begins with, and its length.
func cells(text []byte) (n, w int) {
	if c := text[0]; c >= ' ' && c <= '~' && (len(text) == 1 || text[1] < 0x80) {
		return 1, 1
	}
	n = glyph(text)
	return n, theme.Width(theme.SafeBytes(text[:n]))
}

// set replaces the text and puts the cursor at its end.
func (b *buffer) set(text []byte) {
	b.text, b.at = slices.Clone(text), len(text)
}

func (b *buffer) insert(s string) {
	b.text = slices.Insert(b.text, b.at, []byte(s)...)
	b.at += len(s)
}

// cut removes the bytes from start to end.
func (b *buffer) cut(start, end int) {
	b.text = slices.Delete(b.text, start, end)
	b.at = start
}

func (b *buffer) left() int  { return b.at - glyphBefore(b.text[:b.at]) }
func (b *buffer) right() int { return b.at + glyph(b.text[b.at:]) }

// wordLeft returns the start of the word before the cursor.
func (b *buffer) wordLeft() int {
	i, in := b.at, false
	for i > 0 {
		r, n := utf8.DecodeLastRune(b.text[:i])
		if inWord(r) {
			in = true
		} else if in {
			break
		}
		i -= n
	}
	return i
}

// wordRight returns the end of the word after the cursor.
func (b *buffer) wordRight() int {
	i, in := b.at, false
	for i < len(b.text) {
		r, n := utf8.DecodeRune(b.text[i:])
		if inWord(r) {
			in = true
		} else if in {
			break
		}
		i += n
	}
	return i
}

func inWord(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// press applies a key that edits or moves within [start, end), the line the
// cursor is in. It reports whether the key was taken and whether it changed the
// text.
func (b *buffer) press(msg tea.KeyPressMsg, k *keys.Edit, start, end int) (taken, changed bool) {
	size := len(b.text)
	switch {
	case key.Matches(msg, k.Left):
		b.at = b.left()
	case key.Matches(msg, k.Right):
		b.at = b.right()
	case key.Matches(msg, k.WordLeft):
		b.at = b.wordLeft()
	case key.Matches(msg, k.WordRight):
		b.at = b.wordRight()
	case key.Matches(msg, k.Start):
		b.at = start
	case key.Matches(msg, k.End):
		b.at = end
	case key.Matches(msg, k.Backspace):
		b.cut(b.left(), b.at)
	case key.Matches(msg, k.Delete):
		b.cut(b.at, b.right())
	case key.Matches(msg, k.WordBack):
		b.cut(b.wordLeft(), b.at)
	case key.Matches(msg, k.KillStart):
		b.cut(start, b.at)
	case key.Matches(msg, k.KillEnd):
		b.cut(b.at, end)
	case msg.Text != "" && msg.Mod&(tea.ModCtrl|tea.ModAlt) == 0:
		b.insert(msg.Text)
	default:
		return false, false
	}
	return true, len(b.text) != size
}

// pasted returns what was pasted. Terminals turn the line feeds of a paste into
// carriage returns, so that a carriage return says nothing about the text.
func pasted(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
