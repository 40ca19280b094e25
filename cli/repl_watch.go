package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// How many words about what the server sends by itself are said: so many at
// once, then one in a while. What is left out is counted.
const (
	wordsAtOnce = 12
	wordEvery   = 500 * time.Millisecond
	countEvery  = time.Second
	lookEvery   = 20 * time.Millisecond
	maxWord     = 300 // cells
	maxParams   = 4096
)

// watch says what a server sends by itself, a line each, while others type and
// run lines. A flood is counted and not shown.
type watch struct {
	say func(theme.Text)
	now func() time.Time

	mu     sync.Mutex
	log    *history.Log
	seen   uint64
	end    func() // called when the connection has ended
	lists  func() // called when lists have changed
	mute   bool   // the traffic is shown as it is
	cancel context.CancelFunc
	done   chan struct{}

	budget  float64 // words that may be said
	filled  time.Time
	left    map[string]int // what was left out, by method
	counted time.Time      // when that was said, or began
}

func newWatch(say func(theme.Text)) *watch {
	return &watch{say: say, now: time.Now, budget: wordsAtOnce, left: map[string]int{}}
}

// start watches a log. end is called in a goroutine of its own whenever the
// server has exited; lists, which must not wait, when it says that a list has
// changed.
func (w *watch) start(ctx context.Context, log *history.Log, mute bool, end, lists func()) {
	ctx, cancel := context.WithCancel(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log, w.seen, w.end, w.lists, w.mute, w.cancel, w.done = log, 0, end, lists, mute, cancel, make(chan struct{})
	go w.run(ctx, log, w.done)
}

// stop ends the watch; a second time it does nothing.
func (w *watch) stop() {
	w.mu.Lock()
	cancel, done := w.cancel, w.done
	w.log, w.cancel = nil, nil
	w.mu.Unlock()
	if cancel != nil {
		cancel()
		<-done
	}
}

func (w *watch) run(ctx context.Context, log *history.Log, done chan struct{}) {
	defer close(done)
	pause := time.NewTicker(lookEvery)
	defer pause.Stop()
	for {
		changed := log.Changed()
		w.look(false)
		count := make(<-chan time.Time)
		if w.owes() {
			count = time.After(countEvery)
		}
		select {
		case <-changed:
		case <-count:
		case <-ctx.Done():
			return
		}
		select { // so that much at once is one look
		case <-pause.C:
		case <-ctx.Done():
			return
		}
	}
}

// catchUp says all that came until now.
func (w *watch) catchUp() { w.look(true) }

// look says what came since the last look, and what was left out if it is time
// for that, or if all is wanted.
func (w *watch) look(all bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.log == nil {
		return
	}
	last := w.log.Len()
	ended, changed := false, false
	w.log.Records(w.seen+1, last, func(r *history.Record) bool {
		changed = changed || r.Dir == wire.In && strings.HasSuffix(r.Method, "/list_changed")
		switch {
		case r.Kind == wire.Event:
			ended = ended || r.Method == wire.EventExited || r.Method == wire.EventDisconnected
			if r.Method == wire.EventReconnecting || r.Method == wire.EventSwitched {
				w.event(r.Seq)
			}
		case w.mute || r.Dir != wire.In:
		case r.Kind == wire.Stray:
			w.word("a line that is no message", r.Seq, strayWord)
		case r.Kind == wire.Message && r.Form == wire.Notification:
			w.word(r.Method, r.Seq, notificationWord)
		}
		return true
	})
	w.seen = max(w.seen, last)
	if len(w.left) > 0 && (all || w.now().Sub(w.counted) >= countEvery) {
		w.count()
	}
	if changed {
		w.lists()
	}
	if ended {
		go w.end()
	}
}

func (w *watch) owes() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.left) > 0
}

// word says a word, or counts it where there were too many.
func (w *watch) word(method string, seq uint64, words func(method string, raw []byte) string) {
	now := w.now()
	w.budget = min(wordsAtOnce, w.budget+float64(now.Sub(w.filled))/float64(wordEvery))
	w.filled = now
	if w.budget < 1 || len(w.left) > 0 {
		if len(w.left) == 0 {
			w.counted = now
		}
		w.left[method]++
		return
	}
	w.budget--
	raw, _ := w.log.Bytes(seq, 0, maxParams)
	w.say(theme.SafeCut("← "+words(method, raw), maxWord))
}

// event says what a connection does by itself.
func (w *watch) event(seq uint64) {
	raw, _ := w.log.Bytes(seq, 0, maxParams)
	if text := eventText(raw); text != "" && !w.mute {
		w.say(theme.SafeCut("· "+text, maxWord))
	}
}

// count says what was left out.
func (w *watch) count() {
	methods := slices.SortedFunc(maps.Keys(w.left), func(a, b string) int {
		return cmp.Or(cmp.Compare(w.left[b], w.left[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, m := range methods {
		parts = append(parts, fmt.Sprintf("%d %s", w.left[m], m))
	}
	if n := len(parts); n > 3 {
		parts = append(parts[:3:3], fmt.Sprintf("%d other kinds", n-3))
	}
	w.say(theme.SafeCut("← … not shown: "+strings.Join(parts, ", "), maxWord))
	clear(w.left)
}

func strayWord(_ string, raw []byte) string { return "▲ not a message: " + string(raw) }

// notificationWord tells a notification in a line. raw is its beginning.
func notificationWord(method string, raw []byte) string {
	params, _ := rawjson.Get(raw, "params")
	name := strings.TrimPrefix(method, "notifications/")
	switch method {
	case "notifications/message":
		m := mcp.DecodeLog(params)
		if m.Problem != "" {
			break
		}
		text, isText := rawjson.Unquote(m.Data)
		if !isText {
			text = string(m.Data)
		}
		if m.Logger != "" {
			text = m.Logger + ": " + text
		}
		return "log " + m.Level + ": " + text
	case "notifications/progress":
		p := mcp.DecodeProgress(params)
		if p.Problem != "" {
			break
		}
		text := "progress " + p.ProgressSpelled
		if p.TotalSpelled != "" {
			text += "/" + p.TotalSpelled
		}
		return strings.TrimSpace(text + " " + p.Message)
	}
	if len(params) == 0 || string(params) == "{}" {
		return name
	}
	return name + " " + string(params)
}
