package history

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"parley/client/rawjson"
)

func TestEscape(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{``, ``},
		{`{"a":"b\\c"}`, `{\"a\":\"b\\\\c\"}`},
		{"\b\f\n\r\t", `\b\f\n\r\t`},
		{"\x00\x01\x0b\x1e\x1f", `\u0000\u0001\u000b\u001e\u001f`},
		{"\x7f\u0080\u2028\u2029/天气😀", "\x7f\u0080\u2028\u2029/天气😀"},
		{`\ud800`, `\\ud800`},
		{strings.Repeat("a", 40) + `"` + strings.Repeat("b", 7), strings.Repeat("a", 40) + `\"` + strings.Repeat("b", 7)},
	} {
		got := string(appendEscaped([]byte("x"), []byte(c.raw)))
		if got != "x"+c.want {
			t.Errorf("%q: got %s, want x%s", c.raw, got, c.want)
		}
	}
}

func TestUnescape(t *testing.T) {
	for _, c := range []struct{ enc, want string }{
		{`\"\\\/\b\f\n\r\t`, "\"\\/\b\f\n\r\t"},
		{`\u0041\u00e9\u5929\uD83D\uDE00`, "Aé天😀"},
		{`\ud83d`, "\ufffd"},
		{`\ud83dx`, "\ufffdx"},
		{`\ud83d\u0041`, "\ufffdA"},
		{`\ude00\ud83d\ude00`, "\ufffd😀"},
		{"\xff\x80", "\xff\x80"},
		{`ab"cd`, "ab"},
	} {
		got, _, err := unescape(nil, []byte(c.enc), true)
		if string(got) != c.want || err != nil {
			t.Errorf("%s: got %q %v, want %q", c.enc, got, err, c.want)
		}
	}
	for _, enc := range []string{`\`, `\x`, `\u12`, `\u12g4`, "a\nb", `\ud83d\u12`, "\x00"} {
		if got, _, err := unescape(nil, []byte(enc), true); err == nil {
			t.Errorf("%q: got %q, want an error", enc, got)
		}
	}
}

// The words of the format are quoted by rawjson, frames by this package: it
// must be one escaping.
func TestOneEscaping(t *testing.T) {
	var all strings.Builder
	for c := rune(0); c < 0x3000; c++ {
		all.WriteRune(c)
	}
	ours := append(appendEscaped([]byte{'"'}, []byte(all.String())), '"')
	if want := rawjson.Quote(nil, all.String()); !bytes.Equal(ours, want) {
		t.Errorf("got  %q\nwant %q", ours, want)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add([]byte(`{"a":"b\n\u0000"}`), uint(3))
	f.Add([]byte("\x00\x1f\"\\\u2028天😀"), uint(1))
	f.Fuzz(func(t *testing.T, raw []byte, at uint) {
		if !utf8.Valid(raw) {
			return
		}
		enc := appendEscaped(nil, raw)
		var text string
		if err := json.Unmarshal([]byte(`"`+string(enc)+`"`), &text); err != nil || text != string(raw) {
			t.Fatalf("%q as %q reads %q, %v", raw, enc, text, err)
		}
		// Decoding in two windows gives the same as in one.
		cut := int(at % uint(len(enc)+1))
		out, used, err := unescape(nil, enc[:cut], false)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err = unescape(out, enc[used:], true)
		if err != nil || !bytes.Equal(out, raw) {
			t.Fatalf("%q cut at %d: %q, %v", enc, cut, out, err)
		}
	})
}

func FuzzUnescape(f *testing.F) {
	f.Add(`a\ud83d\ude00\/`)
	f.Add(`\ud83d\ud83d`)
	f.Fuzz(func(t *testing.T, enc string) {
		var want string
		valid := utf8.ValidString(enc) && json.Unmarshal([]byte(`"`+enc+`"`), &want) == nil
		got, used, err := unescape(nil, []byte(enc), true)
		switch {
		case valid && (err != nil || string(got) != want):
			t.Fatalf("%q: got %q %v, want %q", enc, got, err, want)
		case !valid && err == nil && used == len(enc) && utf8.ValidString(enc):
			t.Fatalf("%q is no JSON string, got %q", enc, got)
		}
	})
}

// However escapes lie among plain bytes, each byte is escaped as if it stood
// alone.
func TestEscapesLieAnywhere(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	one := func(dst []byte, c byte) []byte {
		if plainLen([]byte{c}) == 1 {
			return append(dst, c)
		}
		return appendEscape(dst, c)
	}
	for range 20_000 {
		var raw, want []byte
		for range rnd.IntN(6) { // stretches, each of its own density
			every := 1 + rnd.IntN(100)
			for range rnd.IntN(3 * denseLen) {
				c := byte('a')
				if rnd.IntN(every) == 0 {
					c = "\"\\\n\x00\x1f"[rnd.IntN(5)]
				}
				raw = append(raw, c)
			}
		}
		for _, c := range raw {
			want = one(want, c)
		}
		if got := appendEscaped(make([]byte, 0, rnd.IntN(50)), raw); !bytes.Equal(got, want) {
			t.Fatalf("%q\ngot  %s\nwant %s", raw, got, want)
		}
	}
}
