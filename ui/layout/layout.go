// Package layout divides the screen: a pure function from what is to be shown
// to rectangles, and the composition of what was drawn into them.
//
// From 100 columns on the list stands left of the detail, under that on top of
// it. Traffic and console lie below. Under 80 by 24 they have no place of their
// own and take that of the detail while they have the keys; under 40 by 12
// there is no screen. Nothing here depends on text, so that nothing jumps when
// text arrives.
package layout

// The least size of a screen: under it nothing can be shown.
const (
	MinWidth  = 40
	MinHeight = 12
)

// The sizes at which the layout changes.
const (
	smallWidth, smallHeight = 80, 24 // under this traffic has no place
	wideWidth               = 100    // from here on list and detail stand side by side
	tallHeight              = 32     // from here on, stacked, console and traffic both have a place
	roomyHeight             = 40     // from here on neither depends on which of them has the keys
	highHeight              = 50     // from here on the console has some rows of its own
	splitRows               = 14     // rows that detail and result need to share
	maxList                 = 60     // columns of the list unless asked for more
	minList, minDetail      = 36, 44 // columns that neither goes below
	defaultList             = 43     // percent
	defaultTraffic          = 25     // percent
)

// Pane is a place that can have the keys.
type Pane uint8

// The panes.
const (
	None Pane = iota
	List
	Detail
	Result
	Traffic
	Console
	Frame
	panes
)

// String names the pane.
func (p Pane) String() string {
	return [panes]string{"none", "list", "detail", "result", "traffic", "console", "frame"}[p]
}

// Args is what the layout depends on.
type Args struct {
	Width, Height int
	Focus         Pane
	Zoom          bool // the focused pane takes everything
	Console       bool // the console is open
	Result        bool // there is a result to show with the detail
	Frame         bool // an opened frame takes the place of list and detail
	ListShare     int  // percent of the width; 0 for the default
	TrafficShare  int  // percent of the height; 0 for the default
}

// Rect is a part of the screen in cells.
type Rect struct{ X, Y, W, H int }

