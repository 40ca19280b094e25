package widget

import (
	"slices"
	"strconv"

	"parley/client/rawjson"
	"parley/ui/theme"
)

// JSON is indented JSON with colours, as rawjson.Indent writes it. Each line is
// coloured alone when it shows; nothing is decoded.
type JSON struct {
	*Bytes
	styles *theme.Styles
	tokens []rawjson.Token
}

// NewJSON splits indented JSON, which must not be changed afterwards.
func NewJSON(indented []byte, st *theme.Styles) *JSON {
	return &JSON{Bytes: NewBytes(indented), styles: st}
}

// Line returns a line made safe, in colours.
func (j *JSON) Line(i int) theme.Line {
	j.tokens = rawjson.ScanLine(j.Raw(i), j.tokens[:0])
	return colour(j.Raw(i), j.tokens, j.styles)
}

// JSONLine colours one line of JSON and makes it safe.
func JSONLine(raw []byte, st *theme.Styles) theme.Line {
	return colour(raw, rawjson.ScanLine(raw, nil), st)
}

func colour(raw []byte, tokens []rawjson.Token, st *theme.Styles) theme.Line {
	l := theme.Line{Spans: make([]theme.Span, 0, len(tokens))}
	text := make([]byte, 0, len(raw))
	for _, t := range tokens {
		text = append(text, theme.SafeBytes(raw[t.Off:t.Off+t.Len])...)
		l.Spans = append(l.Spans, theme.Span{End: len(text), Style: tokenStyle(t.Kind, st)})
	}
	l.Text = theme.Text(text) // made of nothing but safe pieces
	return l
}

func tokenStyle(kind rawjson.TokenKind, st *theme.Styles) theme.Style {
	switch kind {
	case rawjson.TokenKey:
		return st.Key
	case rawjson.TokenString:
		return st.String
	case rawjson.TokenNumber, rawjson.TokenLiteral:
		return st.Number
	case rawjson.TokenPunct:
		return st.Muted
	case rawjson.TokenBad:
		return st.Error
	}
	return theme.Style{}
}

// Path returns where the value of line i stands: the steps to it, array
// elements as decimals as rawjson.Get takes them, and the same to be shown, as
// ".result.content[0].text". It looks at the lines above, once.
func (j *JSON) Path(i int) (steps []string, shown theme.Text) {
	if i < 0 || i >= j.Lines() {
		return nil, ""
	}
	if closes(j.Raw(i)) {
		i = j.opener(i)
	}
	var parts []theme.Text
	for depth := indent(j.Raw(i)); depth > 0; depth = indent(j.Raw(i)) {
		key, named := j.key(i)
		n := 0
		for i--; i >= 0 && indent(j.Raw(i)) >= depth; i-- {
			if indent(j.Raw(i)) == depth && !closes(j.Raw(i)) {
				n++
			}
		}
		if named {
			steps, parts = append(steps, key), append(parts, keyStep(key))
		} else {
			steps, parts = append(steps, strconv.Itoa(n)), append(parts, theme.Text("["+strconv.Itoa(n)+"]"))
		}
		if i < 0 { // the text does not begin with its document
			break
		}
	}
	slices.Reverse(steps)
	for _, p := range slices.Backward(parts) {
		shown += p
	}
	if shown == "" || shown[0] != '.' {
		shown = "." + shown
	}
	return steps, shown
}

// opener returns the line that opens what line i closes.
func (j *JSON) opener(i int) int {
	depth := indent(j.Raw(i))
	for k := i - 1; k >= 0; k-- {
		if indent(j.Raw(k)) == depth && opens(j.Raw(k)) {
			return k
		}
	}
	return i
}

// key returns the member name that a line begins with.
func (j *JSON) key(i int) (string, bool) {
	raw := j.Raw(i)
	for _, t := range rawjson.ScanLine(raw, j.tokens[:0]) {
		switch t.Kind {
		case rawjson.TokenSpace:
		case rawjson.TokenKey:
			return rawjson.Unquote(raw[t.Off : t.Off+t.Len])
		default:
			return "", false
		}
	}
	return "", false
}

// keyStep shows a member name: plain where jq takes it plain.
func keyStep(key string) theme.Text {
	plain := key != ""
	for i, r := range key {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		plain = plain && (letter || i > 0 && r >= '0' && r <= '9')
	}
	if plain {
		return theme.Safe("." + key)
	}
	return theme.Safe("[" + string(rawjson.Quote(nil, key)) + "]")
}
