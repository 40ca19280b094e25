package ui

import (
	"fmt"
	"strconv"
	"time"

	"parley/ui/theme"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// size tells bytes for people, in at most 7 cells up to a terabyte.
func size(n int64) string { return theme.Size(n) }

// took tells a duration for people, in at most 8 cells up to days.
func took(d time.Duration) string {
	switch {
	case d < 0:
		return "0 ms"
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}

// count is a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
