package wire

import (
	"bytes"
	"strconv"
)

// envelope collects what one JSON-RPC message says while it is scanned.
type envelope struct {
	has   uint32 // the slots whose key was met, by bit
	ok    uint32 // the slots whose value has the type expected
	flaws Flaw

	id        ID
	token     ID // params._meta.progressToken
	progress  ID
	requestID ID
	listen    ID // params._meta, of subscriptionKey
	method    string
	name      string
	uri       string
	refName   string
	refURI    string
	taskID    string
	code      int64
	kind      ResultType
	params    Span
	result    Span
	err       Span
}

const envelopeKeys = 1<<slotVersion | 1<<slotID | 1<<slotMethod | 1<<slotParams | 1<<slotResult | 1<<slotError

// within gives for a slot the slots that are found inside its value, so that
// the last of two equal keys counts with all its contents.
var within = [slots]uint32{
	slotParams: 1<<slotProgress | 1<<slotRequestID | 1<<slotCursor | 1<<slotName | 1<<slotURI |
		1<<slotTaskID | 1<<slotMeta | 1<<slotRef | 1<<slotToken | 1<<slotSubscription |
		1<<slotRefName | 1<<slotRefURI,
	slotMeta:   1<<slotToken | 1<<slotSubscription,
	slotRef:    1<<slotRefName | 1<<slotRefURI,
	slotResult: 1<<slotNextCursor | 1<<slotIsError | 1<<slotResultType,
	slotError:  1<<slotCode | 1<<slotErrorText,
}

// expect notes that the key of a slot was met. An earlier value no longer counts.
func (e *envelope) expect(slot slot) {
	bit := uint32(1) << slot
	if e.has&bit&envelopeKeys != 0 {
		e.flaws |= FlawDuplicate
	}
	e.has = e.has&^within[slot] | bit
	e.ok &^= within[slot] | bit
	switch slot {
	case slotID:
		e.flaws &^= FlawNullID | FlawOddID
	case slotParams:
		e.flaws &^= FlawParams
		e.params = Span{}
	case slotResult:
		e.result = Span{}
	case slotError:
		e.err = Span{}
	}
}

// scalar is the value of a slot of hasText: its first byte, and its text, of a
// string decoded and without the quotes.
type scalar struct {
	first byte
	text  []byte
	cut   bool // the text is longer than maxName
}

func (v scalar) isText() bool { return v.first == '"' }

// setText takes the value of a slot of hasText.
func (e *envelope) setText(slot slot, v scalar, c *capture) {
	ok := v.isText()
	switch slot {
	case slotVersion:
		ok = ok && string(v.text) == "2.0"
	case slotID:
		e.id = v.id(c)
		switch e.id.Type {
		case NullID:
			e.flaws |= FlawNullID
		case OtherID:
			e.flaws |= FlawOddID
		}
	case slotProgress:
		e.progress = v.id(c)
	case slotRequestID:
		e.requestID = v.id(c)
	case slotToken:
		e.token = v.id(c)
	case slotSubscription:
		e.listen = v.id(c)
	case slotResultType:
		e.kind = v.resultType()
	case slotCode:
		e.code, ok = v.whole()
	default:
		if ok {
			*e.place(slot) = c.share(v.text)
		}
	}
	if ok {
		e.ok |= 1 << slot
	}
}

// place gives where the text of a slot belongs.
func (e *envelope) place(slot slot) *string {
	switch slot {
	case slotMethod:
		return &e.method
	case slotName:
		return &e.name
	case slotURI:
		return &e.uri
	case slotRefName:
		return &e.refName
	case slotTaskID:
		return &e.taskID
	}
	return &e.refURI
}

// setSpan takes the value of any other slot: its first byte and where it is.
func (e *envelope) setSpan(slot slot, first byte, span Span) {
	ok := false
	switch slot {
	case slotParams:
		e.params = span
		ok = first == '{' || first == '['
		if !ok {
			e.flaws |= FlawParams
		}
	case slotResult:
		e.result, ok = span, true
	case slotError:
		e.err = span
		ok = first != 'n'
	case slotNextCursor, slotErrorText:
		ok = first == '"'
	case slotIsError:
		ok = first == 't'
	}
	if ok {
		e.ok |= 1 << slot
	}
}

func (e *envelope) met(slot slot) bool  { return e.has>>slot&1 != 0 }
func (e *envelope) good(slot slot) bool { return e.ok>>slot&1 != 0 }

// fill judges what was collected and writes it to h, which has only its Span.
func (e *envelope) fill(h *Head) {
	if h.Form = e.form(); h.Form == Value {
		return
	}
	h.Flaws = e.flaws | e.shape(h.Form)
	if e.met(slotID) {
		h.ID = e.id
	}
	if e.good(slotMethod) {
		h.Method = e.method
	}
	h.Params, h.Result, h.Error = e.params, e.result, e.err
	h.Cursor, h.Next, h.IsError = e.met(slotCursor), e.good(slotNextCursor), e.good(slotIsError)
	h.Name, h.Token = e.nameOf(), e.tokenOf(h)
	if h.Form == Result && e.met(slotResultType) {
		h.Type = e.kind
	}
	if e.good(slotCode) {
		h.Code = e.code
	}
}

