package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
	"parley/ui/uitest"
	"parley/ui/widget"
)

// frames appends n frames as a busy server makes them: of each ten, three calls
// with their answers, and four notifications.
func frames(log *history.Log, from, n int) {
	at := began.Add(time.Duration(from) * time.Millisecond)
	var batch []wire.Frame
	add := func(dir wire.Dir, text string) {
		raw := []byte(text)
		batch = append(batch, wire.Frame{Time: at, Dir: dir, By: wire.ByForm, Kind: wire.Message, Via: "stdio", Raw: raw, Size: int64(len(raw)), Head: wire.Scan(raw)})
		at = at.Add(time.Millisecond)
	}
	for i := from; i < from+n; i++ {
		id := i/10*10 + i%10/2 + 1_000
		switch i % 10 {
		case 0, 2, 4:
			add(wire.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool_%d","arguments":{"n":%d}}}`, id, i%7, i))
		case 1, 3, 5:
			add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"answer %d"}],"isError":false}}`, id, i))
		default:
			add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"busy","data":"message %d"}}`, i))
		}
		if len(batch) == 400 {
			log.Append(batch)
			batch = batch[:0]
		}
	}
	log.Append(batch)
}

// shaken appends a connection with its handshake and a list of n tools.
func shaken(log *history.Log, n int) {
	var tools strings.Builder
	for i := range n {
		if i > 0 {
			tools.WriteByte(',')
		}
		fmt.Fprintf(&tools, `{"name":"tool_%d","description":"Does one thing, number %d, and says how it went.","inputSchema":{"type":"object","properties":{"n":{"type":"integer"},"text":{"type":"string"}}}}`, i, i)
	}
	for _, f := range []struct {
		dir wire.Dir
		raw string
	}{
		{wire.Out, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`},
		{wire.In, `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"busy","version":"1"}}}`},
		{wire.Out, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		{wire.In, `{"jsonrpc":"2.0","id":1,"result":{"tools":[` + tools.String() + `]}}`},
	} {
		raw := []byte(f.raw)
		log.Append([]wire.Frame{{Time: began, Dir: f.dir, Kind: wire.Message, Via: "stdio", Raw: raw, Size: int64(len(raw)), Head: wire.Scan(raw)}})
	}
}

// busy is a screen on a session of n frames and some tools.
func busy(t testing.TB, n, tools, w, h int) (*Model, *history.Log) {
	t.Helper()
	log, err := history.Create(history.Options{Path: filepath.Join(t.TempDir(), "busy.jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	shaken(log, tools)
	frames(log, 0, n)
	m := New(context.Background(), Options{Session: &Session{Log: log, Name: "busy", Transport: "file", End: func(context.Context) {}}})
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	for m.desk.state.Seq() < log.Len() { // it may be taken in by the piece
		m.refresh()
	}
	return m, log
}

// press gives keys to a model without running what they start.
func press(m *Model, names ...string) {
	for _, msg := range uitest.Keys(names...) {
		m.Update(msg)
	}
}

// drawn counts the rows that are drawn.
type drawn[K comparable] struct {
	widget.Records[K]
	widget.Finder[K]
	rows int
}

func (d *drawn[K]) Draw(row *theme.Row, i int, s widget.RowState) {
	d.rows++
	d.Records.Draw(row, i, s)
}

func TestOnlyWhatShowsIsDrawn(t *testing.T) {
	m, log := busy(t, 10_000, 5_000, 80, 24)
	traffic := &drawn[uint64]{Records: m.traffic, Finder: m.traffic}
	m.traffic.list = widget.NewList[uint64](traffic, m.desk.keys.Traffic.Move, m.desk.st)
	m.traffic.list.SetFollow(true)
	tools := &drawn[itemKey]{Records: &catalogueRecords{m.cat, tabTools}}
	list := widget.NewList[itemKey](struct {
		*drawn[itemKey]
	}{tools}, m.desk.keys.List.Move, m.desk.st)
	m.cat.lists[tabTools] = list
	m.setFocus(onList)

	look := func(what string, rows int) {
		t.Helper()
		traffic.rows, tools.rows = 0, 0
		if err := uitest.Check(m.View().Content, 80, 24); err != nil {
			t.Fatal(err)
		}
		if n := traffic.rows + tools.rows; n > rows {
			t.Errorf("%s: %d rows were drawn, at most %d show", what, n, rows)
		}
	}
	look("first", 24)
	press(m, "4", "g", "pgdown", "G")
	look("moved", 24)
	if traffic.rows == 0 || tools.rows == 0 {
		t.Errorf("%d and %d rows were drawn", traffic.rows, tools.rows)
	}
	traffic.rows, tools.rows = 0, 0
	frames(log, 10_000, 1_000)
	m.refresh()
	press(m, "k", "k", "1", "j", "G", "tab")
	if n := traffic.rows + tools.rows; n != 0 {
		t.Errorf("%d rows were drawn before there was a picture to make", n)
	}
	look("grown", 24)
	press(m, "4", "Z")
	look("zoomed", 22)
}

func TestAFrameCostsWhatIsOnTheScreen(t *testing.T) {
	cost := func(n int) float64 {
		m, _ := busy(t, n, 10, 110, 34)
		m.View()
		return testing.AllocsPerRun(20, func() { m.View() })
	}
	small, large := cost(1_000), cost(20_000)
	if large > small*1.2 {
		t.Errorf("a picture of 1,000 frames takes %.0f allocations, one of 20,000 takes %.0f", small, large)
	}
}

func BenchmarkView(b *testing.B) {
	for _, bb := range []struct {
		name string
		w, h int
		keys []string
	}{
		{"start-80x24", 80, 24, nil},
		{"start-200x58", 200, 58, nil},
		{"traffic-zoomed-200x58", 200, 58, []string{"4", "Z"}},
		{"traffic-filtered-200x58", 200, 58, []string{"4", "/", "t", "o", "o", "enter", "Z"}},
		{"frame-200x58", 200, 58, []string{"4", "enter"}},
		{"help-200x58", 200, 58, []string{"?"}},
		{"form-200x58", 200, 58, []string{"enter", "enter", "1"}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			m, _ := busy(b, 100_000, 100, bb.w, bb.h)
			press(m, bb.keys...)
			b.ReportAllocs()
			for b.Loop() {
				m.View()
			}
		})
	}
}

// BenchmarkKey is from a key to the next picture.
func BenchmarkKey(b *testing.B) {
	for _, bb := range []struct {
		name  string
		tools int
		keys  []string // before
		key   []string // in turns
	}{
		{"traffic-scroll", 100, []string{"4", "Z"}, []string{"k", "k", "k", "j", "j", "j"}},
		{"traffic-page", 100, []string{"4", "Z"}, []string{"pgup", "pgup", "pgdown", "pgdown"}},
		{"traffic-ends", 100, []string{"4"}, []string{"g", "G"}},
		{"traffic-partner", 100, []string{"4", "k", "k", "k", "k"}, []string{"p", "p"}},
		{"traffic-filter", 100, []string{"4", "/", "t", "o"}, []string{"o", "backspace"}},
		{"list-100", 100, nil, []string{"j", "k"}},
		{"list-5000", 5_000, nil, []string{"j", "k", "G", "g"}},
		{"list-5000-filter", 5_000, []string{"/", "t"}, []string{"o", "backspace"}},
		{"field", 100, []string{"enter", "enter"}, []string{"1", "backspace"}},
		{"frame", 100, []string{"4", "enter"}, []string{"j", "j", "k", "k"}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			m, _ := busy(b, 100_000, bb.tools, 200, 58)
			press(m, bb.keys...)
			msgs := uitest.Keys(bb.key...)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				m.Update(msgs[i%len(msgs)])
				m.View()
				i++
			}
		})
	}
}

// BenchmarkFeed is a thousand new frames taken in, and the picture of them.
func BenchmarkFeed(b *testing.B) {
	for _, filter := range []string{"", "tools"} {
		b.Run("filter="+filter, func(b *testing.B) {
			m, log := busy(b, 100_000, 100, 200, 58)
			press(m, "4")
			m.setFilter(onTraffic, filter)
			n := 100_000
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				frames(log, n, 1_000)
				n += 1_000
				b.StartTimer()
				m.refresh()
				m.View()
			}
		})
	}
}

// BenchmarkOpen is a session of 100,000 frames, from its file to the picture.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "open.jsonl")
	log, err := history.Create(history.Options{Path: path})
	if err != nil {
		b.Fatal(err)
	}
	shaken(log, 100)
	frames(log, 0, 100_000)
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := opened(b, path)
		m := New(context.Background(), Options{Session: s})
		m.Update(tea.WindowSizeMsg{Width: 200, Height: 58})
		m.View()
		s.End(context.Background())
	}
}
