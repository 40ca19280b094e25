package script

import "io"

// Help writes the table for people: all of it for "", else the rows of a command, a
// topic or a group. The error is a *[SyntaxError] for a name that there is not.
func Help(w io.Writer, topic string) error { return nil }
