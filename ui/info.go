package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/widget"
)

// infoPane shows what the server says of itself, and its standard error.
type infoPane struct {
	desk   *desk
	viewer *widget.Viewer
	made   [4]uint64 // what the text was made from
	query  string
}

func newInfoPane(d *desk) *infoPane {
	k := d.keys.Info
	p := &infoPane{desk: d, viewer: widget.NewViewer(nil, widget.ViewerKeys{Move: k.Move, Read: k.Read, Fold: k.Fold}, d.st)}
	p.viewer.SetWrap(true)
	return p
}

func (p *infoPane) reset() { p.made = [4]uint64{}; p.viewer.SetSource(nil) }

// refresh lays the text out again when there is something new.
func (p *infoPane) refresh() {
	d := p.desk
	now := [4]uint64{d.state.ServerInfo(), uint64(len(d.stderr)), uint64(d.state.Epoch())}
	if d.remote() { // what its streams are changes with each frame
		now[3] = d.state.Seq()
	}
	if now == p.made {
		return
	}
	first := p.made == [4]uint64{}
	p.made = now
	at := p.viewer.Current()
	p.viewer.SetSource(p.text().source())
	if !first {
		p.viewer.SetCurrent(at)
	}
}

// maxStderr bounds the lines of standard error that are laid out; all of them
// are in the session.
const maxStderr = 5000

func (p *infoPane) text() *doc {
	d, out := p.desk, &doc{st: p.desk.st}
	info := d.info()
	row := func(name, value string) {
		if value == "" {
			return
		}
		l := theme.Styled(d.st.Muted, theme.Pad(theme.Text(name), 14))
		l.Add(d.st.Text, theme.Safe(value))
		out.line(l)
	}
	row("server", strings.TrimSpace(info.ServerName+" "+info.ServerVersion))
	row("title", info.ServerTitle)
	row("protocol", d.versionWords())
	row("target", d.sess.Target)
	row("transport", d.transportWords())
	row("http session", d.sessionWords())
	if d.sess.Warning != "" {
		out.text(d.st.Warn, "▲ "+d.sess.Warning, 0)
	}
	row("capabilities", string(info.Capabilities))
	if path := d.sess.Log.Path(); path != "" {
		row("recorded", path)
	}
	if info.Problem != "" {
		out.text(d.st.Warn, "▲ "+info.Problem, 0)
	}
	if info.Instructions != "" {
		out.blank()
		out.add(d.st.Muted, "instructions")
		out.text(d.st.Text, info.Instructions, 2)
	}
	d.streamLines(out)
	d.subscriptionLines(out)
	if d.remote() && len(d.stderr) == 0 {
		return out
	}
	out.blank()
	out.add(d.st.Muted, theme.Text("stderr · "+count(len(d.stderr), "line", "lines")))
	from := max(0, len(d.stderr)-maxStderr)
	if from > 0 {
		out.add(d.st.Faint, theme.Text("the last "+itoa(maxStderr)+" of them"))
	}
	for _, seq := range d.stderr[from:] {
		raw, err := d.sess.Log.Bytes(seq, 0, 16<<10)
		if err == nil {
			out.text(d.st.Text, string(raw), 2)
		}
	}
	return out
}

func (p *infoPane) focus(on bool)         { p.viewer.SetFocused(on) }
func (p *infoPane) context() keys.Context { return keys.InInfo }

func (p *infoPane) search(text string) bool {
	p.query = text
	return p.viewer.Search(text)
}

func (p *infoPane) view(w, h int) string {
	p.viewer.SetSize(max(0, w-1), h)
	if w <= 0 {
		return p.viewer.View()
	}
	return indented(p.viewer.View())
}

func (p *infoPane) title() widget.Rule {
	title := theme.Text("6 server and stderr")
	if p.desk.remote() {
		title = "6 server and streams"
	}
	return widget.Rule{Title: title, Count: -1, Right: []widget.Part{{Text: "esc back", Style: p.desk.st.Muted}}}
}

func (p *infoPane) update(m *Model, msg tea.Msg) (bool, tea.Cmd) {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok || p.viewer.Pending() {
		return p.viewer.Update(msg), nil
	}
	k := p.desk.keys.Info
	switch {
	case key.Matches(press, k.Search):
		m.openFilter(onWide)
	case key.Matches(press, k.Hit):
		m.nextHit(p.viewer, p.query, 1)
	case key.Matches(press, k.HitUp):
		m.nextHit(p.viewer, p.query, -1)
	case key.Matches(press, k.Copy):
		m.copyText("server information", p.desk.info().Raw)
	case key.Matches(press, k.Editor):
		return true, m.view("server.json", p.desk.info().Raw)
	default:
		return p.viewer.Update(msg), nil
	}
	return true, nil
}
