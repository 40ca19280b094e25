package ui

import (
	"strings"
	"time"

	"parley/client/wire"
)

// eventText puts an event into words.
func eventText(raw []byte) string {
	e, err := wire.ParseEvent(raw)
	if err != nil {
		return string(raw)
	}
	switch e.Event {
	case wire.EventConnected:
		text := "connected"
		if e.Epoch > 1 {
			text = "connected again"
		}
		if e.PID != 0 {
			text += "  pid " + itoa(int64(e.PID))
		}
		if e.Transport != "" && e.Transport != wire.TransportStdio {
			text += "  over " + e.Transport + "  " + e.URL
		}
		return text
	case wire.EventExited:
		switch {
		case e.Signal != "":
			return "✗ killed by " + e.Signal
		case e.Code != nil && *e.Code == 0:
			return "exited 0"
		case e.Code != nil:
			return "✗ exited " + itoa(int64(*e.Code))
		}
		return "exited"
	case wire.EventWriteFailed:
		return "✗ frame " + itoa(int64(e.Seq)) + " could not be written: " + e.Text
	}
	return linkText(&e)
}

// linkText puts into words what a connection that is no process did.
func linkText(e *wire.ConnEvent) string {
	because := ""
	if e.Text != "" {
		because = ": " + e.Text
	}
	switch e.Event {
	case wire.EventDisconnected:
		return "✗ disconnected" + because
	case wire.EventClosed:
		return "closed by parley" + because
	case wire.EventLost:
		return "✗ no answer to frame " + itoa(int64(e.Seq)) + because
	case wire.EventAbandoned:
		return "the answer to frame " + itoa(int64(e.Seq)) + " is not waited for" + because
	case wire.EventReconnecting:
		what := e.Via
		if what == "" {
			what = "a stream"
		}
		return "reconnecting: " + what + " ended, opened again after " + took(time.Duration(e.Millis)*time.Millisecond) +
			", attempt " + itoa(int64(e.Attempt)) + because
	case wire.EventSwitched:
		return "over " + e.Transport + " from here on  " + e.URL + because
	case wire.EventExpired:
		return "the session expired: the server does not know it any more" + because
	case wire.EventNotice:
		return e.Text
	}
	return strings.TrimSpace(e.Event + "  " + e.Text)
}
