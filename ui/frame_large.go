package ui

import (
	"io"

	tea "charm.land/bubbletea/v2"

	"parley/client/rawjson"
	"parley/history"
	"parley/ui/theme"
	"parley/ui/widget"
)

// frameBytes reads a frame of the log as a file is read.
type frameBytes struct {
	log *history.Log
	seq uint64
}

// ReadAt implements [io.ReaderAt].
func (f frameBytes) ReadAt(p []byte, off int64) (int, error) {
	raw, err := f.log.Bytes(f.seq, off, len(p))
	n := copy(p, raw)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// chunks shows the exact bytes of a frame that is too long to be one line: a
// piece of it a line.
type chunks struct {
	frameBytes
	size int64
}

const chunkSize = 4096

func (c chunks) Lines() int { return int((c.size + chunkSize - 1) / chunkSize) }

func (c chunks) Line(i int) theme.Line {
	raw, err := c.log.Bytes(c.seq, int64(i)*chunkSize, chunkSize)
	if err != nil {
		return theme.Line{Text: theme.Safe("✗ " + err.Error())}
	}
	return theme.Line{Text: theme.SafeBytes(raw)}
}

// windows shows a frame indented, made a screenful at a time from its bytes.
type windows struct {
	frameBytes
	size  int64
	index *rawjson.Indexer
	st    *theme.Styles
	from  int64 // of the lines kept
	kept  []rawjson.Line
}

const windowLines = 256

func (w *windows) Lines() int { return int(w.index.Lines()) }

func (w *windows) Line(i int) theme.Line {
	at := int64(i)
	if at < w.from || at >= w.from+int64(len(w.kept)) {
		w.from = max(0, at-windowLines/4)
		lines, err := w.index.Window(w.frameBytes, w.size, w.from, windowLines)
		if err != nil {
			return theme.Line{Text: theme.Safe("✗ " + err.Error())}
		}
		w.kept = lines
	}
	k := at - w.from
	if k >= int64(len(w.kept)) {
		return theme.Line{}
	}
	l := w.kept[k]
	out := widget.JSONLine(l.Text, w.st)
	if l.Cut {
		out.Add(w.st.Warn, theme.Text(" … "+size(l.Len)+" in all"))
	}
	return out
}

// indexedMsg brings the index of a long frame.
type indexedMsg struct {
	sess  *Session
	seq   uint64
	index *rawjson.Indexer
	err   error
}

// large shows a long frame's bytes at once, and asks for the index that its
// indented form needs.
func (f *framePane) large(r *history.Record) widget.Source {
	bytes := frameBytes{f.desk.sess.Log, f.seq}
	if !f.exact && !r.Open {
		f.wanted = indexFrame(f.desk.sess, bytes, r.Size)
	}
	return chunks{bytes, r.Size}
}

func indexFrame(s *Session, b frameBytes, size int64) tea.Cmd {
	return func() tea.Msg {
		index := rawjson.NewIndexer()
		_, err := io.CopyBuffer(index, io.NewSectionReader(b, 0, size), make([]byte, 256<<10))
		return indexedMsg{s, b.seq, index, err}
	}
}

// indexed goes over to the indented form, if it is still wanted.
func (f *framePane) indexed(msg indexedMsg) {
	if msg.sess != f.desk.sess || msg.seq != f.seq || f.exact || f.inner != "" || msg.err != nil {
		return
	}
	f.viewer.SetSource(&windows{frameBytes: frameBytes{msg.sess.Log, msg.seq}, size: f.size, index: msg.index, st: f.desk.st})
}
