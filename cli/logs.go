package cli

import (
	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

const logMessage = "notifications/message"

// logged tells the server's log messages as they come, where a level was asked for.
type logged struct {
	*history.Log
	app *app
	l   *link
}

// Append implements [wire.Sink].
func (s *logged) Append(frames []wire.Frame) uint64 {
	first := s.Log.Append(frames)
	for i := range frames {
		f := &frames[i]
		if f.Dir != wire.In || f.Kind != wire.Message || f.Head.Method != logMessage || int64(len(f.Raw)) != f.Size {
			continue
		}
		if s.l.client.LogLevel() != "" {
			s.app.note("%s", theme.SafeCut(notificationWord(f.Head.Method, f.Raw), maxWord))
		}
	}
	return first
}
