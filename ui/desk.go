package ui

import (
	"slices"
	"time"

	"parley/check"
	"parley/client/mcp"
	"parley/client/wire"
	"parley/history"
	"parley/ui/keys"
	"parley/ui/theme"
)

// desk is what every pane reads: the session, its fold, and how things look.
// Only the root changes it, in Update; panes keep a pointer and no copies.
type desk struct {
	sess    *Session
	state   history.State
	cat     history.Catalogue
	st      *theme.Styles
	keys    keys.Map
	memory  *Memory
	servers func() []string // configured names; may be nil
	now     func() time.Time
	checker check.Checker

	noted      uint64        // the frame that note is at
	notedBytes func() []byte // bytesNoted, made once and not once a frame

	findings  map[uint64][]check.Finding // by frame, at most maxFindings of them
	calls     map[operation][]uint64     // requests of ours by what they ask for
	stderr    []uint64                   // frames of standard error
	busy      map[string]bool            // lists that were asked for and not answered
	marked    uint64                     // up to which frame the folds went
	links     links                      // what became of requests and streams
	filters   map[uint64]mcp.Filter      // what subscriptions were granted, by the frame that says so
	tasks     map[uint64]string          // ids of tasks, by the answers that began them; see taskOf
	taskSeen  taskMemo
	failed    map[uint64]error // of calls, why no answer came, with what to do
	probed    bool             // the server of this epoch was asked how to speak to it
	sessionOf struct {         // see httpSession
		info uint64
		id   string
	}
	problem   error    // why the newest attempt to connect failed
	ticks     int      // spinner steps while something is awaited
	starts    []uint64 // the events that opened connections
	ends      []uint64 // the events that ended them
	connected uint64   // the event that opened the present epoch
	shaken    uint64   // the answer that its handshake, or that of a new HTTP session, ended with
}

// maxFindings bounds the findings kept; a server that floods standard output
// with text must not fill the memory.
const maxFindings = 100_000

// operation is what a request asks for: a method and a name or URI.
type operation struct{ method, name string }

func (o operation) String() string { return o.method + " " + o.name }

func newDesk(opt Options) *desk {
	now := opt.Now
	if now == nil {
		now = time.Now
	}
	d := &desk{st: theme.New(true), keys: keys.New(), memory: opt.Memory, servers: opt.Servers, now: now}
	d.notedBytes = d.bytesNoted
	d.show(opt.Session)
	return d
}

// show begins with another session, or with none.
func (d *desk) show(s *Session) {
	d.sess = s
	d.state, d.cat, d.checker = history.State{}, history.Catalogue{}, check.Checker{}
	d.findings, d.calls, d.busy = map[uint64][]check.Finding{}, map[operation][]uint64{}, map[string]bool{}
	d.links, d.filters, d.tasks, d.failed, d.probed = links{}, nil, nil, nil, false
	d.taskSeen = taskMemo{}
	d.sessionOf.info, d.sessionOf.id = 0, ""
	d.stderr, d.starts, d.ends, d.marked, d.connected, d.shaken, d.problem = nil, nil, nil, 0, 0, 0, nil
}

// catchUp folds the frames that came since, of a live session at most so many
// unless that is 0, and returns the first new one (0 if there is none) and the
// last.
func (d *desk) catchUp(most uint64) (first, last uint64) {
	if d.sess == nil {
		return 0, 0
	}
	log := d.sess.Log
	limit := log.Len()
	if most > 0 && d.sess.Live() { // in a file numbers may be missing
		limit = min(limit, d.state.Seq()+most)
	}
	if !d.state.Fold(log, limit, d.note) {
		return 0, d.marked
	}
	first, last = d.marked+1, d.state.Seq()
	d.marked = last
	return first, last
}

