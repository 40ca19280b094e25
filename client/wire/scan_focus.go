package wire

import "math"

// where names the containers whose keys matter. In all others the scanner only
// checks that the bytes are JSON.
type where uint8

const (
	nowhere where = iota
	inFrame       // around the value
	inBatch
	inEnvelope
	inParams
	inMeta // params._meta
	inRef  // params.ref
	inResult
	inError
)

// slot names the values that matter.
type slot uint8

const (
	noSlot slot = iota
	slotMessage
	slotVersion
	slotID
	slotMethod
	slotParams
	slotResult
	slotError
	slotProgress  // params.progressToken
	slotRequestID // params.requestId
	slotCursor
	slotName
	slotURI
	slotTaskID
	slotMeta
	slotRef
	slotToken        // params._meta.progressToken
	slotSubscription // params._meta, of subscriptionKey
	slotRefName
	slotRefURI
	slotNextCursor
	slotIsError
	slotResultType
	slotCode
	slotErrorText // error.message
	slotBeyond    // a member after MaxMembers
	slots
)

// subscriptionKey ties a notification to the subscriptions/listen it was asked for
// by (spec: 2026-07-28, basic/patterns, subscriptions).
const subscriptionKey = "io.modelcontextprotocol/subscriptionId"

// slotOf finds the slot of a key.
func slotOf(w where, key []byte) slot {
	switch w {
	case inEnvelope:
		switch string(key) {
		case "jsonrpc":
			return slotVersion
		case "id":
			return slotID
		case "method":
			return slotMethod
		case "params":
			return slotParams
		case "result":
			return slotResult
		case "error":
			return slotError
		}
	case inParams:
		switch string(key) {
		case "_meta":
			return slotMeta
		case "name":
			return slotName
		case "uri":
			return slotURI
		case "cursor":
			return slotCursor
		case "ref":
			return slotRef
		case "progressToken":
			return slotProgress
		case "requestId":
			return slotRequestID
		case "taskId":
			return slotTaskID
		}
	case inMeta:
		switch string(key) {
		case "progressToken":
			return slotToken
		case subscriptionKey:
			return slotSubscription
		}
	case inRef:
		switch string(key) {
		case "name":
			return slotRefName
		case "uri":
			return slotRefURI
		}
	case inResult:
		switch string(key) {
		case "nextCursor":
			return slotNextCursor
		case "isError":
			return slotIsError
		case "resultType":
			return slotResultType
		}
	case inError:
		switch string(key) {
		case "code":
			return slotCode
		case "message":
			return slotErrorText
		}
	}
	return noSlot
}

// objectIn gives the container that an object in a slot is.
var objectIn = [slots]where{
	slotMessage: inEnvelope,
	slotParams:  inParams,
	slotMeta:    inMeta,
	slotRef:     inRef,
	slotResult:  inResult,
	slotError:   inError,
}

// hasText says which slots need the text of their value.
var hasText = [slots]bool{
	slotVersion: true, slotID: true, slotMethod: true,
	slotProgress: true, slotRequestID: true, slotToken: true,
	slotSubscription: true,
	slotName:         true, slotURI: true, slotRefName: true, slotRefURI: true, slotTaskID: true,
	slotCode: true, slotResultType: true,
}

// focus is the scanner's place among the things that matter.
type focus struct {
	where  where
	slot   slot  // of the value that comes next or is in hand
	first  byte  // of the value in a slot
	start  int64 // of the value in a slot, in the frame
	floor  int64 // the depth of the outermost container that does not matter
	levels int
	level  [6]level // the containers around this one: frame, batch, envelope, params, _meta

	envelope envelope
	members  []Head
	message  bool // a member is a message
	beyond   bool // there are members beyond MaxMembers
	badFrame bool // an earlier member is not UTF-8
	head     Head // when the value is complete
}

type level struct {
	where where
	slot  slot
	first byte
	start int64
}

