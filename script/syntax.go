// Package script is the command language, one for the console, the line REPL and
// script files: its table of statements, parser, completion and help, the
// interpreter that runs it over client, and the policies that answer the server. It
// also drives replay.
//
// Parse and ParseLine make steps of text, StepOf makes them of a shell's words, and
// Interp does them. A step's words keep their values as expressions until it is done;
// JSON and numbers keep their bytes from what is typed to what is sent.
package script

import (
	"fmt"
	"regexp"
	"time"
)

// Pos is a place in a script. Line and Col count from 1; Col counts characters.
type Pos struct {
	File string // empty for a line that was typed
	Line int
	Col  int
}

// String gives file:line:col, and the column alone for a line that was typed.
func (p Pos) String() string {
	if p.File == "" {
		return fmt.Sprintf("column %d", p.Col)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Script is a parsed script: nothing in it is wrong in its form.
type Script struct {
	File  string
	Steps []*Step
}

// Want says what is expected of a step.
type Want uint8

// What may be expected of a step.
const (
	Success Want = iota
	Failure      // ! STEP: that it fails
	Any          // - STEP: nothing; a failure is told and passed over
)

// Step is one statement.
type Step struct {
	Pos Pos
	// Source is the step as written, without the space and the comment around it; a raw
	// line exactly; the value of a header that is set as …, if it may be a secret.
	Source string

	Want    Want
	Pattern *regexp.Regexp // of ! STEP ~ /pattern/: what the error has to match

	Let  string   // the variable that the step's value goes into
	Verb *Command // its row of the table; never nil

	// What the verb takes, by its kind.
	Words   []Word          // its words, flags left out
	Flags   map[string]Word // --force has the empty word
	Raw     []byte          // of a raw line: the bytes to send
	Expr    *Expr           // of a value ($x.path) and of for: the list
	Test    *Test           // of expect
	Each    string          // of for: the variable
	Body    []*Step         // of for and include
	Literal bool            // the words are what they are: no $ in them is a variable
}

// Word is a word of a statement: literal text and expressions, in order. A word
// that is one expression has exactly one part.
type Word struct {
	Pos    Pos
	Source string // as written, quotes included
	Parts  []Part
	Quoted bool // some of it stood in quotes: it is no flag and no keyword

	at int // its offset in the script
}

// Part is a piece of a word: an expression if Expr is set, else text.
type Part struct {
	Text string
	Expr *Expr

	width int // of an expression: its length as written, ${ and } included
}

// Expr is a jq expression over variables, $x.content[0].text. Path is set if it
// is a plain path into one variable: its value has exact bytes then.
type Expr struct {
	Pos    Pos
	Source string
	Vars   []string // the variables it uses, $env too, without their $
	Path   *Path
	// Duration is set for duration(PATH): how long the exchange of that variable took.
	Duration bool
}

// Path is a plain path into a variable.
type Path struct {
	Var  string
	Keys []string // members and decimal indexes, as client/rawjson.Get takes them
}

// Op is what expect compares with.
type Op string

// The operators of expect. The last five take no second operand or, count, a
// comparison after it.
const (
	Equal        Op = "=="
	NotEqual     Op = "!="
	Less         Op = "<"
	LessEqual    Op = "<="
	Greater      Op = ">"
	GreaterEqual Op = ">="
	Contains     Op = "contains"
	Matches      Op = "matches"
	StartsWith   Op = "startsWith"
	EndsWith     Op = "endsWith"
	Exists       Op = "exists"
	IsEmpty      Op = "isEmpty"
	True         Op = "" // the value itself: neither false nor null
)

// Test is the expression of expect: [not] LEFT [count] OP RIGHT.
type Test struct {
	Not   bool
	Left  Operand
	Count bool // the length of Left is compared
	Op    Op
	Right Operand // unset for operators without one
}

// Operand is one side of a test: an expression, a JSON literal or a duration.
type Operand struct {
	Pos      Pos
	Source   string
	Expr     *Expr
	JSON     []byte         // a literal; a bare word is a JSON string of it
	Regexp   *regexp.Regexp // /…/ of matches
	Duration *time.Duration
}
