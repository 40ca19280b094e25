//go:build unix

package cli

import (
	"context"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAnInterruptIsOfferedFirst(t *testing.T) {
	ctx, stop := WithSignals(t.Context())
	defer stop()
	interrupt := func() {
		if err := unix.Kill(unix.Getpid(), unix.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	taken := make(chan bool)
	release := onInterrupt(ctx, func() { taken <- true })
	for range 2 {
		interrupt()
		<-taken
		if err := ctx.Err(); err != nil {
			t.Fatal(err)
		}
	}
	release()
	interrupt()
	<-ctx.Done()
	if got := context.Cause(ctx); got.Error() != "interrupt signal received" || word(got) != "interrupted" {
		t.Errorf("it ended because of %q, which is %s", got, word(got))
	}
	onInterrupt(t.Context(), nil)() // of a context without signals
}
