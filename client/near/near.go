// Package near finds the name that somebody probably meant.
package near

import "strings"

// Distance is the number of bytes to add, drop, replace or swap with their
// neighbour to get from a to b.
func Distance(a, b string) int {
	before, last, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(last[j]+cost, last[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}

// maxLength keeps the work bounded: longer words have no near ones.
const maxLength = 200

// All returns the names that are near to word, nearest first, at most n: those
// that begin with it, those it begins with, and those a few letters away,
// whatever their case.
func All(word string, names []string, n int) []string {
	type scored struct {
		name  string
		score int
	}
	w := strings.ToLower(word)
	if w == "" || len(w) > maxLength {
		return nil
	}
	var found []scored
	for _, name := range names {
		l := strings.ToLower(name)
		if l == "" || len(l) > maxLength {
			continue
		}
		d := Distance(w, l)
		near := d <= max(1, min(len(w), len(l))/3)
		if long := len(w) > 2 && (strings.HasPrefix(l, w) || strings.HasPrefix(w, l) && len(l) > 2); long || near {
			found = append(found, scored{name, d})
		}
	}
	var out []string
	for len(out) < n && len(found) > 0 {
		best := 0
		for i := range found {
			if found[i].score < found[best].score {
				best = i
			}
		}
		out = append(out, found[best].name)
		found = append(found[:best], found[best+1:]...)
	}
	return out
}

// Best returns the nearest name, "" if none is near.
func Best(word string, names []string) string {
	if all := All(word, names, 1); len(all) == 1 {
		return all[0]
	}
	return ""
}
