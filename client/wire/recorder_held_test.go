package wire

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// appends keeps what each append had, by text, and when.
type appends struct {
	seq uint64
	got []string
}

func (a *appends) Append(frames []Frame) (first uint64) {
	text := ""
	for i := range frames {
		if f := &frames[i]; f.Seq == 0 {
			a.seq++
			f.Seq = a.seq
		}
		text += fmt.Sprintf("%d %s %s %s, ", frames[i].Seq, frames[i].Dir, frames[i].Via, frames[i].Raw)
	}
	a.got = append(a.got, text)
	return frames[0].Seq
}

type headText string

func (h headText) appendHead(b []byte) []byte { return append(b, h...) }

// Heads go out with what comes next, in order and under its numbers, or soon by
// themselves; nothing follows the end.
func TestHeadsWaitForWhatComesNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sink appends
		r := newRecorder(&sink, nil)
		r.hold(Out, "POST 1", headText("ask"))
		r.hold(In, "POST 1", headText("say"))
		if seq := r.put(Frame{Dir: In, Via: "POST 1", Raw: []byte("body")}); seq != 3 {
			t.Errorf("the body has the number %d", seq)
		}
		r.hold(Out, "POST 2", headText("more"))
		frames := []Frame{{Dir: In, Via: "GET 3", Raw: []byte("a")}, {Dir: In, Via: "GET 3", Raw: []byte("b")}}
		if !r.append(frames) || frames[0].Seq != 5 || frames[1].Seq != 6 {
			t.Errorf("the events have the numbers %d and %d", frames[0].Seq, frames[1].Seq)
		}
		<-time.After(2 * heldTime) // the clock that the first head started finds nothing
		synctest.Wait()
		r.hold(Out, "POST 4", headText("slow"))
		<-time.After(heldTime)
		synctest.Wait()
		r.hold(Out, "POST 5", headText("last"))
		r.end(ConnEvent{Event: EventClosed})
		r.hold(In, "POST 5", headText("late"))
		<-time.After(2 * heldTime)
		synctest.Wait()
		want := []string{
			"1 > POST 1 ask, 2 < POST 1 say, 3 < POST 1 body, ", "4 > POST 2 more, 5 < GET 3 a, 6 < GET 3 b, ", "7 > POST 4 slow, ",
			`8 > POST 5 last, 9   {"event":"closed"}, `,
		}
		if !slices.Equal(sink.got, want) {
			t.Errorf("appends %q", sink.got)
		}
	})
}