// form says what the keys make the object. A version key makes it a message as
// soon as it has any other key of a message; without one it must look like one.
// A method decides before anything else, an error before a result, unless it is
// null, as JSON-RPC 1.0 had it.
func (e *envelope) form() Form {
	method, id := e.met(slotMethod), e.met(slotID)
	result, failure := e.met(slotResult), e.met(slotError)
	if !e.met(slotVersion) {
		method = e.good(slotMethod) && (id || e.met(slotParams))
		if !method && !(id && (result || failure)) {
			return Value
		}
	}
	switch {
	case method && id:
		return Request
	case method:
		return Notification
	case failure && (!result || e.good(slotError)):
		return Failure
	case result || id:
		return Result
	}
	return Value
}

// shape finds what is wrong with the keys of a message.
func (e *envelope) shape(form Form) (flaws Flaw) {
	method, id := e.met(slotMethod), e.met(slotID)
	result, failure := e.met(slotResult), e.met(slotError)
	if !e.good(slotVersion) {
		flaws |= FlawNoVersion
	}
	if method && !e.good(slotMethod) {
		flaws |= FlawMethod
	}
	if result && failure {
		flaws |= FlawBoth
	}
	if failure && !(e.good(slotCode) && e.good(slotErrorText)) {
		flaws |= FlawErrorShape
	}
	if form == Request || form == Notification {
		if result || failure {
			flaws |= FlawExtra
		}
		return flaws
	}
	if !id {
		flaws |= FlawNoID
	}
	if !result && !failure {
		flaws |= FlawNoResult
	}
	return flaws
}

func (e *envelope) nameOf() string {
	switch {
	case e.good(slotName):
		return e.name
	case e.good(slotURI):
		return e.uri
	case e.good(slotRefName):
		return e.refName
	case e.good(slotRefURI):
		return e.refURI
	case e.good(slotTaskID):
		return e.taskID
	}
	return ""
}

func (e *envelope) tokenOf(h *Head) ID {
	switch {
	case h.Method == "notifications/progress":
		if e.met(slotProgress) {
			return e.progress
		}
	case h.Method == "notifications/cancelled":
		if e.met(slotRequestID) {
			return e.requestID
		}
	case h.Form == Request && e.met(slotToken):
		return e.token
	case h.Form == Notification && e.met(slotSubscription):
		return e.listen
	}
	return ID{}
}

// resultType reads the value of result.resultType.
func (v scalar) resultType() ResultType {
	if !v.isText() {
		return ResultOther
	}
	switch string(v.text) {
	case "complete":
		return ResultComplete
	case "input_required":
		return ResultInput
	case "task":
		return ResultTask
	}
	return ResultOther
}

// id makes an id of the value.
func (v scalar) id(c *capture) ID {
	switch v.first {
	case '"':
		return ID{Type: StringID, Text: c.share(v.text)}
	case 'n':
		return ID{Type: NullID}
	case 't', 'f', '{', '[':
		return ID{Type: OtherID, Text: c.share(v.text)}
	}
	if n, ok := v.whole(); ok {
		return ID{Type: NumberID, Num: n}
	}
	return ID{Type: NumberID, Text: c.share(v.text)}
}

// whole gives the value of a number, in any spelling, if it is a whole one that
// an int64 holds.
func (v scalar) whole() (n int64, ok bool) {
	if v.cut || v.first != '-' && v.first-'0' > 9 {
		return 0, false
	}
	digits, negative := bytes.CutPrefix(v.text, []byte{'-'})
	for _, c := range digits {
		if c-'0' > 9 || len(digits) > 18 {
			return spelledWhole(digits, negative)
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

// spelledWhole does the same for long numbers and those with a fraction or an
// exponent, but for the sign.
func spelledWhole(b []byte, negative bool) (int64, bool) {
	power := 0
	k := bytes.IndexAny(b, "eE")
	if k < 0 {
		k = len(b)
	} else {
		// An exponent that is out of bounds matters only if the rest is not zero.
		power, _ = strconv.Atoi(string(b[k+1:]))
		power = max(min(power, 2*maxName), -2*maxName)
	}
	whole, fraction, _ := bytes.Cut(b[:k], []byte{'.'})
	power -= len(fraction)
	digits := append(bytes.Clone(whole), fraction...)
	digits = bytes.TrimLeft(digits, "0")
	if len(digits) == 0 {
		return 0, true
	}
	for power < 0 && digits[len(digits)-1] == '0' {
		digits, power = digits[:len(digits)-1], power+1
	}
	if power < 0 || len(digits)+power > 19 {
		return 0, false
	}
	digits = append(digits, bytes.Repeat([]byte{'0'}, power)...)
	if negative {
		digits = append([]byte{'-'}, digits...)
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	return n, err == nil
}
