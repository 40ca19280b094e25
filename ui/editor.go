package ui

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/client/rawjson"
	"parley/client/wire"
)

// editorCommand is the user's editor on a file: $VISUAL, then $EDITOR, which may
// have arguments, then vi.
func editorCommand(file string) (name string, args []string) {
	words := strings.Fields(firstOf(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi"))
	return words[0], append(words[1:], file)
}

// edit opens text in the editor; done gets what was saved, if it was changed.
func (m *Model) edit(name string, text []byte, done func(m *Model, text []byte) tea.Cmd) tea.Cmd {
	dir, err := os.MkdirTemp("", "parley-")
	if err != nil {
		m.fail(err)
		return nil
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		m.fail(err)
		return nil
	}
	command := m.opt.Editor
	if command == nil {
		command = editorCommand
	}
	program, args := command(file)
	editor := exec.Command(program, args...)
	editor.Stdin = os.Stdin // the terminal itself, not what reads its pastes
	return tea.ExecProcess(editor, func(err error) tea.Msg {
		defer func() { _ = os.RemoveAll(dir) }()
		if err != nil {
			return editedMsg{err: editorError(program, err)}
		}
		edited, err := os.ReadFile(file)
		if err == nil && bytes.Equal(edited, text) {
			done = nil // left as it was
		}
		return editedMsg{text: edited, err: err, done: done}
	})
}

func editorError(program string, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return &editorMissing{program}
	}
	return err
}

type editorMissing struct{ program string }

func (e *editorMissing) Error() string { return "the editor " + e.program + " is not installed" }
func (e *editorMissing) Hint() string  { return "set VISUAL or EDITOR" }

// view opens text in the editor to be read; changes go nowhere.
func (m *Model) view(name string, text []byte) tea.Cmd {
	if len(text) == 0 {
		m.say("there is nothing to open")
		return nil
	}
	pretty, _ := rawjson.Indent(nil, text)
	return m.edit(name, pretty, nil)
}

func (m *Model) edited(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	if msg.done == nil {
		return nil
	}
	return msg.done(m, msg.text)
}

// editFrame opens a frame in the editor. What we sent is sent again if it was
// changed; other frames are only read.
func (m *Model) editFrame(seq uint64) tea.Cmd {
	raw, err := m.desk.sess.Log.Bytes(seq, 0, -1)
	if err != nil {
		m.fail(err)
		return nil
	}
	text := append([]byte(nil), raw...)
	if pretty, ok := rawjson.Indent(nil, text); ok {
		text = pretty
	}
	name := "frame-" + itoa(int64(seq)) + ".json"
	if r := m.desk.record(seq); r.Dir != wire.Out || r.Kind == wire.HTTP || m.live() != "" {
		return m.edit(name, text, nil)
	}
	return m.edit(name, text, func(m *Model, text []byte) tea.Cmd {
		return m.resend(oneLine(text), seq, wire.ByEdit)
	})
}
