package history

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/client/wire"
)

func TestSmoke(t *testing.T) {
	dir := t.TempDir()
	now := func() time.Time { return time.Date(2026, 11, 20, 9, 38, 50, 339e6, time.UTC) }
	l, err := Create(Options{Dir: dir, Now: now, Header: Header{Client: "parley 0.1.0", Target: Target{Command: []string{"node", "server.js"}, Cwd: "/x"}}})
	if err != nil {
		t.Fatal(err)
	}
	add := func(f wire.Frame) {
		if f.Kind == wire.Message {
			f.Head = wire.Scan(f.Raw)
		}
		f.Time = now()
		l.Append([]wire.Frame{f})
	}
	add(wire.Frame{Kind: wire.Event, Raw: []byte(`{"event":"connected","epoch":1,"pid":42}`)})
	add(wire.Frame{Dir: wire.Out, By: wire.ByAuto, Raw: []byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`)})
	add(wire.Frame{Dir: wire.In, Raw: []byte("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"x\":\"\\n\"}}")})
	add(wire.Frame{Dir: wire.In, Kind: wire.Stderr, Raw: []byte("a\xff\x00b"), EOL: wire.EOLNone})
	b, _ := os.ReadFile(l.Path())
	t.Logf("%s\n%s", filepath.Base(l.Path()), b)
	o, err := Open(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	for i := uint64(1); i <= l.Len(); i++ {
		r1, _ := l.Record(i)
		r2, _ := o.Record(i)
		b, err := o.Bytes(i, 0, -1)
		t.Logf("%v %+v %q %v", r1 == r2, r1, b, err)
	}
	t.Log(o.Problems(), o.Torn())
}
