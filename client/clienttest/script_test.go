package clienttest_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/client/clienttest"
	"parley/client/wire"
)

func TestMain(m *testing.M) {
	clienttest.Main()
	os.Exit(m.Run())
}

// talk sends lines, closes, and returns what the server sent, a line a frame,
// and how it ended.
func talk(t *testing.T, conn *wire.Stdio, log *clienttest.Log, send ...string) string {
	t.Helper()
	for _, line := range send {
		if _, err := conn.Send([]byte(line), wire.ByScript, 0); err != nil {
			break // the server has ended: how is told below
		}
	}
	_ = conn.CloseSend()
	<-conn.Done()
	var b strings.Builder
	for _, f := range log.Frames() {
		if f.Dir != wire.In {
			continue
		}
		if f.Kind == wire.Stderr {
			b.WriteString("stderr ")
		}
		b.Write(f.Raw)
		switch f.EOL {
		case wire.EOLCRLF:
			b.WriteString(" crlf")
		case wire.EOLNone:
			b.WriteString(" none")
		}
		b.WriteByte('\n')
	}
	var exit *wire.ExitError
	if errors.As(conn.Err(), &exit) {
		fmt.Fprintf(&b, "exit %d%s\n", exit.Code, exit.Signal)
	}
	return b.String()
}

const (
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`
	list       = `{"jsonrpc": "2.0", "id": "a", "method": "tools/list"}`
)

var scripts = []struct {
	name, script string
	send         []string
	want         string
}{
	{"nothing", "", nil, ""},
	{"comments", "# a\n\n  # b\n  stray x\n", nil, "x\n"},
	{"an exchange", `> {"jsonrpc":"2.0","id":*,"method":"initialize","params":{...}}
< {"jsonrpc":"2.0","id":$id,"result":{}}
> tools/list
answer {"tools":[]}
> {"id":"a", ...}
fail {"code":-32601,"message":"no"}`, []string{initialize, list, list},
		`{"jsonrpc":"2.0","id":0,"result":{}}
{"jsonrpc":"2.0","id":"a","result":{"tools":[]}}
{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"no"}}
`},
	{"bytes", "<crlf a\n<! b\n<! \"\\t\\n\"\nstray \nstray  c \n<! \"no end\"", nil, "a crlf\nb\t\n\n c \nno end none\n"},
	{"numbers by value", `> {"a":1.0,"b":[1e2,*]}` + "\nstray ok", []string{`{"b":[100,{}],"a":1}`}, "ok\n"},
	{"exactly", ">=  a b \nstray ok", []string{" a b "}, "ok\n"},
	{"another method", "stray x\n> tools/call", []string{list},
		"x\nstderr s:2: > tools/call: expected tools/call\nstderr got " + list + "\nexit 97\n"},
	{"another value", `> {"method":"tools/list","params":{"a":[1,"*"]}, ...}`, []string{`{"method":"tools/list","params":{"a":[1,2]}}`},
		`stderr s:1: > {"method":"tools/list","params":{"a":[1,"*"]}, ...}: expected "*" at "/params/a/1", found 2` + "\n" +
			`stderr got {"method":"tools/list","params":{"a":[1,2]}}` + "\nexit 97\n"},
	{"a member too many", `> {"a":1}`, []string{`{"a":1,"b":2}`},
		`stderr s:1: > {"a":1}: found a member b at ""` + "\n" + `stderr got {"a":1,"b":2}` + "\nexit 97\n"},
	{"a member missing", `> {"a":{"b":*}}`, []string{`{"a":{}}`},
		`stderr s:1: > {"a":{"b":*}}: expected a member b at "/a"` + "\n" + `stderr got {"a":{}}` + "\nexit 97\n"},
	{"no JSON", `> {"a":1}`, []string{`{"a"`},
		`stderr s:1: > {"a":1}: expected JSON: unexpected EOF` + "\n" + `stderr got {"a"` + "\nexit 97\n"},
	{"the end instead of a message", "> ping", nil, "stderr s:1: > ping: expected another line\nstderr got the end of input\nexit 97\n"},
	{"a message instead of the end", "eof", []string{"x"}, "stderr s:1: eof: expected the end of input\nstderr got x\nexit 97\n"},
	{"an id that there is not", "< {\"id\":$id}", nil, "stderr s:1: < {\"id\":$id}: expected one: $id is its id\nstderr got no request before\nexit 97\n"},
	{"answers on the side", "on ping {}\n> tools/list\nanswer 1\neof\nexit 4",
		[]string{`{"id":5,"method":"ping"}`, list, `{"id":6,"method":"ping"}`},
		`{"jsonrpc":"2.0","id":5,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":"a","result":1}` + "\n" + `{"jsonrpc":"2.0","id":6,"result":{}}` + "\nexit 4\n"},
	{"answers after the end", "on ping {\"a\":1}", []string{`{"id":5,"method":"ping"}`, "x"}, `{"jsonrpc":"2.0","id":5,"result":{"a":1}}` + "\n"},
	{"echo", "echo\nexit 2", []string{"a", " b"}, "a\n b\nexit 2\n"},
	{"flood", "flood 2\nstderr-flood 2\nexit 0", nil,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":2}}` + "\nstderr line 1\nstderr line 2\n"},
	{"a long line", "> tools/list\nline 90", []string{list}, `{"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"xxxxxxxxxxxxxxx"}]}}` + "\n"},
	{"a short line", "> tools/list\nline 10", []string{list}, "exit 1\n"},
	{"a signal", "eof\nsignal SEGV", nil, "exit 0SIGSEGV\n"},
	{"no output any more", "close stdout\nstderr x\nexit 3", nil, "stderr x\nexit 3\n"},
}

func TestScriptsInMemory(t *testing.T) {
	for _, c := range scripts {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := clienttest.ParseScript("s", []byte(c.script))
				if err != nil {
					t.Fatal(err)
				}
				log := &clienttest.Log{}
				conn := s.Pipe(log, 1)
				if got := talk(t, conn, log, c.send...); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			})
		})
	}
}