func (f *focus) reset() {
	f.where, f.slot, f.floor, f.levels = inFrame, slotMessage, math.MaxInt64, 0
	f.members, f.message, f.beyond, f.badFrame = nil, false, false, false
	f.head.Members = nil
}

// begin notes that a value in a slot begins at p[i].
func (s *Scanner) begin(p []byte, i int) {
	s.first, s.start = p[i], s.n+int64(i)
	switch {
	case s.slot == slotMessage:
		s.envelope = envelope{}
		s.badText = false
	case hasText[s.slot]:
		if s.first == '"' {
			i++
		}
		s.from(i)
	}
}

// enter notes that a container begins at p[i]; it is on the nest already.
func (s *Scanner) enter(p []byte, i int) {
	if s.slot != noSlot {
		s.begin(p, i)
	}
	s.level[s.levels] = level{s.where, s.slot, p[i], s.start}
	s.levels++
	switch {
	case p[i] == '{':
		s.where, s.slot = objectIn[s.slot], noSlot
	case s.where == inFrame:
		s.where, s.slot = inBatch, slotMessage
	default:
		s.where, s.slot = nowhere, noSlot
	}
	if s.where == nowhere {
		s.floor = s.depth
	}
}

// leave notes that a container that enter noted ends before p[i].
func (s *Scanner) leave(p []byte, i int) {
	s.floor = math.MaxInt64
	s.levels--
	l := &s.level[s.levels]
	batch := s.where == inBatch
	s.where, s.slot, s.first, s.start = l.where, l.slot, l.first, l.start
	switch {
	case batch:
		s.endBatch(s.n + int64(i))
	case s.slot != noSlot:
		s.end(p, i)
	}
}

// key looks at the key whose closing quote is before p[i].
func (s *Scanner) key(p []byte, i int) {
	key, _ := s.captured(p, i-1, s.escaped)
	if s.slot = slotOf(s.where, key); s.slot != noSlot {
		s.envelope.expect(s.slot)
	}
}

// end takes the value in a slot that ends before p[i].
func (s *Scanner) end(p []byte, i int) {
	span := Span{s.start, s.n + int64(i) - s.start}
	slot := s.slot
	s.slot = noSlot
	switch {
	case slot == slotMessage:
		s.endMessage(span)
	case slot == slotBeyond:
		s.beyond, s.slot = true, slotBeyond
	case hasText[slot]:
		text := s.first == '"'
		if text {
			i--
		}
		b, long := s.captured(p, i, text && s.escaped)
		if long && slot != slotVersion && slot != slotCode && slot != slotResultType {
			s.envelope.flaws |= FlawLongName
		}
		s.envelope.setText(slot, scalar{s.first, b, long}, &s.capture)
	default:
		s.envelope.setSpan(slot, s.first, span)
	}
}

// endMessage takes the frame's value, or a member of a batch.
func (s *Scanner) endMessage(span Span) {
	h := &s.head
	if s.where == inBatch {
		s.members = append(s.members, Head{})
		h = &s.members[len(s.members)-1]
		s.badFrame = s.badFrame || s.badText
		if s.slot = slotMessage; len(s.members) == MaxMembers {
			s.slot = slotBeyond
		}
	}
	*h = Head{Form: Value, Span: span}
	if s.first == '{' {
		s.envelope.fill(h)
		s.message = s.message || h.Form != Value
	}
	if s.badText {
		h.Flaws |= FlawUTF8
	}
}

// endBatch takes the array that is the frame's value and ends at offset end.
func (s *Scanner) endBatch(end int64) {
	s.slot = noSlot
	h := Head{Form: Value, Span: Span{s.start, end - s.start}}
	if s.badFrame || s.badText {
		h.Flaws |= FlawUTF8
	}
	if s.message {
		h.Form, h.Members = Batch, s.members
		if s.beyond {
			h.Flaws |= FlawLongBatch
		}
	}
	s.head = h
}
