package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"

	"parley/ui/prompt"
)

// written is what was written, for tests that look while others write.
type written struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

func TestPlainLines(t *testing.T) {
	l := &plainLines{in: bufio.NewReader(bytes.NewBufferString("tools\r\n\ncall x {\n\"a\": 1\n}\nraw \r\r\nlast"))}
	for _, want := range []string{"tools", "", "call x {\n\"a\": 1\n}", "raw \r", "last"} {
		if got, err := l.Next(t.Context()); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	for range 2 {
		if got, err := l.Next(t.Context()); got != "" || !errors.Is(err, io.EOF) {
			t.Errorf("at the end: %q, %v", got, err)
		}
	}
	l = &plainLines{in: bufio.NewReader(bytes.NewBufferString("call x {"))}
	if got, err := l.Next(t.Context()); got != "call x {\n" || !errors.Is(err, io.EOF) {
		t.Errorf("a line that the end cuts: %q, %v", got, err)
	}
}

// A question is answered by the next line, and the one who waited before waits on.
func TestPlainQuestions(t *testing.T) {
	in, typed := io.Pipe()
	var out written
	l := &plainLines{in: bufio.NewReader(in), out: &out}
	l.SetLabel("demo› ")
	next := make(chan string)
	go func() {
		text, _ := l.Next(t.Context())
		next <- text
	}()
	waiting := func(n int) {
		for {
			l.mu.Lock()
			got := len(l.waiting)
			l.mu.Unlock()
			if got == n {
				return
			}
		}
	}
	waiting(1)
	answered := make(chan string)
	go func() {
		text, _ := l.Ask(t.Context(), "name\x1b: ")
		answered <- text
	}()
	waiting(2)
	withdrawn, withdraw := context.WithCancel(t.Context())
	go func() {
		_, err := l.Ask(withdrawn, "nobody: ")
		answered <- err.Error()
	}()
	waiting(3)
	withdraw()
	if got := <-answered; got != "context canceled" {
		t.Errorf("a question that was withdrawn: %q", got)
	}
	_, _ = io.WriteString(typed, "Ann\n")
	if got := <-answered; got != "Ann" {
		t.Errorf("the answer is %q", got)
	}
	_, _ = io.WriteString(typed, "tools\n")
	if got := <-next; got != "tools" {
		t.Errorf("the line is %q", got)
	}
	if got, want := out.String(), "demo› name␛: nobody: \nname␛: demo› "; got != want {
		t.Errorf("labels %q, want %q", got, want)
	}
}

// On a terminal that cannot be edited on, an interrupt stops what is going on and
// nothing more.
func TestAnInterruptStopsWhatRuns(t *testing.T) {
	in, typing := io.Pipe()
	var out written
	l := &plainLines{in: bufio.NewReader(in), out: &out}
	l.SetLabel("demo› ")
	wait := func(n int) {
		for waiting := -1; waiting != n; {
			l.mu.Lock()
			waiting = len(l.waiting)
			l.mu.Unlock()
		}
	}
	l.Interrupt() // nothing is going on

	working, done := l.Working(t.Context(), "call slow")
	l.Interrupt()
	<-working.Done()
	done()

	next := make(chan string)
	go func() {
		text, err := l.Next(t.Context())
		next <- fmt.Sprint(text, err)
	}()
	wait(1)
	l.Interrupt() // says how to leave
	_, _ = io.WriteString(typing, "call x {\n")
	for !strings.HasSuffix(out.String(), "… ") {
		runtime.Gosched()
	}
	l.Interrupt() // drops the line that was begun
	for !strings.HasSuffix(out.String(), "… \ndemo› ") {
		runtime.Gosched()
	}
	_, _ = io.WriteString(typing, "tools\n")
	if got := <-next; got != "tools<nil>" {
		t.Errorf("the line is %s", got)
	}

	asked := make(chan error)
	go func() {
		_, err := l.Ask(t.Context(), "name: ")
		asked <- err
	}()
	wait(1)
	l.Interrupt()
	if err := <-asked; !errors.Is(err, prompt.ErrInterrupted) {
		t.Errorf("the question: %v", err)
	}
	if got, want := out.String(), "\ndemo› \nctrl+d leaves\ndemo› … \ndemo› name: \n"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
}
