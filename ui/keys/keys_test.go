package keys

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/theme"
)

func TestNoKeyTwiceInOneContext(t *testing.T) {
	m := New()
	for c := range contexts {
		owner := map[string]string{}
		for _, table := range m.Active(c) {
			for _, b := range table.Bindings {
				what := table.Name + ": " + b.Help().Desc
				for _, k := range b.Keys() {
					if other, taken := owner[k]; taken {
						t.Errorf("context %d: %s means %q and %q", c, k, other, what)
					}
					owner[k] = what
				}
			}
		}
	}
}

func TestTypingLeavesLettersAlone(t *testing.T) {
	m := New()
	for _, c := range []Context{InField, InConsole, InChoice, InRecall, InPalette, InFilter, InAskField} {
		for _, table := range m.Active(c) {
			for _, b := range table.Bindings {
				for _, k := range b.Keys() {
					if utf8.RuneCountInString(k) == 1 || k == "space" {
						t.Errorf("context %d: %q is taken by %q", c, k, b.Help().Desc)
					}
				}
			}
		}
	}
}

func TestPlainTerminalsCanSendEveryBinding(t *testing.T) {
	m := New()
	// What a terminal without keyboard extensions sends as something else.
	never := []string{"ctrl+i", "ctrl+m", "ctrl+[", "ctrl+enter", "shift+enter"}
	for _, table := range m.Tables() {
		for _, b := range table.Bindings {
			if slices.ContainsFunc(b.Keys(), func(k string) bool { return slices.Contains(never, k) }) {
				t.Errorf("%s: %v cannot be told apart on every terminal", table.Name, b.Keys())
			}
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%s: %v has no help", table.Name, b.Keys())
			}
		}
	}
}

func TestFooterFits80Columns(t *testing.T) {
	m := New()
	for c := range contexts {
		bindings := m.Footer(c)
		if len(bindings) < 2 {
			t.Errorf("context %d has no footer", c)
			continue
		}
		var active []string
		for _, table := range m.Active(c) {
			for _, b := range table.Bindings {
				active = append(active, b.Help().Key+" "+b.Help().Desc)
			}
		}
		w := 1
		for i, b := range bindings {
			text := b.Help().Key + " " + b.Help().Desc
			if !slices.Contains(active, text) {
				t.Errorf("context %d: the footer offers %q, which is not active", c, text)
			}
			if i > 0 {
				w += 3
			}
			w += theme.Width(theme.Text(text))
		}
		if w > 80 {
			t.Errorf("context %d: the footer takes %d columns", c, w)
		}
	}
}

func TestEveryStructIsShown(t *testing.T) {
	m := New()
	shown := map[string]bool{}
	for _, table := range m.Tables() {
		for _, b := range table.Bindings {
			for _, k := range b.Keys() {
				shown[k] = true
			}
		}
	}
	for _, k := range []string{"1", "6", "tab", "/", "enter", "ctrl+s", "e", "ctrl+o", "x", "p", "y", "r", "R", "space", "z", "b", "Z", "[", "]", "M", "?", "f1", "f2", ":", "ctrl+r", "q", "ctrl+c", "esc"} {
		if !shown[k] {
			t.Errorf("%s is in no table", k)
		}
	}
	if shown["m"] {
		t.Error("m is offered, but nothing answers to it")
	}
}

func TestDisabledBindingsAreNotShown(t *testing.T) {
	m := New()
	m.Frame.Bytes.SetEnabled(false)
	for _, table := range m.Active(InFrame) {
		for _, b := range table.Bindings {
			if b.Help().Desc == "bytes" {
				t.Error("a disabled binding is shown")
			}
		}
	}
	if key.Matches(tea.KeyPressMsg{Code: 'b', Text: "b"}, m.Frame.Bytes) {
		t.Error("a disabled binding matches")
	}
}

func TestMarkdown(t *testing.T) {
	m := New()
	got := m.Markdown()
	for _, want := range []string{
		"### Everywhere\n\nAlso while typing.\n\n| key | does |\n|---|---|\n| `f1` | help |\n",
		"| `z1…z9` | fold to a level |\n",
		"| `j` `↓` | down |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "| | ") || strings.HasSuffix(got, "\n\n") {
		t.Errorf("empty cells or lines in\n%s", got)
	}
}
