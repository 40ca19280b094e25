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
	for _, table := range append(m.Tables(), m.Repl()) {
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
	for c := range contexts * 2 {
		bindings := m.Footer(c % contexts)
		if c >= contexts {
			c -= contexts
			bindings = m.FooterHTTP(c)
		}
		if len(bindings) < 2 {
			t.Errorf("context %d has no footer", c)
			continue
		}
		var active []string
		for _, table := range m.Active(c) {
			for _, b := range table.Bindings {
				active = append(active, b.Help().Key+" "+strings.Join(b.Keys(), " "))
			}
		}
		w := 1
		for i, b := range bindings {
			text := b.Help().Key + " " + b.Help().Desc
			if !slices.Contains(active, b.Help().Key+" "+strings.Join(b.Keys(), " ")) {
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
			if slices.Contains(b.Keys(), "b") {
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
		"### Prompt\n",
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

func TestNoKeyTwiceAtThePrompt(t *testing.T) {
	m := New()
	owner := map[string]string{}
	for _, b := range m.Repl().Bindings {
		for _, k := range b.Keys() {
			if other, taken := owner[k]; taken {
				t.Errorf("%s means %q and %q", k, other, b.Help().Desc)
			}
			owner[k] = b.Help().Desc
		}
	}
}

// TestEveryDescriptionSaysWhatIsDone holds for the palette, where nothing but the
// description tells what an entry does.
func TestEveryDescriptionSaysWhatIsDone(t *testing.T) {
	m := New()
	seen := map[string]string{}
	for _, table := range m.Active(InList) {
		for _, b := range table.Bindings {
			d := b.Help().Desc
			if other := seen[d]; other != "" && other != b.Help().Key && d != "any action or command" && !strings.HasPrefix(d, "help") {
				t.Errorf("%s and %s both say %q", other, b.Help().Key, d)
			}
			seen[d] = b.Help().Key
		}
	}
	for _, table := range append(m.Tables(), m.Repl()) {
		for _, b := range table.Bindings {
			if d := b.Help().Desc; d == "tools" || d == "editor" || d == "copy …" || d == "search" || d == "earlier" {
				t.Errorf("%s: %s does not say what it does: %q", table.Name, b.Help().Key, d)
			}
		}
	}
}