// note takes what the panes look up from one frame.
func (d *desk) note(r *history.Record, members []wire.Head) {
	d.links.note(r)
	if info, since := d.state.ServerInfo(), max(d.connected, d.links.expired); info > since && d.shaken <= since {
		d.shaken = info // server/discover may be asked again
	}
	if d.links.cut && r.Kind == wire.Event && slices.ContainsFunc(d.state.Streams(), func(s history.Stream) bool { return s.Open }) {
		d.links.cut = false // one request failed, the server is there
	}
	switch {
	case r.Kind == wire.Stderr:
		d.stderr = append(d.stderr, r.Seq)
		return
	case r.Kind == wire.Event && r.Method == wire.EventConnected:
		d.connected, d.probed = r.Seq, false
		d.starts = append(d.starts, r.Seq)
	case r.Kind == wire.Event && (r.Method == wire.EventExited || r.Method == wire.EventDisconnected || r.Method == wire.EventClosed):
		d.ends = append(d.ends, r.Seq)
	case r.Dir == wire.Out && r.Form == wire.Request:
		d.called(r)
		d.probed = d.probed || r.By == wire.ByProbe
	}
	d.noted = r.Seq
	found := d.checker.Apply(r, members, d.notedBytes)
	if len(found) > 0 && len(d.findings) < maxFindings {
		d.findings[r.Seq] = append(d.findings[r.Seq], found...)
	}
}

// called takes note of a request of ours. Further rounds belong to the first one;
// what parley sent again by itself takes the place of what the server refused.
func (d *desk) called(r *history.Record) {
	op := operation{r.Method, r.Name}
	if r.Of != 0 && r.By == wire.ByAuto {
		if x, ok := d.state.Exchange(r.Seq); ok && x.First.Seq != 0 {
			return
		}
		if all := d.calls[op]; len(all) > 0 && all[len(all)-1] == r.Of {
			put(&d.links.again, r.Of, r.Seq)
			all[len(all)-1] = r.Seq
			return
		}
	}
	d.calls[op] = append(d.calls[op], r.Seq)
}

// bytesNoted reads the frame that is being noted, for the checker.
func (d *desk) bytesNoted() []byte {
	raw, _ := d.sess.Log.Bytes(d.noted, 0, -1)
	return raw
}

// info is what the server said of itself in the newest handshake.
func (d *desk) info() mcp.Initialize {
	if d.sess == nil {
		return mcp.Initialize{}
	}
	return d.cat.Server(d.sess.Log, &d.state)
}

// server is the name under which arguments are remembered.
func (d *desk) server() string {
	if n := d.info().ServerName; n != "" {
		return n
	}
	if d.sess != nil {
		return d.sess.Name
	}
	return ""
}

// endAfter is the event that ended the connection that frame seq was on, the
// process's exit if it had one; the zero Record while it is open.
func (d *desk) endAfter(seq uint64) (end history.Record) {
	i, _ := slices.BinarySearch(d.ends, seq)
	for ; i < len(d.ends); i++ {
		r := d.record(d.ends[i])
		theirs := r.Method == wire.EventExited || r.Method == wire.EventDisconnected
		if end.Seq == 0 || theirs {
			end = r
		}
		if theirs {
			break
		}
	}
	return end
}

// startBefore is the event that opened the connection that ended with frame
// end; the present one's if end is 0.
func (d *desk) startBefore(end uint64) uint64 {
	i := len(d.starts)
	if end != 0 {
		i, _ = slices.BinarySearch(d.starts, end)
	}
	if i == 0 {
		return 0
	}
	return d.starts[i-1]
}

// endWords puts the event that ended a connection into words.
func endWords(r history.Record) string {
	switch {
	case r.Method == wire.EventDisconnected:
		return "ended the connection"
	case r.Method != wire.EventExited:
		return ""
	case r.Name != "":
		return "was killed by " + r.Name
	case r.ID.Type == wire.NumberID:
		return "exited " + r.ID.String()
	}
	return "exited"
}

// record reads a frame's record, the zero Record if there is no such frame.
func (d *desk) record(seq uint64) history.Record {
	if d.sess == nil || seq == 0 {
		return history.Record{}
	}
	r, _ := d.sess.Log.Record(seq)
	return r
}

// span reads a part of a frame; what cannot be read is empty.
func (d *desk) span(seq uint64, s wire.Span) []byte {
	if s.Len == 0 {
		return nil
	}
	raw, err := d.sess.Log.Bytes(seq, s.Off, int(s.Len))
	if err != nil {
		return nil
	}
	return raw
}

// ended is the state of a connection that is over, in words: "exited 7",
// "killed by SIGSEGV", "closed"; empty while it is not.
func (d *desk) ended() string {
	switch d.state.Phase() {
	case history.Exited:
		code, signal, _ := d.state.Exited()
		if signal != "" {
			return "killed by " + signal
		}
		if code != nil {
			return "exited " + itoa(int64(*code))
		}
		return "exited"
	case history.Disconnected:
		return "disconnected"
	case history.Closed:
		return "closed"
	}
	return ""
}
