package script

import (
	"maps"
	"slices"

	"parley/client/near"
)

// Check says which variable is used before it has a value: known are those that
// have one when the script begins. $env always has. The error is a *[SyntaxError].
func Check(s *Script, known []string) error {
	c := scope{known: map[string]bool{"env": true}}
	for _, name := range known {
		c.known[name] = true
	}
	if wrong := c.steps(s.Steps); wrong != nil {
		return wrong
	}
	return nil
}

// scope has the variables that have a value.
type scope struct{ known map[string]bool }

func (c *scope) steps(steps []*Step) *SyntaxError {
	for _, s := range steps {
		for e := range s.expressions() {
			if wrong := c.expr(e); wrong != nil {
				return wrong
			}
		}
		if s.Each != "" {
			c.known[s.Each] = true
		}
		if wrong := c.steps(s.Body); wrong != nil {
			return wrong
		}
		if s.Let != "" {
			c.known[s.Let] = true
		}
	}
	return nil
}

func (c *scope) expr(e *Expr) *SyntaxError {
	for _, name := range e.Vars {
		if c.known[name] {
			continue
		}
		names := slices.Sorted(maps.Keys(c.known))
		for i, n := range names {
			names[i] = "$" + n
		}
		return &SyntaxError{Pos: e.Pos, Expected: "a variable that has a value", Found: "$" + name, Near: near.Best("$"+name, names),
			Advice: "let " + name + " = … gives it one; a literal $ stands in '…'"}
	}
	return nil
}

// expressions gives the expressions of a step itself, not those of its body.
func (s *Step) expressions() func(yield func(*Expr) bool) {
	return func(yield func(*Expr) bool) {
		words := slices.Clone(s.Words)
		for _, name := range slices.Sorted(maps.Keys(s.Flags)) {
			words = append(words, s.Flags[name])
		}
		for _, w := range words {
			for _, part := range w.Parts {
				if part.Expr != nil && !yield(part.Expr) {
					return
				}
			}
		}
		all := []*Expr{s.Expr}
		if s.Test != nil {
			all = append(all, s.Test.Left.Expr, s.Test.Right.Expr)
		}
		for _, e := range all {
			if e != nil && !yield(e) {
				return
			}
		}
	}
}
