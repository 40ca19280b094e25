package ui

import (
	"strings"
	"unicode"
)

// fuzzy finds the letters of pattern in text, in order and in any case, and
// says how well they fit: a whole word and the start of words count more than
// letters here and there. hits are the bytes that were found. Spaces of the
// pattern part words that may stand anywhere.
func fuzzy(pattern, text string) (score int, hits []int, ok bool) {
	low := strings.ToLower(text)
	if len(low) != len(text) { // bytes would not stand where they stood
		low = text
	}
	for _, word := range strings.Fields(strings.ToLower(pattern)) {
		s, h, found := fuzzyWord(word, low)
		if !found {
			return 0, nil, false
		}
		score += s
		hits = mergeHits(hits, h)
	}
	return score - len(text)/8, hits, true
}

// What a letter that was found counts.
const (
	hitLetter = 2
	hitNext   = 6 // right after the one before
	hitWord   = 8 // at the start of a word
	hitStart  = 4 // more, at the start of the text
	missed    = -1
)

// fuzzyWord is fuzzy for one word, by the best of all ways to place it.
func fuzzyWord(word, text string) (score int, hits []int, ok bool) {
	const none = -1 << 20
	n, m := len(text), len(word)
	if m > n || n > maxFuzzy {
		return 0, nil, false
	}
	// best[i][j] is the score of the first i letters with the i-th at text[j].
	best := make([][]int, m)
	from := make([][]int, m)
	for i := range m {
		best[i], from[i] = make([]int, n), make([]int, n)
		gap, at := none, -1 // the best place of the letter before that is not next to this
		for j := range n {
			best[i][j] = none
			if i > 0 && j > 1 {
				if gap += missed; best[i-1][j-2]+missed > gap {
					gap, at = best[i-1][j-2]+missed, j-2
				}
			}
			if text[j] != word[i] {
				continue
			}
			here := hitLetter + atStart(text, j)
			if i == 0 {
				best[i][j], from[i][j] = here, -1
				continue
			}
			best[i][j], from[i][j] = gap+here, at
			if j > 0 && best[i-1][j-1]+hitNext+hitLetter >= best[i][j] {
				best[i][j], from[i][j] = best[i-1][j-1]+hitNext+hitLetter, j-1
			}
		}
	}
	score, end := none, -1
	for j, s := range best[m-1] {
		if s > score {
			score, end = s, j
		}
	}
	if end < 0 || score < none/2 {
		return 0, nil, false
	}
	hits = make([]int, m)
	for i := m - 1; i >= 0; i-- {
		hits[i] = end
		end = from[i][end]
	}
	return score, hits, true
}

// maxFuzzy bounds the texts that are searched.
const maxFuzzy = 500

// atStart is what a letter counts more for where it stands.
func atStart(text string, j int) int {
	switch {
	case j == 0:
		return hitWord + hitStart
	case !unicode.IsLetter(rune(text[j-1])) && text[j-1] < 0x80 && (text[j-1] < '0' || text[j-1] > '9'):
		return hitWord
	}
	return 0
}

func mergeHits(a, b []int) []int {
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case a[0] > b[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}
