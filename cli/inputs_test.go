package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"parley/config"
)

// silentPerson never types anything.
type silentPerson struct{ asked chan struct{} }

func (p silentPerson) Read([]byte) (int, error) {
	close(p.asked)
	select {}
}

func TestAQuestionIsLeftWhenParleyIsInterrupted(t *testing.T) {
	errStopped := errors.New("stopped")
	for name, ask := range map[string]func(a *app) error{
		"an input": func(a *app) error {
			_, err := a.asking()(config.Input{ID: "key", Secret: true})
			return err
		},
		"yes or no": func(a *app) error { return a.ask(yesOrNo{text: "Go on?", refused: "no"}) },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			person := silentPerson{make(chan struct{})}
			a := &app{ctx: ctx, io: Streams{In: person, Err: io.Discard, InTTY: true, ErrTTY: true}}
			go func() {
				<-person.asked
				cancel(errStopped)
			}()
			if err := ask(a); !errors.Is(err, errStopped) {
				t.Errorf("%v, want the interruption", err)
			}
		})
	}
}

func TestAnswersToYesOrNo(t *testing.T) {
	for typed, want := range map[string]string{"y\n": "", "YES\n": "", "yes": "", "n\n": "no", "\n": "no", "": "no", "yess\n": "no"} {
		a := &app{ctx: t.Context(), io: Streams{In: strings.NewReader(typed), Err: io.Discard, InTTY: true, ErrTTY: true}}
		got := ""
		if err := a.ask(yesOrNo{text: "Go on?", refused: "no"}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}

func TestNobodyIsAskedWhileTheScreenHasTheTerminal(t *testing.T) {
	a := &app{ctx: t.Context(), io: Streams{In: strings.NewReader(""), Err: io.Discard, InTTY: true, ErrTTY: true}}
	if a.asking() == nil {
		t.Error("nobody is asked on a terminal")
	}
	a.onScreen = true
	if a.asking() != nil {
		t.Error("the question would stand on the screen")
	}
}
