package script

import (
	"maps"
	"slices"

	"parley/client/near"
)

// Check says which variables are used before they have a value: known are those that
// have one when the script begins. $env always has. The error is a *[SyntaxError],
// or [SyntaxErrors] if there are several.
func Check(s *Script, known []string) error {
	c := scope{known: map[string]bool{"env": true}, told: map[string]bool{}}
	for _, name := range known {
		c.known[name] = true
	}
	c.steps(s.Steps)
	return c.wrong.err()
}

// scope has the variables that have a value.
type scope struct {
	known map[string]bool
	told  map[string]bool // those that are not known, each told once
	wrong SyntaxErrors
}

func (c *scope) steps(steps []*Step) {
	for _, s := range steps {
		for e := range s.expressions() {
			c.expr(e)
		}
		if s.Each != "" {
			c.known[s.Each] = true
		}
		c.steps(s.Body)
		if s.Let != "" {
			c.known[s.Let] = true
		}
	}
}

// expr tells each variable that is not known once.
func (c *scope) expr(e *Expr) {
	for _, name := range e.Vars {
		if c.known[name] || c.told[name] || len(c.wrong) == MaxErrors {
			continue
		}
		names := slices.Sorted(maps.Keys(c.known))
		for i, n := range names {
			names[i] = "$" + n
		}
		wrong := &SyntaxError{Pos: e.Pos, Expected: "a variable that has a value", Found: "$" + name, Near: near.Best("$"+name, names),
			Advice: "let " + name + " = … gives it one; a literal $ stands in '…'"}
		if name == "__loc__" {
			wrong.Near, wrong.Advice = "", "this variable of jq's is not there; errors name the place themselves"
		}
		c.wrong = append(c.wrong, wrong)
		c.told[name] = true
	}
}

// expressions gives the expressions of a step itself, not those of its body.
func (s *Step) expressions() func(yield func(*Expr) bool) {
	return func(yield func(*Expr) bool) {
		words := s.Words
		if len(s.Flags) > 0 {
			words = slices.Clone(words)
			for _, name := range slices.Sorted(maps.Keys(s.Flags)) {
				words = append(words, s.Flags[name])
			}
		}
		for _, w := range words {
			for _, part := range w.Parts {
				if part.Expr != nil && !yield(part.Expr) {
					return
				}
			}
		}
		if s.Expr != nil && !yield(s.Expr) || s.Test == nil {
			return
		}
		for _, e := range [...]*Expr{s.Test.Left.Expr, s.Test.Right.Expr} {
			if e != nil && !yield(e) {
				return
			}
		}
	}
}
