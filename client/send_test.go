package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/wire"
)

// deaf is a connection whose server reads nothing after so many frames.
type deaf struct {
	sink  wire.Sink
	hears int
	done  chan struct{}
}

func (d *deaf) Send(raw []byte, by wire.Origin, of uint64) (uint64, error) {
	f := []wire.Frame{{Dir: wire.Out, By: by, Of: of, Raw: raw, Size: int64(len(raw)), Head: wire.Scan(raw)}}
	d.sink.Append(f)
	if d.hears--; d.hears < 0 {
		<-d.done
		return f[0].Seq, wire.ErrClosed
	}
	return f[0].Seq, nil
}

func (d *deaf) CloseSend() error { return nil }
func (d *deaf) Close(context.Context) error {
	close(d.done)
	return nil
}
func (d *deaf) Done() <-chan struct{} { return d.done }
func (d *deaf) Err() error            { return nil }

func unread(t *testing.T, err error, what string, after time.Duration) {
	t.Helper()
	var timeout *client.TimeoutError
	if !errors.As(err, &timeout) || !timeout.Unread || timeout.After != after || !strings.Contains(err.Error(), "did not read "+what) {
		t.Errorf("error is %v, want that the server did not read %s in %s", err, what, after)
	}
}

func TestServerThatDoesNotReadIsATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := &deaf{done: make(chan struct{})}
		log := checked(t)
		c := client.New(log, func(sink wire.Sink, _ int) (client.Conn, error) {
			conn.sink = sink
			return conn, nil
		}, client.Options{NoHandshake: true, Timeout: 3 * time.Second})
		connect(t, c)

		// The first blocks in the connection, the others in the queue behind it.
		start := time.Now()
		_, err := c.Request(t.Context(), "tools/call", nil, client.CallOptions{Timeout: time.Second})
		unread(t, err, "tools/call", time.Second)
		_, err = c.Notify(t.Context(), "notifications/initialized", nil, wire.ByAuto)
		unread(t, err, "notifications/initialized", 3*time.Second)
		_, _, err = c.SendRaw(t.Context(), []byte("hello"), wire.ByConsole, 0)
		unread(t, err, "a raw line", 3*time.Second)
		if took := time.Since(start); took != 7*time.Second {
			t.Errorf("three sends took %s", took)
		}

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Request(ctx, "ping", nil, client.CallOptions{}); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled request: %v", err)
		}

		// Close does not wait for what is never read, and what was given up is
		// not sent after all.
		start = time.Now()
		if err := c.Close(t.Context()); err != nil || time.Since(start) > 2*time.Second {
			t.Errorf("close: %v after %s", err, time.Since(start))
		}
		synctest.Wait()
		if frames := log.Frames(); len(frames) != 1 {
			t.Errorf("sent:\n%s", log)
		}
	})
}

func TestWithdrawnLineLeavesTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := &deaf{done: make(chan struct{}), hears: 1}
		log := checked(t)
		c := client.New(log, func(sink wire.Sink, _ int) (client.Conn, error) {
			conn.sink = sink
			return conn, nil
		}, client.Options{NoHandshake: true, Timeout: time.Minute})
		connect(t, c)
		if _, err := c.Notify(t.Context(), "a", nil, wire.ByAuto); err != nil {
			t.Fatal(err)
		}
		errs := make(chan error, 2)
		go func() { // blocks in the connection
			_, err := c.Notify(t.Context(), "b", nil, wire.ByAuto)
			errs <- err
		}()
		synctest.Wait()
		go func() { // waits behind it
			_, err := c.Request(t.Context(), "c", nil, client.CallOptions{Timeout: time.Second})
			errs <- err
		}()
		unread(t, <-errs, "c", time.Second)
		_ = c.Close(t.Context())
		if err := <-errs; !errors.Is(err, wire.ErrClosed) {
			t.Errorf("the blocked line: %v", err)
		}
		if frames := log.Frames(); len(frames) != 2 {
			t.Errorf("sent:\n%s", log)
		}
	})
}

func TestChangeBetweenPagesIsNotForgotten(t *testing.T) {
	story(t, client.Options{}, shake+`
> {"jsonrpc":"2.0","id":*,"method":"tools/list"}
answer {"tools":[],"nextCursor":"2"}
< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
> {"jsonrpc":"2.0","id":*,"method":"tools/list","params":{"cursor":"2"}}
answer {"tools":[]}
> {"jsonrpc":"2.0","id":*,"method":"tools/list"}
answer {"tools":[]}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		first, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{})
		if err != nil || !first.Head.Next {
			t.Fatalf("first page: %+v, %v", first, err)
		}
		synctest.Wait() // for the notification
		if _, err := c.Request(t.Context(), "tools/list", []byte(`{"cursor":"2"}`), client.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		if !c.Changed("tools/list") {
			t.Error("the second page made the client forget that the list changed")
		}
		if _, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		if c.Changed("tools/list") {
			t.Error("a new listing begins as unchanged")
		}
	})
}

func TestAnswerToInitializeThatCannotBeUsed(t *testing.T) {
	for answer, want := range map[string]string{
		`answer {"foo":1}`: "cannot be used",
		`answer []`:        "cannot be used",
		`fail {"code":-32603,"message":"out of order"}`: "refused initialize",
	} {
		story(t, client.Options{}, "> initialize\n"+answer, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
			err := c.Connect(t.Context())
			var failed *client.HandshakeError
			if !errors.As(err, &failed) || !strings.Contains(err.Error(), want) || failed.Hint() == "" {
				t.Errorf("%s: %v", answer, err)
			}
		})
	}
}

func TestCloseAfterAConnectionThatCouldNotBeHad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := errors.New("no such program")
		c := client.New(new(clienttest.Log), func(sink wire.Sink, epoch int) (client.Conn, error) {
			if epoch > 1 {
				return nil, failed
			}
			return clienttest.Connect(t, "eof", sink, epoch), nil
		}, client.Options{NoHandshake: true})
		connect(t, c)
		if err := c.Restart(t.Context()); !errors.Is(err, failed) {
			t.Errorf("restart: %v", err)
		}
		if _, err := c.Request(t.Context(), "ping", nil, client.CallOptions{}); !errors.Is(err, client.ErrNotConnected) {
			t.Errorf("request: %v", err)
		}
		if err := c.Close(t.Context()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
}

// What a small answer brought is at hand without the log, a copy for each who asks;
// of a batch it is the member's.
func TestSmallResultsAreKept(t *testing.T) {
	script := shake + `
> ping
answer {"a" : 1.0}
> {"jsonrpc":"2.0","id":*,"method":"tools/list"}
< [{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"result":{"tools" :[ ]}}]
`
	story(t, client.Options{}, script, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		a, err := c.Ping(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			raw, err := c.Result(a)
			if err != nil || string(raw) != `{"a" : 1.0}` {
				t.Fatalf("%s, %v", raw, err)
			}
			raw[0] = 'x'
		}
		if a, err = c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		if raw, err := c.Result(a); err != nil || string(raw) != `{"tools" :[ ]}` {
			t.Errorf("%s, %v", raw, err)
		}
	})
}

func TestAnswersWithoutAResult(t *testing.T) {
	story(t, client.Options{}, shake+"> ping\n< {\"jsonrpc\":\"2.0\",\"id\":1}\n", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		a, err := c.Ping(t.Context())
		var none *client.NoResultError
		if !errors.As(err, &none) || none.Method != "ping" || none.Word() != "rpc" || none.Hint() == "" || a.Response.Seq == 0 {
			t.Errorf("%+v, %v", a, err)
		}
	})
}
