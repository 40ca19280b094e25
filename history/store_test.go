package history

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/client/wire"
)

// fullDisk is a log whose file can be made to take no more.
type fullDisk struct {
	*Log
	file *memFile
	at   time.Time
}

func newFullDisk(t *testing.T) *fullDisk {
	t.Helper()
	d := &fullDisk{file: newMemFile(), at: newClock().at}
	l, err := Create(Options{File: d.file, Now: func() time.Time { return d.at }})
	if err != nil {
		t.Fatal(err)
	}
	d.Log = l
	return d
}

func (d *fullDisk) add(text string) uint64 {
	return d.Append([]wire.Frame{{Time: d.at, Dir: wire.In, Kind: wire.Stderr, Raw: []byte(text)}})
}

// want fails the test unless the frames have these bytes; "-" stands for bytes
// that are gone, "*" for a notice.
func (d *fullDisk) want(t *testing.T, texts ...string) {
	t.Helper()
	if d.Len() != uint64(len(texts)) {
		t.Errorf("%d frames, want %d", d.Len(), len(texts))
	}
	for i, want := range texts {
		raw, err := d.Bytes(uint64(i+1), 0, -1)
		switch {
		case want == "-":
			if !errors.Is(err, ErrDropped) {
				t.Errorf("frame %d: %q, %v; want dropped", i+1, raw, err)
			}
		case want == "*":
			if r, _ := d.Record(uint64(i + 1)); r.Kind != wire.Event || r.Method != wire.EventNotice || err != nil {
				t.Errorf("frame %d: %+v, %v; want a notice", i+1, r, err)
			}
		case string(raw) != want || err != nil:
			t.Errorf("frame %d: %q, %v; want %q", i+1, raw, err, want)
		}
	}
}

func TestFullDisk(t *testing.T) {
	for room := 0; room < 200; room += 7 {
		d := newFullDisk(t)
		d.add("one")
		d.file.setRoom(room)
		d.Append([]wire.Frame{
			{Time: d.at, Kind: wire.Stderr, Raw: []byte("two")},
			{Time: d.at, Kind: wire.Stderr, Raw: []byte("three")},
			{Time: d.at, Kind: wire.Stderr, Raw: []byte("four\n\"")},
		})
		d.file.setRoom(0)
		if err := d.Err(); !errors.Is(err, errFull) {
			t.Fatalf("room %d: %v", room, err)
		}
		d.add("five")
		d.want(t, "one", "two", "three", "four\n\"", "*", "five")

		// There is room again, but it is tried only once in a while.
		d.file.setRoom(-1)
		written := len(d.file.b)
		d.add("six")
		if len(d.file.b) != written || d.Err() == nil {
			t.Error("tried at once")
		}
		d.at = d.at.Add(retryEvery)
		d.add("seven")
		d.want(t, "one", "two", "three", "four\n\"", "*", "five", "six", "seven", "*")
		if d.Err() != nil {
			t.Error(d.Err())
		}
		d.add("eight")
		if err := d.Close(); err != nil {
			t.Error(err)
		}

		// The file has everything; a torn line is one of its own.
		o := open(t, string(d.file.b))
		same(t, d.Log, o)
		if n := len(o.Problems()); n > 1 || o.Torn() != "" {
			t.Errorf("room %d: %v %q", room, o.Problems(), o.Torn())
		}
	}
}

func TestFullDiskTellsOnce(t *testing.T) {
	d := newFullDisk(t)
	d.file.setRoom(0)
	for i := range 5 {
		d.at = d.at.Add(2 * retryEvery)
		d.add(fmt.Sprint(i))
	}
	d.want(t, "0", "*", "1", "2", "3", "4")
	raw, _ := d.Bytes(2, 0, -1)
	if !strings.Contains(string(raw), errFull.Error()) {
		t.Errorf("notice %s", raw)
	}
	if err := d.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close: %v", err)
	}
}

func TestCloseWritesWhatWasKept(t *testing.T) {
	d := newFullDisk(t)
	d.file.setRoom(10)
	d.add("one")
	d.file.setRoom(-1)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	o := open(t, string(d.file.b))
	if raw, err := o.Bytes(1, 0, -1); string(raw) != "one" || err != nil {
		t.Errorf("%q %v", raw, err)
	}
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	d := newFullDisk(t)
	d.store.keep = 1000
	d.add("first")
	d.file.setRoom(30)
	long := strings.Repeat("x", 300)
	for i := range 6 {
		d.add(fmt.Sprint(i, long))
	}
	var held int
	for _, h := range d.store.held {
		held += len(h.b)
	}
	if held > 1000 || int64(held) != d.store.heldLen {
		t.Errorf("%d bytes held, counted as %d", held, d.store.heldLen)
	}
	want := []string{"first", "-", "-", "-", "-", "-", "4" + long, "5" + long}
	d.want(t, want...)

	d.file.setRoom(-1)
	d.at = d.at.Add(retryEvery)
	d.add("after")
	d.want(t, append(want, "after", "*")...)
	o := open(t, string(d.file.b))
	if raw, err := o.Bytes(8, 0, -1); string(raw) != "5"+long || err != nil {
		t.Errorf("%.10q %v", raw, err)
	}
	if _, ok := o.Record(4); ok || o.Len() != 10 {
		t.Errorf("%d frames", o.Len())
	}
}

// The disk fills and empties at random; every frame reads back, live and from
// the file.
func TestStoreAtRandom(t *testing.T) {
	for seed := range 200 {
		d := newFullDisk(t)
		var want []string
		rnd := uint32(seed)*2654435761 + 1
		next := func(n uint32) int {
			rnd = rnd*1664525 + 1013904223
			return int((rnd >> 8) % n)
		}
		for i := range 40 {
			switch next(4) {
			case 0:
				d.file.setRoom(next(400))
			case 1:
				d.file.setRoom(-1)
			case 2:
				d.at = d.at.Add(retryEvery)
			}
			text := fmt.Sprint(i, strings.Repeat("\n", next(30)))
			seq := d.add(text)
			for len(want) < int(seq)-1 {
				want = append(want, "*")
			}
			want = append(want, text)
		}
		for len(want) < int(d.Len()) {
			want = append(want, "*")
		}
		d.want(t, want...)
		d.file.setRoom(-1)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		same(t, d.Log, open(t, string(d.file.b)))
		if t.Failed() {
			t.Fatalf("seed %d\n%s", seed, d.file.b)
		}
	}
}

func TestTornLineIsFollowedByANewline(t *testing.T) {
	d := newFullDisk(t)
	d.file.setRoom(20)
	d.add("one")
	d.file.setRoom(-1)
	d.at = d.at.Add(retryEvery)
	before := len(d.file.writes)
	d.add("two")
	if w := d.file.writes[before]; !bytes.HasPrefix(w, []byte("\n")) {
		t.Errorf("the next write is %q", w)
	}
}

func TestCreateFailsWithoutRoom(t *testing.T) {
	file := newMemFile()
	file.setRoom(10)
	if _, err := Create(Options{File: file}); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}