// Empty reports whether nothing fits into r.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Has reports whether a cell is in r.
func (r Rect) Has(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Rule is the row that divides panes. It carries the title of the one below.
type Rule struct {
	Rect
	Pane  Pane
	Joint int // the column, from X, at which the divider above ends; 0 without
}

// Layout is a divided screen. Panes that do not show are empty.
type Layout struct {
	TooSmall bool // nothing shows; say which size is needed
	Stacked  bool // the list is on top of the detail
	Header   Rect
	Footer   Rect
	Notice   Rect // the row above the footer, over what is there
	Rules    []Rule
	Divider  Rect  // the vertical rule, from the top rule down
	Tees     []int // rows of the divider, from its Y, at which a rule begins
	panes    [panes]Rect
}

// Rect returns the place of a pane.
func (l *Layout) Rect(p Pane) Rect { return l.panes[p] }

// Shows reports whether a pane has a place.
func (l *Layout) Shows(p Pane) bool { return !l.panes[p].Empty() }

// Hit returns the pane at a cell, its rule included, or None.
func (l *Layout) Hit(x, y int) Pane {
	for p := range panes {
		if l.panes[p].Has(x, y) {
			return p
		}
	}
	for _, r := range l.Rules {
		if r.Has(x, y) {
			return r.Pane
		}
	}
	return None
}

// New divides the screen.
func New(a Args) Layout {
	if a.Width < MinWidth || a.Height < MinHeight {
		return Layout{TooSmall: true}
	}
	p := plan{Args: a, small: a.Width < smallWidth || a.Height < smallHeight}
	p.Header = Rect{0, 0, a.Width, 1}
	p.Footer = Rect{0, a.Height - 1, a.Width, 1}
	p.Notice = Rect{0, a.Height - 2, a.Width, 1}
	p.divide(Rect{0, 1, a.Width, a.Height - 2})
	return p.Layout
}

type plan struct {
	Args
	Layout
	small bool
}

// place gives a pane a rectangle whose first row is its rule.
func (p *plan) place(pane Pane, r Rect) {
	p.Rules = append(p.Rules, Rule{Rect: Rect{r.X, r.Y, r.W, 1}, Pane: pane})
	p.panes[pane] = Rect{r.X, r.Y + 1, r.W, r.H - 1}
}

func (p *plan) divide(body Rect) {
	if p.Zoom && p.Focus != None {
		p.place(p.Focus, body)
		return
	}
	below := p.below(body.H)
	main := body
	for _, b := range below {
		main.H -= b.rows + 1
	}
	p.main(main)
	y := main.Y + main.H
	for _, b := range below {
		p.place(b.pane, Rect{0, y, p.Width, b.rows + 1})
		y += b.rows + 1
	}
	p.join(main.Y + main.H)
}

// join marks where the divider meets the rule below it.
func (p *plan) join(y int) {
	for i, r := range p.Rules {
		if !p.Divider.Empty() && r.Y == y && r.W == p.Width {
			p.Rules[i].Joint = p.Divider.X
		}
	}
}

type strip struct {
	pane Pane
	rows int
}

// below returns the panes under the main area, with their rows.
func (p *plan) below(height int) []strip {
	if p.small {
		return nil
	}
	stacked := p.Width < wideWidth
	console := p.Console || p.Focus == Console
	rows := max(3, min((height-3)*share(p.TrafficShare, defaultTraffic)/100, height-12))
	switch {
	case !console:
		return []strip{{Traffic, rows}}
	case stacked && p.Height < tallHeight && p.Focus == Traffic:
		return []strip{{Traffic, rows}}
	case stacked && p.Height < tallHeight:
		return []strip{{Console, rows}}
	}
	line := 1 // above the line shows what the lines before gave
	switch {
	case p.Height >= highHeight:
		line = 5
	case p.Height >= roomyHeight:
		line = 3
	case p.Focus == Console:
		line += min(rows-3, 4)
		rows -= line - 1
	}
	return []strip{{Traffic, rows}, {Console, line}}
}

func share(percent, otherwise int) int {
	if percent <= 0 {
		return otherwise
	}
	return min(percent, 90)
}

// main divides what is above the traffic.
func (p *plan) main(r Rect) {
	lower := p.lower()
	if p.Frame {
		if lower == Detail || lower == Result {
			lower = Frame
		}
		p.place(lower, r)
		return
	}
	if p.Width < wideWidth {
		p.Stacked = true
		rows := max(3, (r.H-2)*35/100)
		p.place(List, Rect{0, r.Y, p.Width, rows + 1})
		p.detail(lower, Rect{0, r.Y + rows + 1, p.Width, r.H - rows - 1})
		return
	}
	w := min(p.Width*share(p.ListShare, defaultList)/100, maxList)
	if p.ListShare > 0 {
		w = p.Width * share(p.ListShare, defaultList) / 100
	}
	w = max(minList, min(w, p.Width-minDetail-1))
	p.Divider = Rect{w, r.Y, 1, r.H}
	p.place(List, Rect{0, r.Y, w, r.H})
	p.detail(lower, Rect{w + 1, r.Y, p.Width - w - 1, r.H})
}

// lower returns the pane that stands where the detail is when there is place
// for one only.
func (p *plan) lower() Pane {
	switch {
	case (p.Focus == Result || p.Focus == Console && !p.small) && p.Result:
		return Result // a line of the console was sent by no form
	case p.small && (p.Focus == Traffic || p.Focus == Console):
		return p.Focus
	}
	return Detail
}

// detail divides the place of the detail.
func (p *plan) detail(lower Pane, r Rect) {
	rows := r.H - 2 // without the two rules
	if !p.Result || rows < splitRows || lower == Traffic || lower == Console {
		p.place(lower, r)
		return
	}
	under := r
	under.H = rows/2 + 1
	r.H -= under.H
	under.Y += r.H
	p.place(Detail, r)
	p.place(Result, under)
	if !p.Divider.Empty() {
		p.Tees = append(p.Tees, under.Y-p.Divider.Y)
	}
}
