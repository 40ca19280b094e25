package wire

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
)

func TestMatcher(t *testing.T) {
	text := Str
	spelled := func(s string) ID { return ID{Type: NumberID, Text: s} }
	type step struct {
		dir  Dir
		form Form
		id   ID
		want Pairing
		of   uint64 // the step of the request, from 1
	}
	for _, tt := range []struct {
		name  string
		steps []step
	}{
		{"one exchange, answered twice", []step{
			{Out, Request, Int(1), Opened, 1}, {In, Result, Int(1), Answered, 1}, {In, Failure, Int(1), Second, 1}}},
		{"answers in another order", []step{
			{Out, Request, Int(1), Opened, 1}, {Out, Request, Int(2), Opened, 2},
			{In, Result, Int(2), Answered, 2}, {In, Result, Int(1), Answered, 1}}},
		{"directions do not mix", []step{
			{Out, Request, Int(1), Opened, 1}, {In, Request, Int(1), Opened, 2},
			{Out, Result, Int(1), Answered, 2}, {In, Result, Int(1), Answered, 1}, {Out, Result, Int(1), Second, 2}}},
		{"an answer does not answer its own side", []step{
			{Out, Request, Int(1), Opened, 1}, {Out, Result, Int(1), Orphan, 0}}},
		{"two in flight: the newest unanswered gets the answer", []step{
			{Out, Request, Int(1), Opened, 1}, {Out, Request, Int(1), Reopened, 1}, {Out, Request, Int(1), Reopened, 2},
			{In, Result, Int(1), Answered, 3}, {In, Result, Int(1), Answered, 2}, {In, Result, Int(1), Answered, 1},
			{In, Result, Int(1), Second, 1}}},
		{"an id used again after its answer", []step{
			{Out, Request, Int(1), Opened, 1}, {In, Result, Int(1), Answered, 1},
			{Out, Request, Int(1), Opened, 3}, {In, Result, Int(1), Answered, 3}, {In, Result, Int(1), Second, 3}}},
		{"types", []step{
			{Out, Request, Int(1), Opened, 1}, {In, Result, text("1"), OtherType, 1}, {In, Result, Int(1), Answered, 1},
			{In, Result, text("1"), Orphan, 0}, {Out, Request, text("-7"), Opened, 5}, {In, Result, Int(-7), OtherType, 5},
			{In, Result, text("-7"), Answered, 5}, {In, Result, text("-7"), Second, 5}}},
		{"numbers that are not whole", []step{
			{Out, Request, spelled("1.5"), Opened, 1}, {In, Result, text("1.5"), OtherType, 1}, {In, Result, spelled("1.5"), Answered, 1},
			{Out, Request, text("1.5"), Opened, 4}, {In, Result, spelled("1.5"), Second, 1}}},
		{"null and odd ids", []step{
			{In, Failure, ID{Type: NullID}, Orphan, 0}, {In, Failure, ID{}, Orphan, 0},
			{Out, Request, ID{Type: NullID}, Opened, 3}, {In, Failure, ID{Type: NullID}, Answered, 3},
			{Out, Request, ID{Type: OtherID, Text: "[1]"}, Opened, 5}, {In, Result, ID{Type: OtherID, Text: "[1]"}, Answered, 5},
			{In, Result, ID{Type: OtherID, Text: "[2]"}, Orphan, 0}}},
		{"not paired", []step{
			{Out, Notification, ID{}, Unpaired, 0}, {In, Value, ID{}, Unpaired, 0}, {In, Garbage, ID{}, Unpaired, 0},
			{None, NoForm, ID{}, Unpaired, 0}, {None, Result, Int(1), Unpaired, 0}}},
	} {
		var m Matcher
		for i, s := range tt.steps {
			want := Match{Pairing: s.want}
			if s.of != 0 {
				want.Request = Ref{s.of, 3}
			}
			if got := m.Apply(Ref{uint64(i + 1), 3}, s.dir, &Head{Form: s.form, ID: s.id}); got != want {
				t.Errorf("%s: step %d: %+v, want %+v", tt.name, i+1, got, want)
			}
		}
	}
}

func TestMatcherReset(t *testing.T) {
	var m Matcher
	m.Apply(Ref{Seq: 1}, Out, &Head{Form: Request, ID: Int(0)})
	m.Reset()
	if got := m.Apply(Ref{Seq: 2}, In, &Head{Form: Result, ID: Int(0)}); got.Pairing != Orphan {
		t.Errorf("after Reset: %+v", got)
	}
	if got := m.Apply(Ref{Seq: 3}, Out, &Head{Form: Request, ID: Int(0)}); got.Pairing != Opened {
		t.Errorf("after Reset: %+v", got)
	}
}

// Every answered request is found again, whatever its id.
func TestMatcherRemembers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var m Matcher
	want := map[ID]Ref{}
	for i := range 20000 {
		id := Int(int64(r.IntN(3000) - 1500))
		switch i % 4 {
		case 1:
			id = Int(int64(r.Uint64()))
		case 2:
			id = Str(strconv.Itoa(r.IntN(3000)))
		}
		ref := Ref{uint64(i + 1), int32(r.IntN(MaxMembers + 1))}
		m.Apply(ref, Out, &Head{Form: Request, ID: id})
		if got := m.Apply(Ref{}, In, &Head{Form: Result, ID: id}); got != (Match{Answered, ref}) {
			t.Fatalf("%v: %+v", id, got)
		}
		want[id] = ref
	}
	for id, ref := range want {
		if got := m.Apply(Ref{}, In, &Head{Form: Result, ID: id}); got != (Match{Second, ref}) {
			t.Fatalf("%v: %+v, want the second answer to %v", id, got, ref)
		}
	}
	for n := range int64(100) {
		if got := m.Apply(Ref{}, In, &Head{Form: Result, ID: Int(2000 + n)}); got.Pairing != Orphan {
			t.Fatalf("%d: %+v", 2000+n, got)
		}
	}
}

func TestMatcherMemory(t *testing.T) {
	const n = 1_000_000
	heap := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	before := heap()
	m := new(Matcher)
	for i := range int64(n) {
		m.Apply(Ref{Seq: uint64(2*i + 1)}, Out, &Head{Form: Request, ID: Int(i)})
		m.Apply(Ref{Seq: uint64(2*i + 2)}, In, &Head{Form: Result, ID: Int(i)})
	}
	if each := (float64(heap()) - float64(before)) / n; each >= 16 {
		t.Errorf("%.1f bytes an exchange", each)
	} else {
		t.Logf("%.1f bytes an exchange", each)
	}
	runtime.KeepAlive(m)
}

func BenchmarkMatcher(b *testing.B) {
	var m Matcher
	request, result := Head{Form: Request}, Head{Form: Result}
	i := uint64(0)
	for b.Loop() {
		i++
		request.ID = Int(int64(i & 0xfffff))
		result.ID = request.ID
		m.Apply(Ref{Seq: 2 * i}, Out, &request)
		m.Apply(Ref{Seq: 2*i + 1}, In, &result)
	}
}
