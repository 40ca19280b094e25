package form

import (
	"strconv"
	"strings"

	"parley/client/rawjson"
	"parley/client/schema"
	"parley/ui/theme"
	"parley/ui/widget"
)

// optionList names the choices of a row on one line.
func optionList(r *row) theme.Text {
	switch r.Type {
	case schema.Boolean:
		return "true · false"
	case schema.Enum:
		var words []string
		for i, o := range r.Enum {
			if i == 40 {
				words = append(words, "…")
				break
			}
			words = append(words, o.Label)
		}
		return theme.SafeCut(strings.Join(words, " · "), 400)
	}
	return ""
}

// previewLines is the exact JSON under the rows.
func (f *Form) previewLines() []theme.Line {
	rows := 0
	switch {
	case f.h >= 10:
		rows = 3
	case f.h >= 5:
		rows = 2
	}
	if rows == 0 {
		return nil
	}
	lines := []theme.Line{{}}
	if f.jsonErr != nil {
		return append(lines, theme.Styled(f.styles.Error, theme.SafeCut("✗ "+f.jsonErr.Error(), f.w-1)))
	}
	for _, p := range f.problems {
		if len(lines) < rows-1 {
			lines = append(lines, theme.Styled(f.styles.Error, theme.SafeCut("✗ "+p.String(), f.w-1)))
		}
	}
	l := jsonLine(string(f.json), rows*f.w, f.styles)
	for at := 0; at < len(l.Text) && len(lines) < rows && f.w > 2; {
		n, _ := theme.Fit(l.Text[at:], f.w-1)
		cut := len(lines) == rows-1 && at+n < len(l.Text)
		if cut {
			n, _ = theme.Fit(l.Text[at:], f.w-2)
		}
		part := l.Slice(at, at+n)
		if cut {
			part.Add(f.styles.Faint, "…")
		}
		lines = append(lines, part)
		at += n
	}
	return lines
}

// describe makes the lines under the chosen field: what it is, what it allows,
// and what is wrong if that did not fit beside it.
func (f *Form) describe(r *row) []theme.Line {
	_, x, _ := f.columns()
	w := f.w - x
	var lines []theme.Line
	add := func(st theme.Style, t theme.Text, most int) {
		for _, part := range widget.Wrap(t, w, most) {
			lines = append(lines, theme.Styled(st, part))
		}
	}
	if text := strings.TrimSpace(r.Description); text != "" {
		for _, t := range theme.SafeLines(text) {
			if left := maxAbout - len(lines); left > 0 {
				add(f.styles.Muted, t, left)
			}
		}
	}
	if t := limits(r); t != "" {
		add(f.styles.Muted, t, 2)
	}
	if list := optionList(r); theme.Width(list) > w/2 {
		add(f.styles.Muted, list, maxAbout)
	}
	beside := w - max(w/3, minValue) - 4
	if r.area != nil && f.typing {
		beside = 0
	}
	if theme.Width(r.problem) > beside {
		add(f.styles.Error, "✗ "+r.problem, 2)
	}
	return lines
}

// limits says in short what the schema asks of a field.
func limits(r *row) theme.Text {
	var words []string
	say := func(ok bool, parts ...string) {
		if ok {
			words = append(words, strings.Join(parts, ""))
		}
	}
	say(r.Title != "" && r.Title != r.Name, r.Title)
	say(r.Reason != "", r.Reason)
	say(r.Minimum != "", "≥ ", r.Minimum)
	say(r.ExclusiveMinimum != "", "> ", r.ExclusiveMinimum)
	say(r.Maximum != "", "≤ ", r.Maximum)
	say(r.ExclusiveMaximum != "", "< ", r.ExclusiveMaximum)
	if r.MinLength != nil {
		say(true, "at least ", strconv.FormatInt(*r.MinLength, 10), " characters")
	}
	if r.MaxLength != nil {
		say(true, "at most ", strconv.FormatInt(*r.MaxLength, 10), " characters")
	}
	say(r.Format != "" && r.Type != schema.String, r.Format)
	say(r.Pattern != "", "matches ", r.Pattern)
	say(r.Nullable, "or null")
	if r.Default != nil {
		short, _ := rawjson.Compact(nil, r.Default)
		say(true, "default ", string(short))
	}
	return theme.SafeCut(strings.Join(words, " · "), 400)
}

// jsonLine colours as much of raw JSON as w cells can show, and a little more
// so that it can be told that there is more.
func jsonLine(raw string, w int, st *theme.Styles) theme.Line {
	if most := 8*w + 64; len(raw) > most {
		raw = strings.ToValidUTF8(raw[:most], "") // not in the middle of a rune
	}
	return widget.JSONLine([]byte(raw), st)
}
