package rawjson

import "bytes"

// MaxIndentDepth is how deep [Indent] follows nesting. Beyond it the white
// space, which grows with the square of the depth, would be all there is.
const MaxIndentDepth = 1000

// Indent appends src with a line for each element and member, indented by two
// spaces a level, as json.Indent does it. Everything but whitespace is kept
// byte by byte. If src is not JSON, or deeper than [MaxIndentDepth], it is
// appended unchanged and ok is false.
func Indent(dst, src []byte) (out []byte, ok bool) {
	p := parser{src: src}
	out = dst
	opened := false // the last lexeme was the start of a container
	for {
		l := p.next()
		if opened && l != lexClose {
			out = appendLine(out, p.nest.depthBefore(l))
		}
		switch l {
		case lexBad:
			return append(dst, src...), false
		case lexEnd:
			// json.Indent keeps the whitespace after the value.
			return append(out, src[len(bytes.TrimRight(src, " \t\r\n")):]...), true
		case lexOpen:
			if p.nest.depth > MaxIndentDepth {
				return append(dst, src...), false
			}
		case lexClose:
			if !opened {
				out = appendLine(out, p.nest.depth)
			}
		}
		out = append(out, src[p.start:p.at]...)
		switch l {
		case lexComma:
			out = appendLine(out, p.nest.depth)
		case lexColon:
			out = append(out, ' ')
		}
		opened = l == lexOpen
	}
}

// depthBefore gives the depth at which the lexeme found last stands.
func (n *nest) depthBefore(l lexeme) int {
	if l == lexOpen {
		return n.depth - 1
	}
	return n.depth
}

const spaces = "\n                                                                "

// appendLine begins a line at a depth.
func appendLine(dst []byte, depth int) []byte {
	n := 2 * depth
	dst = append(dst, spaces[:min(n+1, len(spaces))]...)
	for n -= len(spaces) - 1; n > 0; n -= len(spaces) - 1 {
		dst = append(dst, spaces[1:min(n+1, len(spaces))]...)
	}
	return dst
}

// Compact appends src without the whitespace outside of its strings. Nothing
// else is changed. An error is a [*SyntaxError]; dst is then returned as it was.
func Compact(dst, src []byte) ([]byte, error) {
	return compact(dst, parser{src: src})
}

// CompactLoose does the same for JSON as people write it: comments, from // to
// the end of the line or between /* and */, and commas after the last element
// or member are left out too.
func CompactLoose(dst, src []byte) ([]byte, error) {
	return compact(dst, parser{src: src, loose: true})
}

func compact(dst []byte, p parser) ([]byte, error) {
	out := dst
	comma := false
	for {
		l := p.next()
		switch l {
		case lexBad:
			return dst, p.err()
		case lexEnd:
			return out, nil
		case lexComma:
			comma = true
			continue
		}
		if comma && l != lexClose {
			out = append(out, ',')
		}
		comma = false
		out = append(out, p.src[p.start:p.at]...)
	}
}

// commentLen gives the length of the comment that b, which begins with a slash,
// begins with: 0 if it is none, negative if it has no end.
func commentLen(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("//")):
		if k := bytes.IndexByte(b, '\n'); k >= 0 {
			return k
		}
		return len(b)
	case bytes.HasPrefix(b, []byte("/*")):
		if k := bytes.Index(b[2:], []byte("*/")); k >= 0 {
			return k + 4
		}
		return -1
	}
	return 0
}
