package ui

import (
	"bytes"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/client/rawjson"
	"parley/client/wire"
	"parley/script"
)

// maxClipboard is how much a terminal is asked to put into the clipboard; many
// drop more without a word.
const maxClipboard = 1 << 20

// clip puts bytes into the clipboard, by way of the terminal (OSC 52).
func (m *Model) clip(what string, b []byte) tea.Cmd {
	if len(b) == 0 {
		m.say("there is nothing to copy")
		return nil
	}
	if len(b) > maxClipboard {
		m.say(what + " is " + size(int64(len(b))) + ", too much for the clipboard of a terminal: s saves it")
		return nil
	}
	m.say(what + " copied, " + size(int64(len(b))))
	return tea.SetClipboard(string(b))
}

// save writes bytes to a new file in the working directory.
func (m *Model) save(name string, b []byte) tea.Cmd {
	f, err := createNew(name)
	if err == nil {
		_, err = f.Write(b)
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		m.fail(err)
		return nil
	}
	m.say(size(int64(len(b))) + " saved as " + f.Name())
	return nil
}

// createNew creates name, or name with a number before its ending if there is
// such a file.
func createNew(name string) (*os.File, error) {
	stem, ending, _ := strings.Cut(name, ".")
	if ending != "" {
		ending = "." + ending
	}
	for i := 0; ; i++ {
		try := name
		if i > 0 {
			try = stem + "-" + itoa(int64(i)) + ending
		}
		f, err := os.OpenFile(try, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if !os.IsExist(err) || i > 999 {
			return f, err
		}
	}
}

func clipEntry(letter, text, what string, get func() []byte) menuEntry {
	return menuEntry{letter: letter, text: text, do: func(m *Model) tea.Cmd { return m.clip(what, get()) }}
}

// copyText offers one text.
func (m *Model) copyText(what string, b []byte) {
	m.overlay = &menu{title: "copy", entries: []menuEntry{
		clipEntry("v", what, what, func() []byte { return b }),
		{letter: "s", text: "save to a file", do: func(m *Model) tea.Cmd { return m.save("parley.json", b) }},
	}}
}

// copyFrame offers what can be taken from a frame.
func (m *Model) copyFrame(seq uint64) {
	if seq == 0 {
		m.say("nothing is selected")
		return
	}
	d := m.desk
	bytesOf := func() []byte {
		raw, err := d.sess.Log.Bytes(seq, 0, -1)
		if err != nil {
			return nil
		}
		return append([]byte(nil), raw...)
	}
	var entries []menuEntry
	if m.wide == m.frame {
		if value, path := m.frame.value(); value != nil {
			entries = append(entries,
				clipEntry("v", "value under the cursor", "the value", func() []byte { return value }),
				clipEntry("p", "its path "+string(path), "the path", func() []byte { return []byte(path) }))
		}
	}
	entries = append(entries, clipEntry("b", "exact bytes", "frame "+itoa(int64(seq)), bytesOf))
	ending := ".txt"
	if k := d.record(seq).Kind; k == wire.Message || k == wire.Event {
		ending = ".json"
		entries = append(entries, clipEntry("j", "indented JSON", "frame "+itoa(int64(seq)), func() []byte { pretty, _ := rawjson.Indent(nil, bytesOf()); return pretty }))
	}
	request := d.messageOf(seq)
	if d.record(request).Dir != wire.Out {
		request = d.state.Partner(request)
	}
	if command := m.asCommand(request); command != "" {
		entries = append(entries, clipEntry("c", "as a command", "the command", func() []byte { return []byte(command) }))
	}
	if r := d.record(request); r.Dir == wire.Out && r.Kind != wire.HTTP {
		entries = append(entries, clipEntry("l", "as a script line", "the line", func() []byte { return m.asLine(request) }))
	}
	entries = append(entries, menuEntry{letter: "s", text: "save the exact bytes", do: func(m *Model) tea.Cmd {
		return m.save("frame-"+itoa(int64(seq))+ending, bytesOf())
	}})
	m.overlay = &menu{title: "copy from frame " + itoa(int64(seq)), entries: entries}
}

// asCommand writes a request of ours as a command for a shell; empty if no one
// command sends it.
func (m *Model) asCommand(seq uint64) string {
	if r := m.desk.record(seq); r.Dir != wire.Out || r.Kind == wire.HTTP {
		return ""
	}
	return m.shellOf(string(m.asLine(seq)))
}

// shellOf writes a line of the command language as a command for a shell, on the
// target of the session.
func (m *Model) shellOf(line string) string {
	target := m.desk.sess.Again
	if len(target) == 0 {
		target = m.desk.sess.Log.Header().Target.Command
	}
	command, ok := script.ShellOf(line, target)
	if !ok {
		return ""
	}
	return command
}

// asLine writes what we sent as a line of a script.
func (m *Model) asLine(seq uint64) []byte {
	raw, err := m.desk.sess.Log.Bytes(seq, 0, -1)
	if err != nil || len(raw) == 0 {
		return nil
	}
	return script.LineOf(bytes.Clone(raw))
}

// copyLine offers what can be taken from the line that is being typed, or from
// the one that ran last.
func (m *Model) copyLine() {
	c := m.console
	line, title := c.line.Text(), "copy the line"
	var printed []string
	if n := len(c.talk); n > 0 {
		for _, s := range c.talk[n-1].said {
			printed = append(printed, s.text)
		}
		if line == "" {
			line, title = c.talk[n-1].line, "copy the line that ran last"
		}
	}
	if line == "" {
		m.say("nothing was typed")
		return
	}
	shell := menuEntry{letter: "c", text: "as a shell command", why: "no one command does this"}
	if _, err := script.ParseLine(line); err != nil {
		shell.why = words(err)
	}
	if command := m.shellOf(line); command != "" {
		shell = clipEntry("c", "as a shell command", "the command", func() []byte { return []byte(command) })
	}
	entries := []menuEntry{clipEntry("l", "as a script line", "the line", func() []byte { return []byte(line) }), shell}
	if len(printed) > 0 {
		entries = append(entries, clipEntry("o", "what the last line printed", "the output",
			func() []byte { return []byte(strings.Join(printed, "\n")) }))
	}
	m.overlay = &menu{title: title, entries: entries}
}

// copyItem offers what can be taken from an item of the catalogue.
func (m *Model) copyItem() {
	x, ok := m.cat.selected()
	if !ok {
		m.say("nothing is selected")
		return
	}
	raw := m.desk.itemRaw(x)
	m.overlay = &menu{title: "copy", entries: []menuEntry{
		clipEntry("n", "name", "the name", func() []byte { return []byte(x.key.name) }),
		clipEntry("j", "its JSON, exactly", "the JSON", func() []byte { return raw }),
		{letter: "s", text: "save its JSON", do: func(m *Model) tea.Cmd { return m.save("item.json", raw) }},
	}}
}

// itemRaw is an item of the catalogue as it was received.
func (d *desk) itemRaw(x item) []byte {
	log, state := d.sess.Log, &d.state
	switch x.key.kind {
	case toolItem:
		return at(d.cat.Tools(log, state), x.index).Raw
	case resourceItem:
		return at(d.cat.Resources(log, state), x.index).Raw
	case templateItem:
		return at(d.cat.Templates(log, state), x.index).Raw
	}
	return at(d.cat.Prompts(log, state), x.index).Raw
}

// at is list[i], or nothing if the list has become shorter.
func at[T any](list []T, i int) (x T) {
	if i < len(list) {
		x = list[i]
	}
	return x
}
