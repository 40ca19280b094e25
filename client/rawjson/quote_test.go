package rawjson

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestQuote(t *testing.T) {
	for _, tt := range []struct{ s, want string }{
		{"", `""`},
		{"plain", `"plain"`},
		{"<a & b>\u2028\x7f", "\"<a & b>\u2028\x7f\""},
		{"a\"b\\c/d", `"a\"b\\c/d"`},
		{"\b\f\n\r\t\x00\x1f", `"\b\f\n\r\t\u0000\u001f"`},
		{"日本😀", `"日本😀"`},
		{"a\xffb\xe3\x81", `"a\ufffdb\ufffd\ufffd"`},
		{"\uFFFD", "\"\uFFFD\""},
	} {
		if got := string(Quote(nil, tt.s)); got != tt.want {
			t.Errorf("Quote(%q) = %s, want %s", tt.s, got, tt.want)
		}
	}
	if got := string(Quote([]byte("x:"), "y")); got != `x:"y"` {
		t.Errorf("appended: %s", got)
	}
}

func TestUnquote(t *testing.T) {
	for _, tt := range []struct {
		raw, want string
		ok        bool
	}{
		{`"a"`, "a", true},
		{" \"a\" \n", "a", true},
		{`""`, "", true},
		{`"\"\\\/\b\f\n\r\t\u0041\u00e9"`, "\"\\/\b\f\n\r\tAé", true},
		{`"\ud83d\ude00"`, "😀", true},
		{`"\ud83d"`, "\uFFFD", true},
		{`"\ude00\ud83dx"`, "\uFFFD\uFFFDx", true},
		{`"\ud83d\u0041"`, "\uFFFDA", true},
		{`"\x\u12\`, "", false},
		{`"\x\u12g"`, `\x\u12g`, true},
		{"\"\xff\n\"", "\xff\n", true},
		{`"`, "", false},
		{`a`, "", false},
		{``, "", false},
	} {
		got, ok := Unquote([]byte(tt.raw))
		if got != tt.want || ok != tt.ok {
			t.Errorf("Unquote(%s) = %q, %v, want %q, %v", tt.raw, got, ok, tt.want, tt.ok)
		}
	}
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a\"\\\x01", "é😀\xff", `\u00e9`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		raw := Quote(nil, s)
		if !json.Valid(raw) || !utf8.Valid(raw) {
			t.Fatalf("Quote(%q) = %s", s, raw)
		}
		want := strings.ToValidUTF8(s, "\uFFFD")
		if utf8.ValidString(s) {
			want = s
		} else {
			b, _ := json.Marshal(s) // one U+FFFD for each byte
			_ = json.Unmarshal(b, &want)
		}
		if got, ok := Unquote(raw); !ok || got != want {
			t.Errorf("Unquote(%s) = %q, %v, want %q", raw, got, ok, want)
		}
		// What is between quotes and valid decodes as it does elsewhere.
		inside := []byte(`"` + s + `"`)
		if json.Valid(inside) && utf8.Valid(inside) {
			_ = json.Unmarshal(inside, &want)
			if got, ok := Unquote(inside); !ok || got != want {
				t.Errorf("Unquote(%s) = %q, %v, want %q", inside, got, ok, want)
			}
		}
	})
}

func BenchmarkQuote(b *testing.B) {
	s := strings.Repeat("a line of text, 日本, with a \"quote\"\n", 1000)
	b.Run("Quote", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		var dst []byte
		for b.Loop() {
			dst = Quote(dst[:0], s)
		}
	})
	b.Run("json.Marshal", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		for b.Loop() {
			if _, err := json.Marshal(s); err != nil {
				b.Fatal(err)
			}
		}
	})
}
