package history

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"parley/client/wire"
)

// line is one line of a session file, read.
type line struct {
	seq     uint64
	of      uint64
	time    int64 // microseconds since 1970
	hasTime bool
	dir     wire.Dir
	kind    wire.Kind
	hasKind bool
	via     string
	by      wire.Origin
	eol     wire.EOL
	part    int64 // -1: the frame is in one piece
	end     bool

	raw    []byte // the decoded bytes; valid until the next line is read
	hasRaw bool
	off    int // where the bytes between the quotes begin in the line
	enc    int // how many they are
	base64 bool
}

// lineReader reads lines one after another.
type lineReader struct {
	line
	b   []byte
	i   int
	raw []byte // decoded bytes, used again

	minute     []byte // the time up to the minute read last, and its value
	minuteTime int64
	via        string
}

var errNotJSON = errors.New("not JSON")

// read reads b, one line without its end. Keys that are not known are skipped.
func (r *lineReader) read(b []byte) error {
	r.line = line{part: -1}
	r.b, r.i = b, 0
	if !r.next('{') {
		return errNotJSON
	}
	if !r.next('}') {
		for {
			if err := r.member(); err != nil {
				return err
			}
			if r.next('}') {
				break
			}
			if !r.next(',') {
				return errNotJSON
			}
		}
	}
	r.space()
	if r.i < len(r.b) {
		return errNotJSON
	}
	switch {
	case r.seq == 0:
		return errors.New(`no number "n"`)
	case r.seq > maxSeq:
		return fmt.Errorf("number %d is too high, the highest that can be read is %d", r.seq, maxSeq)
	case !r.hasRaw:
		return fmt.Errorf(`frame %d has neither "raw" nor "b64"`, r.seq)
	}
	return nil
}

// maxSeq is the highest number that is taken from a file. An index up to it
// would take 13 GB; a number above it is a mistake or malice.
const maxSeq = 1 << 28

func (r *lineReader) space() {
	for r.i < len(r.b) {
		switch r.b[r.i] {
		case ' ', '\t', '\r', '\n':
			r.i++
		default:
			return
		}
	}
}

// next skips space and then c, if it is c that comes.
func (r *lineReader) next(c byte) bool {
	r.space()
	if r.i < len(r.b) && r.b[r.i] == c {
		r.i++
		return true
	}
	return false
}

// member reads a key and its value.
func (r *lineReader) member() (err error) {
	key, err := r.string(nil)
	if err != nil {
		return err
	}
	if !r.next(':') {
		return errNotJSON
	}
	r.space()
	switch string(key) {
	case "n":
		r.seq, err = r.number("n")
	case "t":
		err = r.timeValue()
	case "d":
		err = word(r, "d", wire.ParseDir, &r.dir)
	case "k":
		r.hasKind = true
		err = word(r, "k", wire.ParseKind, &r.kind)
	case "via":
		err = r.viaValue()
	case "by":
		err = hint(r, "by", wire.ParseOrigin, &r.by)
	case "eol":
		err = hint(r, "eol", wire.ParseEOL, &r.eol)
	case "of":
		r.of, err = r.number("of")
	case "part":
		var n uint64
		n, err = r.number("part")
		r.part = int64(n)
	case "end":
		var raw []byte
		raw, err = r.value()
		r.end = string(raw) == "true"
	case "raw":
		err = r.rawValue()
	case "b64":
		err = r.base64Value()
	default:
		_, err = r.value()
	}
	return err
}

// string reads a string. It is decoded into scratch only if it has escapes.
func (r *lineReader) string(scratch []byte) ([]byte, error) {
	if !r.next('"') {
		return nil, errNotJSON
	}
	start := r.i
	r.i += plainLen(r.b[start:])
	if r.i < len(r.b) && r.b[r.i] == '"' {
		r.i++
		return r.b[start : r.i-1], nil
	}
	out, used, err := unescape(scratch[:0], r.b[start:], false)
	r.i = start + used
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotJSON, err)
	}
	if !r.next('"') {
		return nil, errNotJSON
	}
	return out, nil
}

