package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/client"
	"parley/client/mcp"
	"parley/client/wire"
)

// listening is a modern server over HTTP that breaks off the first subscriptions and
// keeps the next one open until the client closes it.
type listening struct {
	broken chan struct{} // one value for each that is broken off
	kept   chan struct{} // closed when the one that was kept is closed
}

func (s *listening) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Notifications json.RawMessage `json:"notifications"`
		} `json:"params"`
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if q.Method != "subscriptions/listen" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}}}`, q.ID)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":{%q:%s},\"notifications\":%s}}\n\n",
		mcp.MetaSubscription, q.ID, q.Params.Notifications)
	w.(http.Flusher).Flush()
	select {
	case <-s.broken:
		return
	default:
	}
	<-r.Context().Done()
	close(s.kept)
}

// away is a server that breaks off a subscription and cannot take the next two.
type away struct {
	listening
	refused atomic.Int32
}

func (s *away) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Mcp-Method") == "subscriptions/listen" && len(s.broken) == 0 && s.refused.Add(1) < 3 {
		http.Error(w, "starting", http.StatusServiceUnavailable)
		return
	}
	s.listening.ServeHTTP(w, r)
}

func TestListsChangedOnceASubscriptionIsBack(t *testing.T) {
	s := &away{listening: listening{broken: make(chan struct{}, 1), kept: make(chan struct{})}}
	s.broken <- struct{}{}
	var c *client.Client
	changed := make(chan bool, 8)
	c, log := over(t, s, client.Options{Notice: func(text string) {
		if strings.Contains(text, "it is sent again in") {
			changed <- c.Changed("tools/list")
		}
	}})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	sub, err := c.Listen(ctx, mcp.Filter{Tools: true})
	if err != nil {
		t.Fatal(err)
	}
	acks := 0
	if _, err := log.WaitFor(ctx, func(f *wire.Frame) bool {
		if f.Kind == wire.Message && f.Head.Method == "notifications/subscriptions/acknowledged" {
			acks++
		}
		return acks == 2
	}); err != nil {
		t.Fatal(err)
	}
	sub.Close()
	if len(changed) != 3 {
		t.Errorf("it was lost %d times", len(changed))
	}
	for len(changed) > 0 {
		if <-changed {
			t.Error("the lists count as changed while nothing can tell")
		}
	}
	if !c.Changed("tools/list") {
		t.Error("the lists do not count as changed")
	}
}

func TestASubscriptionOutlivesItsStream(t *testing.T) {
	s := &listening{broken: make(chan struct{}, 2), kept: make(chan struct{})}
	s.broken <- struct{}{}
	s.broken <- struct{}{}
	told := new(notices)
	c, log := over(t, s, client.Options{Notice: told.take})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	sub, err := c.Listen(ctx, mcp.Filter{Tools: true})
	if err != nil || !sub.Granted.Tools {
		t.Fatalf("got %v", err)
	}
	acks := 0
	if _, err := log.WaitFor(ctx, func(f *wire.Frame) bool {
		if f.Kind == wire.Message && f.Head.Method == "notifications/subscriptions/acknowledged" {
			acks++
		}
		return acks == 3
	}); err != nil {
		t.Fatal(err)
	}
	sub.Close()
	select {
	case <-s.kept:
	case <-ctx.Done():
		t.Error("the server was not told of the end")
	}
	var chain []uint64
	for _, f := range log.Frames() {
		if f.Dir == wire.Out && f.Kind == wire.Message && f.Head.Method == "subscriptions/listen" {
			chain = append(chain, f.Of, f.Seq)
		}
	}
	if len(chain) != 6 || chain[0] != 0 || chain[2] != chain[1] || chain[4] != chain[3] || sub.Seq != chain[1] {
		t.Errorf("requests and what they replace: %v", chain)
	}
	if len(told.texts) != 2 || !strings.Contains(told.texts[0], "it is sent again in") {
		t.Errorf("told %q", told.texts)
	}
}
