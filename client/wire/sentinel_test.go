package wire

import (
	"strings"
	"testing"
)

func TestFieldsAreEncodedWhereTheyMust(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"", ""},
		{"us-west1", "us-west1"},
		{"a b", "a b"},
		{`!"#~`, `!"#~`},
		{" a", "=?base64?IGE=?="},
		{"a ", "=?base64?YSA=?="},
		{" ", "=?base64?IA==?="},
		{"a\tb", "=?base64?YQli?="},
		{"\ta", "=?base64?CWE=?="},
		{"a\r\nb", "=?base64?YQ0KYg==?="},
		{"\x00", "=?base64?AA==?="},
		{"\x7f", "=?base64?fw==?="},
		{"日本", "=?base64?5pel5pys?="},
		{"\xff", "=?base64?/w==?="},
		{"=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
		{"=?base64??=", "=?base64?PT9iYXNlNjQ/Pz0=?="},
		{"=?base64?=", "=?base64?="},
		{"=?BASE64?YQ==?=", "=?BASE64?YQ==?="},
		{"x=?base64?YQ==?=", "x=?base64?YQ==?="},
	} {
		if got := EncodeField(c.value); got != c.want {
			t.Errorf("%q is encoded as %q, want %q", c.value, got, c.want)
		}
	}
}

func TestWhatIsNotEncodedStays(t *testing.T) {
	for _, c := range []struct {
		value, want string
		ok          bool
	}{
		{"=?base64?5pel5pys?=", "日本", true},
		{"=?base64??=", "", true},
		{"plain", "plain", false},
		{"=?base64?SGVs!!!bG8=?=", "=?base64?SGVs!!!bG8=?=", false},
		{"=?base64?YQ?=", "=?base64?YQ?=", false},
		{"=?base64?YR==?=", "=?base64?YR==?=", false},
		{"=?base64?Y\nQ==?=", "=?base64?Y\nQ==?=", false},
		{"=?base64?YQ==", "=?base64?YQ==", false},
		{"=?base64?=", "=?base64?=", false},
		{"=?utf-8?b?YQ==?=", "=?utf-8?b?YQ==?=", false},
	} {
		if got, ok := DecodeField(c.value); got != c.want || ok != c.ok {
			t.Errorf("%q is decoded as %q, %v, want %q, %v", c.value, got, ok, c.want, c.ok)
		}
	}
}

func FuzzFields(f *testing.F) {
	for _, s := range []string{"", "a", " a", "a\tb", "日本", "=?base64?YQ==?=", "=?base64?=", "\xff\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		sent := EncodeField(value)
		if sent != strings.Trim(sent, " ") {
			t.Errorf("%q has spaces at its edge", sent)
		}
		for _, c := range []byte(sent) {
			if c < ' ' || c > '~' {
				t.Errorf("%q is not printable", sent)
			}
		}
		if got, ok := DecodeField(sent); got != value || ok != (sent != value) {
			t.Errorf("%q goes out as %q and is read as %q, %v", value, sent, got, ok)
		}
	})
}