// value skips a value of any type and returns it.
func (r *lineReader) value() ([]byte, error) {
	r.space()
	start, depth := r.i, 0
	for r.i < len(r.b) {
		switch r.b[r.i] {
		case '"':
			if _, err := r.string(nil); err != nil {
				return nil, err
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth < 0 || depth == 0 && r.b[r.i] == ',' {
			break
		}
		r.i++
	}
	raw := bytes.TrimSpace(r.b[start:r.i])
	if !json.Valid(raw) {
		return nil, errNotJSON
	}
	return raw, nil
}

func (r *lineReader) number(key string) (uint64, error) {
	raw, err := r.value()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(string(raw), 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number: %.40s", key, raw)
	}
	return n, nil
}

// text reads a value that must be a string.
func (r *lineReader) text(key string) ([]byte, error) {
	s, err := r.string(nil)
	if err != nil {
		return nil, fmt.Errorf("%q is no string: %w", key, err)
	}
	return s, nil
}

// word reads a string that must be one of the format's words.
func word[T any](r *lineReader, key string, parse func(string) (T, bool), into *T) error {
	s, err := r.text(key)
	if err != nil {
		return err
	}
	v, ok := parse(string(s))
	if !ok {
		return fmt.Errorf("%q has a value that is not known: %.40q", key, s)
	}
	*into = v
	return nil
}

// hint reads a string that a frame makes sense without: a word that is not
// known counts as absent.
func hint[T any](r *lineReader, key string, parse func(string) (T, bool), into *T) error {
	s, err := r.text(key)
	if err != nil {
		return err
	}
	*into, _ = parse(string(s))
	return nil
}

func (r *lineReader) viaValue() error {
	s, err := r.text("via")
	if err != nil {
		return err
	}
	if string(s) != r.via {
		r.via = string(s)
	}
	r.line.via = r.via
	return nil
}

// timeValue reads a time. One that cannot be read counts as missing.
func (r *lineReader) timeValue() error {
	s, err := r.text("t")
	if err != nil {
		return err
	}
	r.time, r.hasTime = r.parseTime(s)
	return nil
}

// parseTime reads a time as it is written here, and any that RFC 3339 allows.
func (r *lineReader) parseTime(s []byte) (micros int64, ok bool) {
	const minute = len("2006-01-02T15:04:")
	if len(s) == len(lineTime) && bytes.Equal(s[:minute], r.minute) && s[len(s)-1] == 'Z' && s[minute+2] == '.' {
		seconds, ok1 := digits(s[minute : minute+2])
		fraction, ok2 := digits(s[minute+3 : len(s)-1])
		if ok1 && ok2 && seconds < 60 {
			return r.minuteTime + seconds*1e6 + fraction, true
		}
	}
	t, err := time.Parse(time.RFC3339Nano, string(s))
	if err != nil {
		return 0, false
	}
	if len(s) == len(lineTime) && s[len(s)-1] == 'Z' {
		r.minute = append(r.minute[:0], s[:minute]...)
		r.minuteTime = t.Truncate(time.Minute).UnixMicro()
	}
	return t.UnixMicro(), true
}

func digits(s []byte) (n int64, ok bool) {
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

func (r *lineReader) rawValue() error {
	r.space()
	r.off = r.i + 1
	raw, err := r.string(r.raw)
	if err != nil {
		return err
	}
	r.enc = r.i - 1 - r.off
	if len(raw) != r.enc {
		r.raw = raw // decoded into r.raw, which may have grown
	}
	r.line.raw, r.hasRaw, r.base64 = raw, true, false
	return nil
}

func (r *lineReader) base64Value() error {
	r.space()
	r.off = r.i + 1
	enc, err := r.string(nil)
	if err != nil {
		return err
	}
	r.enc = r.i - 1 - r.off
	if len(enc) != r.enc {
		return errors.New(`"b64" has escapes`)
	}
	r.raw, err = base64.StdEncoding.AppendDecode(r.raw[:0], enc)
	if err != nil {
		return fmt.Errorf(`"b64" is not base64: %w`, err)
	}
	r.line.raw, r.hasRaw, r.base64 = r.raw, true, true
	return nil
}
