package widget

import "parley/ui/theme"

// Search looks for what was typed, from the current line on, and shows the
// first hit. It reports whether there is one; an empty query ends the search.
func (v *Viewer) Search(typed string) bool {
	v.query, v.hit = NewQuery(typed), hit{}
	if v.query.Empty() {
		return true
	}
	return v.NextHit(1)
}

// Query is what is searched for.
func (v *Viewer) Query() Query { return v.query }

// NextHit goes to the next hit (step 1) or the one before (step -1), past the
// end to the other end. It reports whether there is one.
func (v *Viewer) NextHit(step int) bool {
	if v.query.Empty() || v.src.Lines() == 0 {
		return false
	}
	v.follow = false
	at := v.hit
	if !at.ok {
		at = hit{line: v.Current(), at: -1}
	}
	if h, ok := v.hitIn(at.line, at.at, step); ok {
		v.showHit(h)
		return true
	}
	for _, from := range [2]int{at.line + step, v.edge(step)} {
		n := v.src.Lines()
		if line, ok := v.search(from, step); ok {
			if v.src.Lines() != n { // it opened what hid the hit
				v.Refresh()
			}
			before := -1
			if step < 0 {
				before = len(v.get(line).Text) + 1
			}
			if h, ok := v.hitIn(line, before, step); ok {
				v.showHit(h)
				return true
			}
		}
	}
	return false
}

// edge is the line at which a search begins anew.
func (v *Viewer) edge(step int) int {
	if step > 0 {
		return 0
	}
	return v.src.Lines() - 1
}

// hitIn finds the hit in one line that follows byte at, or comes before it.
func (v *Viewer) hitIn(line, at, step int) (hit, bool) {
	text := v.get(line).Text
	if step > 0 {
		s, _, ok := v.query.Find(text, at+1)
		return hit{line, s, true}, ok
	}
	s, ok := v.query.last(text, at)
	return hit{line, s, true}, ok
}

// search returns the next line that has a hit.
func (v *Viewer) search(from, step int) (int, bool) {
	n := v.src.Lines()
	if from < 0 || from >= n {
		return 0, false
	}
	if s, ok := v.src.(Searcher); ok {
		return s.Search(v.query, from, step)
	}
	for i := from; i >= 0 && i < n; i += step {
		if _, _, ok := v.query.Find(v.src.Line(i).Text, 0); ok {
			return i, true
		}
	}
	return 0, false
}

// showHit goes to a hit, sideways too.
func (v *Viewer) showHit(h hit) {
	v.hit = h
	v.cur = h.line
	p := place{h.line, 0}
	l := v.get(h.line)
	if v.wrap {
		for v.known(l, p.row+1); p.row+1 < len(l.rows) && l.rows[p.row+1] <= h.at; v.known(l, p.row+1) {
			p.row++
		}
	} else {
		v.showCells(l.Text[:h.at])
	}
	v.reveal(p)
}

// showCells moves the window sideways so that what follows before shows.
func (v *Viewer) showCells(before theme.Text) {
	cells, hit, w := theme.Width(before), theme.Width(v.query.text), v.width()
	switch {
	case cells+hit < w:
		v.left = 0
	case cells < v.left || cells+hit >= v.left+w:
		v.left = max(0, cells-w/2)
	}
}
