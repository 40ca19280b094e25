package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzScan compares the scanner with a reference made of encoding/json, and
// with itself when the bytes are split.
func FuzzScan(f *testing.F) {
	for _, tt := range scanTests {
		f.Add([]byte(tt.raw), uint(len(tt.raw)/3), uint(len(tt.raw)/2))
	}
	f.Fuzz(func(t *testing.T, raw []byte, i, k uint) {
		h := Scan(raw)
		var s Scanner
		i %= uint(len(raw) + 1)
		k = i + k%(uint(len(raw))-i+1)
		for _, p := range [][]byte{raw[:i], raw[i:k], raw[k:]} {
			s.Write(bytes.Clone(p))
			s.Partial()
		}
		if got := s.Head(); !reflect.DeepEqual(got, h) {
			t.Errorf("%q split at %d, %d:\n got %+v\nwant %+v", raw, i, k, got, h)
		}
		compareValidity(t, raw, h)
		if h.Form == Garbage || !utf8.Valid(raw) || len(raw) > maxName || strings.ContainsAny(string(raw), "eE") && hasHugeExponent(raw) {
			return
		}
		if want := reference(raw); !reflect.DeepEqual(h, want) {
			t.Errorf("%s\n got %+v\nwant %+v", raw, h, want)
		}
	})
}

func compareValidity(t *testing.T, raw []byte, h Head) {
	t.Helper()
	if bytes.Count(raw, []byte{'['})+bytes.Count(raw, []byte{'{'}) > 9000 {
		return // encoding/json has a limit
	}
	var syntax *json.SyntaxError
	err := json.Unmarshal(raw, new(json.RawMessage))
	if err == nil {
		if h.Form == Garbage {
			t.Errorf("%q is JSON, but garbage from %d", raw, h.At)
		}
		if h.Form == Value || h.Form == Batch || h.Form.IsMessage() {
			if bad := !utf8.Valid(raw); bad != (h.Flaws&FlawUTF8 != 0) {
				t.Errorf("%q: flaws %b, not UTF-8: %v", raw, h.Flaws, bad)
			}
		}
		return
	}
	if !errors.As(err, &syntax) {
		t.Fatal(err)
	}
	// At the end it feeds a space to a token that is cut, and may blame that.
	at := syntax.Offset
	atEnd := strings.HasPrefix(syntax.Error(), "invalid character ' '") &&
		int(syntax.Offset) == len(raw) && raw[len(raw)-1] != ' '
	if strings.HasPrefix(syntax.Error(), "invalid character") && !atEnd {
		at--
	}
	if h.Form != Garbage || h.At != at {
		t.Errorf("%q: form %d at %d, want garbage at %d", raw, h.Form, h.At, at)
	}
}

// hasHugeExponent keeps numbers from the reference that big.Rat cannot take.
func hasHugeExponent(raw []byte) bool {
	for i, c := range raw {
		if c|0x20 == 'e' {
			digits := bytes.TrimLeft(raw[i+1:], "+-0")
			if len(digits) > 3 && strings.Trim(string(digits[:4]), "0123456789") == "" {
				return true
			}
		}
	}
	return false
}

// reference gives the head of valid JSON in the slow way.
func reference(raw []byte) Head {
	off := bytes.Index(raw, bytes.TrimLeft(raw, " \t\r\n"))
	trimmed := bytes.TrimSpace(raw)
	if trimmed[0] != '[' {
		return referenceMember(field{off, trimmed})
	}
	h := Head{Form: Value, Span: Span{int64(off), int64(len(trimmed))}}
	message := false
	for _, f := range fields(field{off, trimmed}).elements {
		m := referenceMember(f)
		message = message || m.Form != Value
		h.Members = append(h.Members, m)
	}
	if h.Form = Batch; !message {
		h.Form, h.Members = Value, nil
	}
	return h
}

// field is a value and its offset in the frame.
type field struct {
	off int
	raw []byte
}

func (f field) kind() byte { return f.raw[0] }
func (f field) met() bool  { return f.raw != nil }
func (f field) span() Span { return Span{int64(f.off), int64(len(f.raw))} }
func (f field) isText() bool {
	return f.met() && f.kind() == '"'
}

func (f field) text() (s string) {
	if f.isText() {
		if err := json.Unmarshal(f.raw, &s); err != nil {
			panic(err)
		}
	}
	return s
}

func (f field) id() ID {
	switch {
	case !f.met():
		return ID{}
	case f.isText():
		return Str(f.text())
	case f.kind() == 'n':
		return ID{Type: NullID}
	case strings.ContainsRune("{[tf", rune(f.kind())):
		return ID{Type: OtherID, Text: string(f.raw)}
	}
	if r, ok := new(big.Rat).SetString(string(f.raw)); ok && r.IsInt() && r.Num().IsInt64() {
		return Int(r.Num().Int64())
	}
	return ID{Type: NumberID, Text: string(f.raw)}
}

