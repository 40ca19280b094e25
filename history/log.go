// Package history holds what happened on a connection: the frames, in memory
// as an index and on disk as a session file, and the fold over them that says
// what state the conversation is in.
//
// A [Log] is the list of frames, live (Create) or from a file (Open). A [State]
// is the fold; every reader has its own and lets it catch up. Both work alike
// on a connection and on a file, so what shows one shows the other.
//
// The file format is described in docs/session-format.md.
package history

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"parley/client/wire"
)

// Options say where and how to record.
type Options struct {
	Header Header // Started, if zero, becomes the time of Create
	Path   string // the file to create; or else
	Dir    string // the directory, created if need be, in which a name is made
	Name   string // for the name in Dir; if empty, made from the header's target
	Spool  bool   // keep no file: record into one that has no name
	Now    func() time.Time
	File   File // for tests: record into this, whatever the rest says
}

// Log is a list of frames with their bytes in a file. All methods may be
// called from several goroutines.
type Log struct {
	header   Header
	path     string
	remove   string // a file to remove at Close
	readOnly bool
	now      func() time.Time

	index    index
	store    *store
	bytes    cache
	torn     string
	problems problems

	err atomic.Pointer[error] // why the file takes nothing; nil if it does

	mu     sync.Mutex // one append at a time; guards what follows
	closed bool
	open   map[uint64]*openFrame
	buf    []byte
	placed []placed
	stamp  stamp
}

var _ wire.Sink = (*Log)(nil)

// Create starts a recording: it creates the file, readable for its owner only,
// and writes the header.
func Create(opt Options) (*Log, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	l := &Log{header: opt.Header, now: opt.Now}
	l.header.Parley = Format
	if l.header.Started.IsZero() {
		l.header.Started = opt.Now()
	}
	l.header.Started = l.header.Started.UTC().Truncate(time.Millisecond)
	file, err := l.createFile(&opt)
	if err != nil {
		return nil, err
	}
	l.useFile(file)
	if _, err := l.store.write(appendHeader(nil, &l.header)); err != nil {
		_ = file.Close()
		if l.path != "" {
			_ = os.Remove(l.path)
		}
		return nil, fmt.Errorf("writing the header of %s: %w", l.fileName(), err)
	}
	return l, nil
}

func (l *Log) useFile(file File) {
	l.store = newStore(file, l.now)
	l.bytes.from = l.store
}

// Path returns the file's path; it is empty if the recording has no name.
func (l *Log) Path() string { return l.path }

func (l *Log) fileName() string {
	if l.path == "" {
		return "the spool file"
	}
	return l.path
}

// Header returns the first line of the file.
func (l *Log) Header() Header { return l.header }

// Len returns the highest number given so far. Numbers begin with 1; in a file
// some may be missing.
func (l *Log) Len() uint64 {
	l.index.mu.RLock()
	defer l.index.mu.RUnlock()
	return l.index.last
}

// Record returns what is known of a frame without reading its bytes.
func (l *Log) Record(seq uint64) (r Record, ok bool) {
	l.index.mu.RLock()
	defer l.index.mu.RUnlock()
	pos, ok := l.index.find(seq)
	if ok {
		l.index.record(seq, l.index.at(pos), &r)
	}
	return r, ok
}

// Records gives visit what Record returns for the frames from and to and for
// those between them, in the order of their numbers, until it returns false. A
// record is valid during the call. Where there are many frames it costs a
// fraction of as many calls of Record, also while others are recorded.
func (l *Log) Records(from, to uint64, visit func(r *Record) bool) {
	l.index.each(from, to, visit)
}

// Members returns the heads of a batch's members, in order, without the places
// of their parts, which Head finds.
func (l *Log) Members(seq uint64) []wire.Head {
	l.index.mu.RLock()
	defer l.index.mu.RUnlock()
	return l.index.heads(l.index.extra[seq])
}

// Changed returns a channel that is closed at the next change: a frame, or a
// part of one. To miss nothing, take the channel first and then look.
func (l *Log) Changed() <-chan struct{} {
	l.index.mu.Lock()
	defer l.index.mu.Unlock()
	if l.index.next == nil {
		l.index.next = make(chan struct{})
	}
	return l.index.next
}

// Err says why the file does not take what is recorded, nil if it does. The
// log goes on in memory meanwhile and tries again; an event frame says when
// recording stopped and when it went on.
func (l *Log) Err() error {
	if err := l.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Close ends the recording, or the reading. Frames that are not complete are
// cut. The error says what could not be written. What is in the file can no
// longer be read.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	l.cutOpen()
	err := l.Err()
	if !l.store.healthy() {
		if l.store.flush() == nil {
			err = nil
		}
	}
	if cerr := l.store.file.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("closing %s: %w", l.fileName(), cerr)
	}
	if l.remove != "" {
		_ = os.Remove(l.remove)
	}
	return err
}

// cutOpen marks the frames whose end will not come.
func (l *Log) cutOpen() {
	l.index.mu.Lock()
	defer l.index.mu.Unlock()
	for seq := range l.open {
		if e, _ := l.index.get(seq); e != nil {
			e.cut()
		}
	}
	l.open = nil
	l.index.changed()
}

// notice makes an event frame of parley's own words.
func (l *Log) notice(text string) wire.Frame {
	raw, err := json.Marshal(wire.ConnEvent{Event: wire.EventNotice, Text: text})
	if err != nil {
		raw = []byte(`{"event":"` + wire.EventNotice + `"}`)
	}
	return wire.Frame{Time: l.now(), Kind: wire.Event, Size: int64(len(raw)), Raw: raw}
}
