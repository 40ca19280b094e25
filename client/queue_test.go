package client_test

import (
	"fmt"
	"sync"
	"testing"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/wire"
)

// Requests that find the line free are sent by their callers, others by the queue:
// both ways every one is sent once, in one piece, and answered.
func TestRequestsFromManyAtOnce(t *testing.T) {
	log := checked(t)
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		return clienttest.Connect(t, "on ping {}\non tools/list {}\n", sink, epoch), nil
	}, client.Options{NoHandshake: true})
	connect(t, c)
	const callers, each = 8, 50
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for n := range each {
				if _, err := c.Ping(t.Context()); err != nil {
					t.Error(err)
				}
				if (n+i)%7 == 0 {
					if _, err := c.Notify(t.Context(), fmt.Sprintf("custom/%d", i), nil, wire.ByScript); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
	pings := 0
	for _, f := range log.Frames() {
		if f.Dir == wire.Out && f.Head.Method == "ping" {
			pings++
		}
	}
	if pings != callers*each {
		t.Errorf("%d requests were sent, want %d", pings, callers*each)
	}
}

// A notification after an answered request, and a request after that, keep their order.
func TestOrderOfWhatIsSent(t *testing.T) {
	log := checked(t)
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		return clienttest.Connect(t, "on ping {}\n", sink, epoch), nil
	}, client.Options{NoHandshake: true})
	connect(t, c)
	var want []string
	for i := range 100 {
		switch i % 3 {
		case 0, 1:
			if _, err := c.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
			want = append(want, "ping")
		default:
			method := fmt.Sprintf("custom/%d", i)
			if _, err := c.Notify(t.Context(), method, nil, wire.ByScript); err != nil {
				t.Fatal(err)
			}
			want = append(want, method)
		}
	}
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
	var got []string
	for _, f := range log.Frames() {
		if f.Dir == wire.Out {
			got = append(got, f.Head.Method)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}
