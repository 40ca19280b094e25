package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"parley/ui/prompt"
	"parley/ui/theme"
)

// plainLines are lines as they come, from a pipe or from a terminal on which they
// are not edited. Several may wait for one: the last gets the next.
type plainLines struct {
	in  *bufio.Reader
	out io.Writer // where labels go; nil where nobody would see them

	mu      sync.Mutex
	label   theme.Text
	waiting []*waiter // the last one gets the next line
	early   []typed   // lines that came when nobody waited any more
	reading bool
	stop    context.CancelFunc // of what runs; nil for nothing
}

// typed is a line, or why there is none.
type typed struct {
	text string
	err  error
}

type waiter struct {
	label theme.Text
	main  bool
	got   chan typed
}

// Next implements [lineReader].
func (l *plainLines) Next(ctx context.Context) (string, error) {
	text, err := l.line(ctx, &waiter{main: true})
	for err == nil && goesOn(text) {
		var more string
		more, err = l.line(ctx, &waiter{label: "… "})
		text += "\n" + more
	}
	if errors.Is(err, prompt.ErrInterrupted) { // what was typed of it is dropped
		return l.Next(ctx)
	}
	return text, err
}

// Ask implements [lineReader].
func (l *plainLines) Ask(ctx context.Context, label string) (string, error) {
	return l.line(ctx, &waiter{label: theme.Safe(label)})
}

// Working implements [lineReader].
func (l *plainLines) Working(ctx context.Context, _ string) (working context.Context, done func()) {
	working, cancel := context.WithCancel(ctx)
	set := func(stop context.CancelFunc) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.stop = stop
	}
	set(cancel)
	return working, func() {
		set(nil)
		cancel()
	}
}

// Interrupt gives up a question or a line that was begun, stops what runs, or says
// how to leave.
func (l *plainLines) Interrupt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.waiting)
	switch {
	case n > 0 && !l.waiting[n-1].main:
		l.write("\n")
		l.waiting[n-1].got <- typed{"", prompt.ErrInterrupted}
		l.waiting = l.waiting[:n-1]
	case l.stop != nil:
		l.write("\n")
		l.stop()
	case n > 0:
		l.write("\nctrl+d leaves\n")
		l.show(l.waiting[n-1])
	}
}

func (l *plainLines) write(text string) {
	if l.out != nil {
		_, _ = io.WriteString(l.out, text)
	}
}

// Failed implements [lineReader]: a line that fails does not keep the next from
// running.
func (l *plainLines) Failed() {}

// SetLabel implements [lineReader].
func (l *plainLines) SetLabel(label theme.Text) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.label = label
}

func (l *plainLines) line(ctx context.Context, w *waiter) (string, error) {
	w.got = make(chan typed, 1)
	l.mu.Lock()
	if len(l.early) > 0 {
		if !w.main {
			l.show(w) // what it answers
		}
		w.got <- l.early[0]
		l.early = l.early[1:]
	} else {
		l.waiting = append(l.waiting, w)
		l.show(w)
		if !l.reading {
			l.reading = true
			go l.read()
		}
	}
	l.mu.Unlock()
	select {
	case t := <-w.got:
		return t.text, t.err
	case <-ctx.Done():
		l.drop(w)
		return "", context.Cause(ctx)
	}
}

// show writes what stands before a line.
func (l *plainLines) show(w *waiter) {
	label := w.label
	if w.main {
		label = l.label
	}
	l.write(string(label))
}

func (l *plainLines) drop(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.waiting {
		if l.waiting[i] == w {
			l.waiting = append(l.waiting[:i:i], l.waiting[i+1:]...)
			if i == len(l.waiting) { // the cursor stands behind its label
				l.write("\n")
			}
			if n := len(l.waiting); i == n && n > 0 {
				l.show(l.waiting[n-1])
			}
			return
		}
	}
}

// read reads lines as long as somebody waits for one. A read of a terminal
// cannot be interrupted: what comes when nobody waits any more is kept.
func (l *plainLines) read() {
	for {
		text, err := l.in.ReadString('\n')
		if errors.Is(err, io.EOF) && text != "" {
			err = nil
		}
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		l.mu.Lock()
		if errors.Is(err, io.EOF) {
			l.write("\n") // ctrl+d leaves the cursor behind the label
		}
		n := len(l.waiting)
		if n == 0 {
			l.early = append(l.early, typed{text, err})
		} else {
			l.waiting[n-1].got <- typed{text, err}
			l.waiting = l.waiting[:n-1]
		}
		if len(l.waiting) == 0 {
			l.reading = false
			l.mu.Unlock()
			return
		}
		l.show(l.waiting[len(l.waiting)-1])
		l.mu.Unlock()
	}
}
