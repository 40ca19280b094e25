package script

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"parley/client/rawjson"
	"parley/history"
)

// expectation says what was expected, and both sides.
func expectation(t *Test, left, measured, right side) string {
	not := ""
	if t.Not {
		not = "not "
	}
	found := left.found()
	if t.Count {
		found = fmt.Sprintf("%s has %s", left.name(), plural(measured.raw))
		if t.Op == True {
			return found + ", expected " + map[bool]string{false: "some", true: "none"}[t.Not]
		}
	}
	switch t.Op {
	case True:
		if t.Not {
			return found + ", expected false, null or nothing"
		}
		return found + ", expected it to be true"
	case Exists:
		return found + ", expected that it " + map[bool]string{false: "exists", true: "does not exist"}[t.Not]
	case IsEmpty:
		return found + ", expected " + not + "empty"
	}
	return found + ", expected " + wanted(t, string(t.Op), right)
}

// wanted says what a comparison wants.
func wanted(t *Test, op string, right side) string {
	value := right.shown()
	if right.is != "" {
		value = right.found()
	}
	if t.Not {
		op = "not " + op
	}
	return op + " " + value
}

// name is what a side is called.
func (s side) name() string {
	if s.is != "" {
		return s.is
	}
	return s.shown()
}

func plural(n []byte) string {
	if string(n) == "1" {
		return "1 item"
	}
	return string(n) + " items"
}

// differences says where two values that should be equal differ, if that is not to
// be seen in both of them.
func differences(t *Test, left, right side) string {
	if t.Op != Equal || t.Not || !left.there {
		return ""
	}
	if a, ok := rawjson.Unquote(left.raw); ok {
		b, ok := rawjson.Unquote(right.raw)
		return map[bool]string{true: textDifference(a, b)}[ok]
	}
	if rawjson.KindOf(left.raw) < rawjson.Array || rawjson.KindOf(right.raw) < rawjson.Array {
		return ""
	}
	var lines []string
	for _, d := range history.CompareWithID(right.raw, left.raw) {
		if len(lines) == maxDifferences {
			lines = append(lines, "…")
			break
		}
		place := d.Path
		if place == "" {
			place = "."
		}
		switch d.Kind {
		case history.Added:
			lines = append(lines, place+" was not expected: "+d.Now)
		case history.Removed:
			lines = append(lines, place+" is missing: "+d.Recorded)
		default:
			lines = append(lines, place+" is "+d.Now+", expected "+d.Recorded)
		}
	}
	return strings.Join(lines, "; ")
}

// textDifference says where two texts begin to differ; nothing for short ones.
func textDifference(found, expected string) string {
	if max(len(found), len(expected)) < longText && !strings.Contains(found+expected, "\n") {
		return ""
	}
	n := 0
	for n < len(found) && n < len(expected) && found[n] == expected[n] {
		n++
	}
	for n > 0 && !(utf8.RuneStart(byteAt(found, n)) && utf8.RuneStart(byteAt(expected, n))) {
		n--
	}
	place := fmt.Sprintf("they differ from character %d on", utf8.RuneCountInString(found[:n])+1)
	if strings.Contains(found+expected, "\n") {
		place += fmt.Sprintf(", in line %d", strings.Count(found[:n], "\n")+1)
	}
	return place + ": found " + around(found, n) + ", expected " + around(expected, n)
}

// byteAt is the byte of a text at an offset, and 0 at its end.
func byteAt(text string, i int) byte {
	if i == len(text) {
		return 0
	}
	return text[i]
}

// longText is how long a text is, in bytes, that people do not compare at sight.
const longText = 60

// around quotes what stands in a text from a few characters before an offset on.
func around(text string, at int) string {
	if at == len(text) {
		return "the end"
	}
	start, end := at, at
	for range 8 {
		_, n := utf8.DecodeLastRuneInString(text[:start])
		start -= n
	}
	for range 24 {
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
	}
	quoted := string(rawjson.Quote(nil, text[start:end]))
	if start > 0 {
		quoted = "…" + quoted
	}
	if end < len(text) {
		quoted += "…"
	}
	return quoted
}

// maxDifferences is how many differences a hint names.
const maxDifferences = 4
