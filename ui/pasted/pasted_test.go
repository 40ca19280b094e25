package pasted

import (
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// through sends input through a filter in pieces of n bytes and gives the text of
// its pastes, and what was typed.
func through(t testing.TB, input string, n int) (pastes []string, typed string) {
	t.Helper()
	var f filter
	var out []byte
	for len(input) > 0 {
		k := min(n, len(input))
		out = f.encode(out, []byte(input[:k]))
		input = input[k:]
	}
	rest := string(out)
	for {
		before, after, ok := strings.Cut(rest, opening)
		typed += before
		if !ok {
			return pastes, typed
		}
		content, more, ok := strings.Cut(after, closing)
		if !ok {
			return pastes, typed
		}
		for i := range len(content) {
			if c := content[i]; c >= 0x7f || c < ' ' && c != mark[0] {
				t.Fatalf("a paste has the byte %#x", c)
			}
		}
		pastes = append(pastes, Text(tea.PasteMsg{Content: content}))
		rest = more
	}
}

func TestEveryByteOfAPasteComesThrough(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for name, text := range map[string]string{
		"nothing":                "",
		"text":                   "call echo text=hi",
		"lines":                  "one\r\ntwo\rthree\n",
		"wide characters":        "天é🎉",
		"an escape sequence":     "a\x1b[31mred\x1b[0m",
		"percent signs":          "100 % %41 %",
		"bytes that are no text": "\xff\xfe\x00",
		"every byte":             string(all),
		"almost the end":         "\x1b[201\x1b[20\x1b\x1b[201",
		"another beginning":      opening + "x",
		"the mark":               mark + "%41",
	} {
		t.Run(name, func(t *testing.T) {
			for n := 1; n < 9; n++ {
				pastes, typed := through(t, "ab"+opening+text+closing+"cd"+opening+closing, n)
				if len(pastes) != 2 || pastes[0] != text || pastes[1] != "" || typed != "abcd" {
					t.Errorf("by %d: %q, typed %q", n, pastes, typed)
				}
			}
		})
	}
}

func TestKeysPassAsTheyAre(t *testing.T) {
	keys := "q\x1b[A\x1b[200\x1b[20x%天\xff\x1b"
	for n := 1; n < 9; n++ {
		if _, typed := through(t, keys, n); typed != keys {
			t.Errorf("by %d: %q", n, typed)
		}
	}
}

func TestAPasteThatWasNotEncodedIsTakenAsItIs(t *testing.T) {
	for _, text := range []string{"", "100%41", "天"} {
		if got := Text(tea.PasteMsg{Content: text}); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestAReaderGivesNoMoreThanItIsAskedFor(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("\xff", 10_000)
	go func() {
		_, _ = out.WriteString(opening + text + closing)
		_ = out.Close()
	}()
	r := &Reader{File: in}
	var got []byte
	for {
		buf := make([]byte, 64)
		n, err := r.Read(buf)
		got = append(got, buf[:n]...)
		if err != nil {
			break
		}
	}
	content := strings.TrimSuffix(strings.TrimPrefix(string(got), opening), closing)
	if Text(tea.PasteMsg{Content: content}) != text {
		t.Errorf("%d bytes came", len(got))
	}
}

func FuzzPaste(f *testing.F) {
	f.Add("a\x1b[201", 2)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 1 || strings.Contains(text, closing) || strings.Contains("\x1b[20"+text+"\x1b[20", closing) {
			t.Skip()
		}
		if pastes, _ := through(t, opening+text+closing, n); len(pastes) != 1 || pastes[0] != text {
			t.Errorf("%q came as %q", text, pastes)
		}
	})
}
