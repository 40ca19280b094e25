package wire_test

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
	"testing"

	"parley/client/wire"
)

// What is said of connections that end, word for word.
func TestWordsAboutDisconnections(t *testing.T) {
	const again = "R, or restart in a script, connects again"
	for _, c := range []struct {
		err        wire.DisconnectedError
		text, hint string
	}{
		{wire.DisconnectedError{URL: "tcp://a:1"}, "tcp://a:1 ended the connection", "the server, or something on the way to it, ended it: see its log; " + again},
		{wire.DisconnectedError{URL: "tcp://a:1", Cut: true}, "tcp://a:1 ended the connection in the middle of a message",
			"the server may have crashed: see its log; " + again},
		{wire.DisconnectedError{URL: "unix:///s", Err: syscall.ECONNRESET}, "unix:///s reset the connection",
			"the server may have crashed: see its log; " + again},
		{wire.DisconnectedError{URL: "tcp://a:1", Err: &fs.PathError{Op: "read", Err: errors.New("odd")}}, "tcp://a:1: the connection broke: read : odd",
			"the server may have crashed: see its log; " + again},
		{wire.DisconnectedError{URL: "http://a/sse", Err: io.ErrUnexpectedEOF}, "http://a/sse broke the connection off",
			"the server may have crashed: see its log; " + again},
		{wire.DisconnectedError{URL: "ws://a/", Code: 1006, Cut: true}, "ws://a/ ended the connection in the middle of a message without a closing frame (1006)",
			"the server, or a proxy before it, may have crashed or timed out: see its log; " + again},
		{wire.DisconnectedError{URL: "ws://a/", Code: 1009, Reason: "over 32 KiB"}, `ws://a/ closed the connection: 1009 (message too big), "over 32 KiB"`,
			"the last message was larger than the server takes: its limit has to be raised there; " + again},
		{wire.DisconnectedError{URL: "ws://a/", Code: 1011, Cut: true}, "ws://a/ closed the connection: 1011 (internal error) in the middle of a message",
			"the server failed: see its log; " + again},
		{wire.DisconnectedError{URL: "ws://a/", Code: 4000}, "ws://a/ closed the connection: 4000 (the server's own code)", "the server closed it by itself: its log should say why; " + again},
	} {
		if c.err.Error() != c.text || c.err.Hint() != c.hint || c.err.Word() != "disconnected" {
			t.Errorf("got  %s\nhint %s\nwant %s\nhint %s", c.err.Error(), c.err.Hint(), c.text, c.hint)
		}
	}
}
