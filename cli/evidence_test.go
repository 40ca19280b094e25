package cli

import (
	"fmt"
	"strings"
	"testing"

	"parley/client"
	"parley/client/wire"
	"parley/history"
)

// flooded is the log of a server that printed so many lines, after a message if it
// spoke, and more while it is looked at.
func flooded(t testing.TB, spoke bool, lines int) *history.Log {
	t.Helper()
	log, err := history.Create(history.Options{Spool: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	var frames []wire.Frame
	add := func(kind wire.Kind, text string) {
		raw := []byte(text)
		f := wire.Frame{Dir: wire.In, Kind: kind, Raw: raw, Size: int64(len(raw))}
		if kind == wire.Message {
			f.Head = wire.Scan(raw)
		}
		frames = append(frames, f)
	}
	if spoke {
		add(wire.Message, `{"jsonrpc":"2.0","id":0,"result":{}}`)
	}
	for i := range lines {
		add(wire.Stray, fmt.Sprint("line ", i))
		if i%2 == 0 {
			add(wire.Stderr, fmt.Sprint("error ", i))
		}
	}
	log.Append(frames)
	return log
}

func TestEvidenceOfAFloodIsItsFirstAndLastLines(t *testing.T) {
	const lines = 3 * maxRecords
	for _, spoke := range []bool{false, true} {
		err := withEvidence(&client.TimeoutError{Method: "x"}, flooded(t, spoke, lines))
		seen := seenOf(err)
		first, last := 0, maxPrinted-1
		if spoke {
			first, last = lines-maxPrinted, lines-1
		}
		if got, want := strings.Join(seen.printed, ","), fmt.Sprintf("line %d,", first); len(seen.printed) != maxPrinted || !strings.HasPrefix(got, want) ||
			seen.printed[maxPrinted-1] != fmt.Sprint("line ", last) {
			t.Errorf("spoke %v: printed %q", spoke, got)
		}
		if n := len(seen.stderr); n != maxStderr || seen.stderr[n-1] != fmt.Sprint("error ", lines-2) {
			t.Errorf("spoke %v: stderr %q", spoke, seen.stderr)
		}
	}
}

func BenchmarkEvidenceOfAFlood(b *testing.B) {
	log := flooded(b, true, 10*maxRecords)
	for b.Loop() {
		_ = withEvidence(&client.TimeoutError{Method: "x"}, log)
	}
}
