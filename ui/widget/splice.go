package widget

// At is where the cursor stands, in bytes of the text.
func (f *Field) At() int { return f.buffer.at }

// Splice puts s in the place of bytes from to to, which are borders of glyphs,
// and the cursor behind it.
func (f *Field) Splice(from, to int, s string) {
	size := len(f.buffer.text)
	from = max(0, min(from, size))
	to = max(from, min(to, size))
	f.buffer.cut(from, to)
	f.buffer.insert(s)
	f.settle()
}
