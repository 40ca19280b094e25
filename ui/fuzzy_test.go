package ui

import (
	"slices"
	"strings"
	"testing"
)

func TestFuzzyPutsTheBestFirst(t *testing.T) {
	for _, c := range []struct {
		pattern string
		better  string
		worse   string // empty: it does not match at all
	}{
		{"cal", "call", "cancel the call in flight"},
		{"canc", "cancel the call in flight", "can the next call"},
		{"rts", "restart the server", "ports"},
		{"again list", "list again", "agate in a long listing"},
		{"SEND", "send", ""},
		{"zz", "fizz buzz", "razor zoom"},
		{"copy", "copy …", "cooperate with copy"},
	} {
		good, _, ok := fuzzy(c.pattern, c.better)
		if !ok {
			t.Errorf("%q does not match %q", c.pattern, c.better)
		}
		if bad, _, ok := fuzzy(c.pattern, c.worse); ok && bad >= good {
			t.Errorf("%q: %q has %d, %q %d", c.pattern, c.better, good, c.worse, bad)
		}
	}
	for _, none := range []string{"xyz", "llac", "call call  call  callq"} {
		if _, _, ok := fuzzy(none, "call"); ok {
			t.Errorf("%q matches call", none)
		}
	}
	if _, _, ok := fuzzy("", "anything"); !ok {
		t.Error("nothing typed leaves something out")
	}
}

func FuzzFuzzy(f *testing.F) {
	f.Add("rst", "restart the server")
	f.Add("copy y", "copy …")
	f.Add("İ", "İstanbul")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		_, hits, ok := fuzzy(pattern, text)
		if !ok {
			return
		}
		if !slices.IsSorted(hits) || len(hits) > 0 && hits[len(hits)-1] >= len(text) {
			t.Errorf("%q in %q: %v", pattern, text, hits)
		}
		for _, h := range hits {
			if !strings.Contains(strings.ToLower(pattern), strings.ToLower(text[h:h+1])) && text[h] < 0x80 {
				t.Errorf("%q in %q: byte %d was not typed", pattern, text, h)
			}
		}
	})
}