func TestScriptsAsProcesses(t *testing.T) {
	for _, c := range scripts {
		t.Run(c.name, func(t *testing.T) {
			if strings.Contains(c.script, "signal") && os.PathSeparator == '\\' {
				t.Skip("there are no signals here")
			}
			log := &clienttest.Log{}
			conn, err := wire.StartStdio(clienttest.Command(t, c.script), log, wire.StdioOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := talk(t, conn, log, c.send...)
			// A process says its own troubles, and its script has another name.
			got = strings.ReplaceAll(got, "stderr script:", "stderr s:")
			got = strings.ReplaceAll(got, "stderr line: 10 bytes are too few\n", "")
			// The two outputs of a process have no common order.
			if sorted(got) != sorted(c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// sorted puts standard error behind standard output.
func sorted(text string) string {
	var out, errs string
	for _, line := range strings.SplitAfter(text, "\n") {
		if strings.HasPrefix(line, "stderr ") {
			errs += line
		} else {
			out += line
		}
	}
	return out + errs
}

func TestScriptsThatAreWrong(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"\nfrob", `s:2: unknown step "frob"`},
		{"exit x", "s:1: expected a number"},
		{"flood -1", "expected a number"},
		{"sleep 10", "expected a duration"},
		{"delay", "expected a duration"},
		{"close all", "expected stdin, stdout or stderr"},
		{"eof now", "nothing may follow"},
		{">", "expected a message or a method"},
		{`> {"a":`, "unexpected EOF"},
		{`> {} {}`, "more than one"},
		{"answer {", "expected JSON"},
		{"on ping", "expected a method and JSON"},
		{"fork-grandchild now", "expected nothing or ignore-term"},
	} {
		_, err := clienttest.ParseScript("s", []byte(c.script))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "s:") {
			t.Errorf("%q: error %v, want %q in it", c.script, err, c.want)
		}
	}
}

func TestTimeInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		log := &clienttest.Log{}
		conn := clienttest.Connect(t, "sleep 1h\nstray a\ndelay 10m\nstray b\nstderr c\ndelay 0s\nstray d", log, 3)
		talk(t, conn, log)
		var got []string
		for _, f := range log.Frames() {
			got = append(got, fmt.Sprintf("%s %s", f.Time.Sub(begin), f.Raw))
		}
		want := `0s {"event":"connected","epoch":3} 1h0m0s a 1h10m0s b 1h20m0s c 1h20m0s d 1h20m0s {"event":"exited","code":0,"stderr":["c"]}`
		if strings.Join(got, " ") != want {
			t.Errorf("got %q", got)
		}
	})
}

func TestEndingAScriptInABubble(t *testing.T) {
	for _, c := range []struct {
		script, want string
		after        time.Duration
	}{
		{"", "", 0},
		{"hang", "SIGTERM", 2 * time.Second},
		{"sleep 1h", "SIGTERM", 2 * time.Second},
		{"ignore-term\nhang", "SIGKILL", 4 * time.Second},
		{"fork-grandchild\neof", "", 300 * time.Millisecond},
		{"fork-grandchild ignore-term\neof", "", 2300 * time.Millisecond},
		{"ignore-term\nfork-grandchild ignore-term\nhang", "SIGKILL", 4 * time.Second},
	} {
		t.Run(c.script, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := &clienttest.Log{}
				s, err := clienttest.ParseScript("s", []byte(c.script))
				if err != nil {
					t.Fatal(err)
				}
				conn := s.Pipe(log, 1)
				synctest.Wait()
				begin := time.Now()
				if err := conn.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
				if d := time.Since(begin); d < c.after || d > c.after+200*time.Millisecond {
					t.Errorf("closing took %s, want %s", d, c.after)
				}
				frames := log.Frames()
				e, err := wire.ParseEvent(frames[len(frames)-1].Raw)
				if err != nil || e.Event != wire.EventExited || e.Signal != c.want {
					t.Errorf("last event %+v, %v", e, err)
				}
				if conn.Err() != nil {
					t.Errorf("error %v", conn.Err())
				}
			})
		})
	}
}

func TestPipeRunsAFunction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &clienttest.Log{}
		conn := clienttest.Pipe(func(r io.Reader, w io.Writer) {
			_, _ = io.Copy(w, r)
		}, log, 2)
		if got := talk(t, conn, log, list, "x"); got != list+"\nx\n" {
			t.Errorf("got %q", got)
		}
		if conn.PID() != 0 {
			t.Errorf("process %d", conn.PID())
		}
	})
}

func TestABlockedSendInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &clienttest.Log{}
		conn := clienttest.Connect(t, "hang", log, 1)
		failed := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := conn.Send(make([]byte, 1<<20), wire.ByScript, 0)
				failed <- err
			}()
		}
		synctest.Wait()
		select {
		case err := <-failed:
			t.Fatalf("nobody reads, and Send returned %v", err)
		default:
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
		for range 2 {
			if err := <-failed; !errors.Is(err, wire.ErrClosed) {
				t.Errorf("error %v", err)
			}
		}
	})
}

func TestASendToAPipeThatClosedItsInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &clienttest.Log{}
		conn := clienttest.Connect(t, "close stdin\nhang", log, 1)
		synctest.Wait()
		seq, err := conn.Send([]byte(list), wire.ByScript, 0)
		var failed *wire.SendError
		if !errors.As(err, &failed) || failed.Seq != seq {
			t.Errorf("error %v", err)
		}
	})
}