type fieldSet struct {
	byKey     map[string]field
	repeated  map[string]bool
	elements  []field
	container bool
}

// fields takes an object or an array apart.
func fields(f field) fieldSet {
	set := fieldSet{byKey: map[string]field{}, repeated: map[string]bool{}}
	if !f.met() || f.kind() != '{' && f.kind() != '[' {
		return set
	}
	set.container = true
	d := json.NewDecoder(bytes.NewReader(f.raw))
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	_, err := d.Token()
	must(err)
	for d.More() {
		key := ""
		if f.kind() == '{' {
			token, err := d.Token()
			must(err)
			key = token.(string)
		}
		var v json.RawMessage
		must(d.Decode(&v))
		value := field{f.off + int(d.InputOffset()) - len(v), v}
		set.elements = append(set.elements, value)
		_, set.repeated[key] = set.byKey[key]
		set.byKey[key] = value
	}
	return set
}

func referenceMember(f field) Head {
	value := Head{Form: Value, Span: f.span()}
	if f.kind() != '{' {
		return value
	}
	top := fields(f)
	version, id, method := top.byKey["jsonrpc"], top.byKey["id"], top.byKey["method"]
	params, result, failure := top.byKey["params"], top.byKey["result"], top.byKey["error"]
	calls := method.met()
	switch {
	case version.met() && (method.met() || id.met() || result.met() || failure.met()):
	case !version.met() && method.isText() && (id.met() || params.met()):
	case !version.met() && id.met() && (result.met() || failure.met()):
		calls = false
	default:
		return value
	}
	h := Head{Span: f.span(), ID: id.id(), Method: method.text()}
	flaw := func(is bool, f Flaw) {
		if is {
			h.Flaws |= f
		}
	}
	switch {
	case calls && id.met():
		h.Form = Request
	case calls:
		h.Form = Notification
	case failure.met() && (!result.met() || failure.kind() != 'n'):
		h.Form = Failure
	default:
		h.Form = Result
	}
	p, r, e := fields(params), fields(result), fields(failure)
	if params.met() {
		h.Params = params.span()
		flaw(!p.container, FlawParams)
	}
	if result.met() {
		h.Result = result.span()
	}
	if failure.met() {
		h.Error = failure.span()
		code := e.byKey["code"].id()
		whole := code.Type == NumberID && code.Text == ""
		h.Code = code.Num
		flaw(!whole || !e.byKey["message"].isText(), FlawErrorShape)
	}
	ref := fields(p.byKey["ref"])
	for _, name := range []field{p.byKey["name"], p.byKey["uri"], ref.byKey["name"], ref.byKey["uri"], p.byKey["taskId"]} {
		if name.isText() {
			h.Name = name.text()
			break
		}
	}
	switch {
	case h.Method == "notifications/progress":
		h.Token = p.byKey["progressToken"].id()
	case h.Method == "notifications/cancelled":
		h.Token = p.byKey["requestId"].id()
	case h.Form == Request:
		h.Token = fields(p.byKey["_meta"]).byKey["progressToken"].id()
	case h.Form == Notification:
		h.Token = fields(p.byKey["_meta"]).byKey["io.modelcontextprotocol/subscriptionId"].id()
	}
	if kind := r.byKey["resultType"]; h.Form == Result && kind.met() {
		h.Type = ResultOther
		if t, ok := map[string]ResultType{"complete": ResultComplete, "input_required": ResultInput, "task": ResultTask}[kind.text()]; ok {
			h.Type = t
		}
	}
	h.Cursor = p.byKey["cursor"].met()
	h.Next = r.byKey["nextCursor"].isText()
	h.IsError = string(r.byKey["isError"].raw) == "true"
	flaw(version.text() != "2.0", FlawNoVersion)
	flaw(h.ID.Type == NullID, FlawNullID)
	flaw(h.ID.Type == OtherID, FlawOddID)
	flaw(result.met() && failure.met(), FlawBoth)
	flaw(method.met() && (result.met() || failure.met()), FlawExtra)
	flaw(method.met() && !method.isText(), FlawMethod)
	flaw(!calls && !id.met(), FlawNoID)
	flaw(!calls && !result.met() && !failure.met(), FlawNoResult)
	for _, key := range []string{"jsonrpc", "id", "method", "params", "result", "error"} {
		flaw(top.repeated[key], FlawDuplicate)
	}
	return h
}
