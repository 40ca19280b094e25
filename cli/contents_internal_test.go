package cli

import "testing"

func TestSaysTheSame(t *testing.T) {
	for _, c := range []struct {
		text, structured string
		want             bool
	}{
		{`{"a": 1.0}`, `{"a":1}`, true},
		{"two\nlines", `{"content":"two\nlines"}`, true},
		{"two", `{"content":"two","lines":1}`, false},
		{"1", `{"n":1}`, false},
		{"sunny", `{"weather":"rainy"}`, false},
		{"", `{}`, false},
		{"[1]", `[1]`, true},
	} {
		if got := says(c.text, []byte(c.structured)); got != c.want {
			t.Errorf("%q says %s: %v", c.text, c.structured, got)
		}
	}
}
