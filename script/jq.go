package script

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

// newExpr makes an expression of its source, which stands at a place. A plain path
// is taken apart here; everything else is jq's to judge.
func newExpr(src string, pos Pos) (*Expr, *SyntaxError) {
	e := &Expr{Pos: pos, Source: src}
	path := src
	if inside, ok := strings.CutPrefix(src, "duration("); ok {
		if inside, ok = strings.CutSuffix(inside, ")"); ok {
			path, e.Duration = strings.TrimSpace(inside), true
		}
	}
	if e.Path = plainPath(path); e.Path != nil && (e.Path.Var != "env" || len(e.Path.Keys) > 0) {
		e.Vars = []string{e.Path.Var}
		return e, nil
	}
	if e.Duration {
		return nil, &SyntaxError{Pos: pos, Expected: "duration($x) of a variable", Found: shown(src)}
	}
	var wrong *SyntaxError
	e.Vars, wrong = variables(src, pos)
	return e, wrong
}

// plainPath reads $x.a["b"][0]; nil if it is something else.
func plainPath(src string) *Path {
	s := newSource("", []byte(src))
	if s.peek(0) != '$' {
		return nil
	}
	s.at++
	p := &Path{Var: s.name()}
	if p.Var == "" {
		return nil
	}
	for s.at < len(s.text) {
		dot := s.peek(0) == '.'
		if dot {
			s.at++
		}
		key, ok := s.plainKey(dot)
		if !ok {
			return nil
		}
		p.Keys = append(p.Keys, key)
	}
	return p
}

// plainKey reads a step of a plain path: name, "name", ["name"] or [0].
func (s *source) plainKey(dot bool) (key string, ok bool) {
	if dot && s.peek(0) != '[' {
		if s.peek(0) == '"' {
			return s.plainString()
		}
		key = s.name()
		return key, key != ""
	}
	if s.peek(0) != '[' {
		return "", false
	}
	s.at++
	start := s.at
	if s.peek(0) == '"' {
		key, ok = s.plainString()
	} else {
		for s.peek(0)-'0' <= 9 {
			s.at++
		}
		key = string(s.text[start:s.at])
		ok = key != "" && (key == "0" || key[0] != '0')
	}
	if !ok || s.peek(0) != ']' {
		return "", false
	}
	s.at++
	return key, true
}

func (s *source) plainString() (text string, ok bool) {
	end, ok := s.skipJQ(s.at)
	if !ok {
		return "", false
	}
	raw := s.text[s.at:end]
	s.at = end
	text, err := strconv.Unquote(string(raw))
	return text, err == nil && !strings.Contains(string(raw), `\`)
}

// variables gives the variables that a jq expression takes from outside, or what is
// wrong with it: a function that there is not, too.
func variables(src string, pos Pos) ([]string, *SyntaxError) {
	query, err := gojq.Parse(src)
	if err != nil {
		return nil, badExpr(src, pos, err)
	}
	var names, bound []string
	ofTheirOwn := false
	environ := gojq.WithEnvironLoader(func() []string { ofTheirOwn = true; return nil })
	for {
		_, err := gojq.Compile(query, gojq.WithVariables(bound), environ)
		switch {
		case err == nil && ofTheirOwn, err == nil && slices.Contains(names, "env") && !namesEnvironment(src):
			return nil, &SyntaxError{Pos: pos, Expected: "a variable of the environment by its name", Found: shown(src), Advice: "$env.HOME is one"}
		case err == nil:
			return names, nil
		}
		name, missing := strings.CutPrefix(err.Error(), "variable not defined: $")
		if !missing || slices.Contains(names, name) {
			return nil, badExpr(src, pos, err)
		}
		names, bound = append(names, name), append(bound, "$"+name)
	}
}

// envUse finds where an expression uses $env.
var envUse = regexp.MustCompile(`\$env\b`)

// namesEnvironment reports whether an expression names a variable of the environment
// wherever it uses $env: all of them are never given away.
func namesEnvironment(src string) bool {
	return len(envUse.FindAllString(src, -1)) == len(envName.FindAllString(src, -1))
}

// badExpr says what is wrong with an expression and where.
func badExpr(src string, pos Pos, err error) *SyntaxError {
	var parse *gojq.ParseError
	if errors.As(err, &parse) {
		at := min(max(parse.Offset-len(parse.Token), 0), len(src))
		pos.Col += utf8.RuneCountInString(src[:at])
	}
	if name, ok := strings.CutPrefix(err.Error(), "function not defined: "); ok {
		name, _, _ = strings.Cut(name, "/")
		pos.Col += utf8.RuneCountInString(src[:max(strings.Index(src, name), 0)])
	}
	return &SyntaxError{Pos: pos, Err: &exprError{src, err},
		Advice: "values are jq expressions over variables: $x.content[0].text"}
}

// exprError is what jq says about an expression.
type exprError struct {
	src string
	err error
}

func (e *exprError) Error() string { return "expression " + shown(e.src) + ": " + e.err.Error() }
func (e *exprError) Unwrap() error { return e.err }
