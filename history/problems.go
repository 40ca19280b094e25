package history

import "fmt"

// Problem is a line of a session file that could not be read as it should be.
type Problem struct {
	Line int // from 1; the header is line 1
	Text string
}

// maxProblems is how many problems are kept in words; the rest are counted.
const maxProblems = 1000

type problems struct {
	list []Problem
	more int
}

func (p *problems) add(line int, format string, args ...any) {
	if len(p.list) == maxProblems {
		p.more++
		return
	}
	p.list = append(p.list, Problem{Line: line, Text: fmt.Sprintf(format, args...)})
}

// Problems returns what was wrong with the file when it was opened, in the
// order of its lines. After the first thousand only their number is kept, in an
// item with Line 0.
func (l *Log) Problems() []Problem {
	list := append([]Problem(nil), l.problems.list...)
	if l.problems.more > 0 {
		list = append(list, Problem{Text: fmt.Sprintf("and %d more", l.problems.more)})
	}
	return list
}

// Torn says what the end of the file lacks if it was cut in the middle of a
// line, as by a crash or a full disk; it is empty if nothing is lacking.
func (l *Log) Torn() string { return l.torn }
