package cli

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// verbose prints what passes, as it passes.
type verbose struct {
	*history.Log
	app *app
	mu  sync.Mutex
}

// maxShown is how much of a message verbose shows, in bytes.
const maxShown = 4096

// Append implements [wire.Sink].
func (v *verbose) Append(frames []wire.Frame) uint64 {
	continued := make([]bool, len(frames))
	for i := range frames {
		continued[i] = frames[i].Seq != 0
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	first := v.Log.Append(frames)
	for i := range frames {
		v.show(&frames[i], continued[i])
	}
	return first
}

// showFrame prints a frame.
func (v *verbose) showFrame(f *wire.Frame, continued bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.show(f, continued)
}

// show prints a frame: of one in parts the first, and its size at the end.
func (v *verbose) show(f *wire.Frame, continued bool) {
	switch {
	case f.Kind == wire.HTTP && !continued:
		v.transported(f)
		return
	case f.Kind == wire.HTTP: // its data is told with the message
		return
	case f.Kind == wire.Event:
		if text := eventText(f.Raw); text != "" {
			fmt.Fprintf(v.app.io.Err, "·  %s\n", theme.Safe(text))
			return
		}
	}
	mark := "  "
	switch {
	case f.Kind == wire.Stderr:
		mark = "! "
	case f.Kind == wire.Event:
		mark = "· "
	case f.Kind == wire.Stray && f.Dir == wire.In:
		mark = "←▲"
	case f.Dir == wire.Out:
		mark = "→ "
	case f.Dir == wire.In:
		mark = "← "
	}
	raw, cut := f.Raw, ""
	switch {
	case continued && f.More:
		return
	case continued:
		raw, cut = nil, "… "+size(f.Size)+" in all"
	case f.More:
		raw, cut = raw[:maxShown], " …"
	case len(raw) > maxShown:
		raw, cut = raw[:maxShown], " … "+size(f.Size)+" in all"
	}
	if f.By == wire.ByProbe && !continued && f.Head.Form == wire.Request {
		fmt.Fprintf(v.app.io.Err, "·  %s\n", probeWords)
	}
	fmt.Fprintf(v.app.io.Err, "%s %s%s\n", mark, theme.Safe(string(raw)), cut)
}

// transported prints what passes below the messages.
func (v *verbose) transported(f *wire.Frame) {
	mark := "⇠ "
	if f.Dir == wire.Out {
		mark = "⇢ "
	}
	raw, cut := f.Raw, ""
	if len(raw) > maxShown {
		raw, cut = raw[:maxShown], " …"
	}
	lines := httpLines(f.Dir, raw)
	if len(lines) == 0 {
		return
	}
	lines[len(lines)-1] += cut
	fmt.Fprintf(v.app.io.Err, "%s %s%s\n", mark, theme.Safe(lines[0]), theme.Safe(aside(f.Via)))
	for _, line := range lines[1:] {
		fmt.Fprintf(v.app.io.Err, "     %s\n", theme.Safe(line))
	}
}

// httpLines are the lines to show of what passes below the messages: of the heads of
// HTTP with their headers, of the events of a stream, in one line and without their
// data, which is the message that follows, and of bodies that are no messages.
func httpLines(dir wire.Dir, raw []byte) (lines []string) {
	for line := range strings.Lines(string(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")))) {
		line = strings.TrimRight(line, "\r\n")
		if name, rest, _ := strings.Cut(line, ":"); name == "data" && dir == wire.In {
			line = "data: " + size(int64(len(strings.TrimPrefix(rest, " "))))
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	if head := bytes.HasPrefix(raw, []byte("HTTP/")) || dir == wire.Out; !head && len(lines) > 1 {
		lines = []string{strings.Join(lines, " · ")}
	}
	return lines
}

// eventText tells in words what a connection that is no process did; "" for what is
// told as it is.
func eventText(raw []byte) string {
	e, err := wire.ParseEvent(raw)
	if err != nil {
		return ""
	}
	because := ""
	if e.Text != "" {
		because = ": " + e.Text
	}
	at := ""
	if e.URL != "" {
		at = " " + e.URL
	}
	switch e.Event {
	case wire.EventConnected:
		if e.Transport == "" || e.Transport == wire.TransportStdio {
			return ""
		}
		return fmt.Sprintf("connection %d over %s:%s", e.Epoch, e.Transport, at)
	case wire.EventSwitched:
		return fmt.Sprintf("over %s from here on:%s%s", e.Transport, at, because)
	case wire.EventReconnecting:
		return fmt.Sprintf("%s broke and is opened again after %d ms, attempt %d%s", e.Via, e.Millis, e.Attempt, because)
	case wire.EventLost:
		return fmt.Sprintf("frame %d will not be answered%s", e.Seq, because)
	case wire.EventAbandoned:
		return fmt.Sprintf("the answer to frame %d is not waited for%s", e.Seq, because)
	case wire.EventExpired:
		return "the server does not know the session any more" + because
	case wire.EventDisconnected:
		return "disconnected" + because
	case wire.EventClosed:
		return "closed by parley" + because
	case wire.EventNotice:
		return strings.TrimPrefix(because, ": ")
	}
	return ""
}
