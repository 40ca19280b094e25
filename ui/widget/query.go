package widget

import (
	"strings"

	"parley/ui/theme"
)

// Query is what is searched for in shown text. The zero Query finds nothing.
// Without a capital letter case does not matter.
type Query struct {
	text theme.Text
	fold bool
}

// NewQuery makes a query of what was typed.
func NewQuery(typed string) Query {
	return Query{
		text: theme.Safe(typed),
		fold: !strings.ContainsFunc(typed, func(r rune) bool { return r >= 'A' && r <= 'Z' }),
	}
}

// Empty reports whether there is nothing to look for.
func (q Query) Empty() bool { return q.text == "" }

// Text is what is looked for.
func (q Query) Text() theme.Text { return q.text }

// Find returns the first place in t at or after byte from.
func (q Query) Find(t theme.Text, from int) (start, end int, ok bool) {
	if q.text == "" || from > len(t) {
		return 0, 0, false
	}
	var i int
	if q.fold {
		i = indexFold(t[from:], q.text)
	} else {
		i = strings.Index(string(t[from:]), string(q.text))
	}
	if i < 0 {
		return 0, 0, false
	}
	return from + i, from + i + len(q.text), true
}

// last returns the last place in t that begins before byte before.
func (q Query) last(t theme.Text, before int) (start int, ok bool) {
	for at := 0; ; {
		s, _, found := q.Find(t, at)
		if !found || s >= before {
			return start, ok
		}
		start, ok, at = s, true, s+1
	}
}

// indexFold finds q, which has no capital ASCII letters, in t. Only ASCII
// letters fold: folding others could change the number of bytes.
func indexFold(t, q theme.Text) int {
	for i := 0; i+len(q) <= len(t); i++ {
		if lower(t[i]) == q[0] && equalFold(t[i+1:i+len(q)], q[1:]) {
			return i
		}
	}
	return -1
}

func equalFold(t, q theme.Text) bool {
	for i := range len(q) {
		if lower(t[i]) != q[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
