// Package clienttest has what tests of a client need: a [Log] in memory, a
// connection without a process ([Pipe]), and a scripted server ([Script]) that
// runs in memory, also inside a testing/synctest bubble, or as a process of its
// own ([Main], [Command]).
//
// # Scripts
//
// A script is a text of one step a line; empty lines and lines that begin with
// # are skipped, and so is space before a step. What the client does:
//
//	> {"jsonrpc":"2.0","id":*,"method":"tools/list", ...}
//	> tools/list       a message with this method, whatever else it has
//	>= TEXT            exactly this line
//	eof                the client closes its side
//
// Each takes the next line that the client sends and compares it as JSON: the
// order of keys and white space do not matter, numbers are compared by value. *
// stands for any value, ... in an object for any further members. What does not
// match ends the server: it says so on standard error and exits with
// [ExitMismatch]. What the server sends:
//
//	< TEXT             a line on standard output. $id is the id of the request
//	                   taken last, as the client spelled it
//	<crlf TEXT         the same, ended by CRLF
//	<! TEXT            bytes without a newline; a quoted Go string may have
//	                   escapes: <! "\xff\x00\r"
//	answer JSON        the result of the request taken last
//	fail JSON          its error
//	stray TEXT         a line on standard output, as it is
//	stderr TEXT        a line on standard error
//	pid TEXT           a line on standard error: TEXT and the process's number
//	line BYTES         a result of the request taken last, as one line of so
//	                   many bytes
//	flood N            N notifications, numbered from 1 in params.data
//	stderr-flood N     N lines on standard error
//
// Time and the end:
//
//	sleep 10ms         waits
//	delay 10ms         waits so long before each later line that the server sends
//	exit N             ends with a status
//	signal SEGV        ends by a signal
//	close stdout       closes an output early (or stderr), or stops listening
//	                   (stdin)
//	hang               does nothing any more, reads nothing, until it is killed
//
// What it keeps doing, from then on:
//
//	on METHOD JSON     answers requests of this method with this result while
//	                   it waits for something else, or after the last step
//	echo               sends every line back until the client closes its side
//	ignore-term        does not end on SIGTERM
//	fork-grandchild    starts another process that holds the pipes open and
//	                   sleeps; its number goes to standard error as
//	                   "grandchild PID". fork-grandchild ignore-term starts
//	                   one that does not end on SIGTERM
//
// After the last step the server goes on reading, answers what on says, and
// exits with 0 when the client closes its side.
package clienttest
