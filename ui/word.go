package ui

import "errors"

// word names an error for decisions; empty for errors without a name.
func word(err error) string {
	var w interface{ Word() string }
	if errors.As(err, &w) {
		return w.Word()
	}
	return ""
}
