package wire

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"
)

const (
	// drainTime is how long a process that has ended may leave its output open
	// in the hands of others.
	drainTime = 300 * time.Millisecond
	// drainPoll is how long a read may take after that: enough to get what is
	// in the pipe already, however long the sink kept the reader busy.
	drainPoll = 5 * time.Millisecond
)

// drain reads an output of a process to its end. Once the process has ended,
// the end is also where nothing comes any more: another process may hold the
// pipe for ever.
type drain struct {
	r    io.ReadCloser
	stop atomic.Pointer[time.Time] // set when the process has ended
	late int                       // bytes read after stop
}

// deadliner is a reader with a deadline, as pipes of Unix systems are.
type deadliner interface{ SetReadDeadline(time.Time) error }

// end is called when the process has ended.
func (d *drain) end() {
	stop := time.Now().Add(drainTime)
	d.stop.Store(&stop)
	if dl, ok := d.r.(deadliner); !ok || dl.SetReadDeadline(stop) != nil {
		time.AfterFunc(drainTime, func() { _ = d.r.Close() })
	}
}

func (d *drain) Read(p []byte) (int, error) {
	for {
		late := d.prepare()
		if d.late > MaxPart { // someone else who never stops
			return 0, io.EOF
		}
		n, err := d.r.Read(p)
		if late {
			d.late += n
		}
		if n == 0 && d.stop.Load() != nil && errors.Is(err, os.ErrDeadlineExceeded) {
			if !time.Now().Before(*d.stop.Load()) {
				return 0, io.EOF
			}
			continue
		}
		return n, err
	}
}

// prepare gives the next read its deadline and reports whether the time to
// wait for more is over.
func (d *drain) prepare() (late bool) {
	stop := d.stop.Load()
	if stop == nil {
		return false
	}
	deadline := time.Now().Add(drainPoll)
	late = stop.Before(deadline)
	if !late {
		deadline = *stop
	}
	if dl, ok := d.r.(deadliner); ok {
		_ = dl.SetReadDeadline(deadline) // without deadlines the pipe is closed instead: see end
	}
	return late
}
