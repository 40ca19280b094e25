package config

import (
	"slices"
	"strings"
)

// Nearest returns the configured names that were probably meant by one that is
// not configured, the likeliest first, at most three. Case does not count.
func (f *File) Nearest(name string) []string {
	const most = 3
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	want := []rune(strings.ToLower(name))
	for _, s := range f.Servers {
		have := []rune(strings.ToLower(s.Name))
		d := distance(want, have)
		if len(want) >= 2 && strings.Contains(string(have), string(want)) {
			d = min(d, 1) // the beginning or a part of a name is a likely short form
		}
		if d <= max(1, len(want)/3) {
			found = append(found, candidate{s.Name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	names := make([]string, 0, most)
	for _, c := range found[:min(len(found), most)] {
		names = append(names, c.name)
	}
	return names
}

// distance is the number of letters to add, drop, replace or swap with their
// neighbour to get from a to b.
func distance(a, b []rune) int {
	before, last, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		next[0] = i + 1
		for j := range b {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			next[j+1] = min(replaced, last[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
