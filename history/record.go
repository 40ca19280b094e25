package history

import (
	"strconv"
	"time"

	"parley/client/wire"
)

// Record is what the log knows of a frame without reading its bytes. It is a
// copy: changing it does not change the log.
//
// For a frame of kind [wire.Event] the fields of the envelope carry the event:
// Method is its name ("connected"), ID its epoch (connected), its exit code
// (exited, if the process ended by itself) or its attempt (reconnecting), Name the
// signal that killed the process (exited) or the transport (connected, switched;
// empty means stdio), Token the number of the frame concerned (write-failed, lost,
// abandoned, expired), Via the stream that broke (reconnecting).
//
// For one of kind [wire.HTTP] that came in one part they carry what it is: Method of
// a request's head is its HTTP method, Name its target; ID of a response's head is
// its status, Name its media type in lower case; Method of an event of a stream is
// [HTTPEvent], Name its type unless that is message; Method of comments alone is
// [HTTPComment], of anything else [HTTPBody].
type Record struct {
	Seq  uint64
	Time time.Time // to the microsecond, UTC
	Dir  wire.Dir
	Kind wire.Kind
	By   wire.Origin
	EOL  wire.EOL
	Via  string // empty means stdio
	Of   uint64 // the frame this one replaces, or 0

	Form    wire.Form
	Flaws   wire.Flaw
	ID      wire.ID
	Method  string
	Name    string
	Token   wire.ID
	Cursor  bool
	Next    bool
	IsError bool
	Type    wire.ResultType
	Code    int64

	Size int64 // bytes of the frame; of an open or cut frame, of the parts that came
	Open bool  // parts are still to come
	Cut  bool  // the log ended before the last part came

	index *index // where it is from: the fold looks there for what it does not keep
}

// entry is a Record as the index keeps it: 48 bytes without pointers, so that
// a million frames cost 48 MB and the garbage collector has nothing to look at.
// What does not fit, which is rare, is in the index's extras.
type entry struct {
	time   int64  // microseconds since 1970
	place  uint64 // flaws in the upper 16 bits, below them where the bytes begin in the file
	id     uint32 // a small whole number, or a symbol
	token  uint32 // the same; of a failure, its code
	enc    uint32 // bytes between the quotes in the file
	size   uint32 // bytes of the frame
	method symbol
	name   symbol
	via    symbol
	bits   uint32
}

// The layout of entry.bits: small numbers, types of ids, and flags.
const (
	dirShift, dirMask     = 0, 3
	kindShift, kindMask   = 2, 7
	byShift, byMask       = 5, 7
	eolShift, eolMask     = 8, 3
	formShift, formMask   = 10, 7
	idShift, idMask       = 13, 7
	tokenShift, tokenMask = 16, 7
)

const (
	bitIDSymbol uint32 = 1 << (19 + iota)
	bitTokenSymbol
	bitCursor
	bitNext
	bitIsError
	bitOpen
	bitCut
	bitBase64
	bitParts // arrived in parts: applied at its end, see index.ends
	bitExtra // the index's extras have an item for it
	_        // this and the next are the result type
	_
	bitOf // the index knows what frame it replaces
)

const typeShift, typeMask = 29, 3

const (
	flawShift = 48
	placeMask = 1<<flawShift - 1
)

func (e *entry) field(shift, mask uint32) uint32 { return e.bits >> shift & mask }
func (e *entry) has(bit uint32) bool             { return e.bits&bit != 0 }

func (e *entry) set(bit uint32, on bool) {
	if on {
		e.bits |= bit
	} else {
		e.bits &^= bit
	}
}

// extra holds what an entry has no room for.
type extra struct {
	size  int64   // of a frame in parts, or if it does not fit 32 bits
	code  int64   // if it does not fit 32 bits, or of a frame that is no failure
	token wire.ID // of a failure, where the entry keeps the code
	parts []part

	count   int // of the members of a batch
	members []member
}

// part says where a part of a frame stands in the file.
type part struct {
	raw    int64 // offset of its first byte in the frame
	size   int64 // bytes of the frame in it
	off    int64 // where its bytes begin in the file
	enc    int64 // bytes between the quotes
	base64 bool
}

// member is the head of a batch's member that is a message. The others are not
// kept, and heads are not kept whole: a batch of a few bytes could claim
// megabytes.
type member struct {
	ordinal int32 // from 0
	code    int64 // as in extra
	e       entry
}

// stdio is what an empty Via means.
const stdio = "stdio"

// newEntry makes the entry of a frame whose bytes stand as p says. The second
// result is nil for the most part.
func (ix *index) newEntry(f *wire.Frame, h *wire.Head, p part) (entry, *extra) {
	var x extra
	syms := &ix.syms
	e := packHead(syms, h, &x)
	e.time = f.Time.UnixMicro()
	e.place |= uint64(p.off) & placeMask
	if f.Via != stdio {
		e.via = syms.intern(f.Via)
	}
	e.bits |= uint32(f.Dir)&dirMask<<dirShift | uint32(f.Kind)&kindMask<<kindShift |
		uint32(f.By)&byMask<<byShift | uint32(f.EOL)&eolMask<<eolShift
	e.set(bitBase64, p.base64)
	if f.Of != 0 {
		e.set(bitOf, true)
		ix.setOf(f.Seq, f.Of)
	}
	if p.size == int64(uint32(p.size)) && p.enc == int64(uint32(p.enc)) {
		e.size, e.enc = uint32(p.size), uint32(p.enc)
	} else {
		x.size, x.parts = p.size, []part{p}
	}
	x.count = len(h.Members)
	for i := range h.Members {
		if m := &h.Members[i]; m.Form.IsMessage() {
			var mx extra
			me := packHead(syms, m, &mx)
			x.members = append(x.members, member{ordinal: int32(i), code: mx.code, e: me})
		}
	}
	if x.code == 0 && x.token.Type == wire.NoID && x.parts == nil && x.count == 0 {
		return e, nil
	}
	e.set(bitExtra, true)
	kept := x // so that only what is kept is allocated
	return e, &kept
}

// packHead makes the part of an entry that comes from the head. What has no
// room in it goes to x.
func packHead(syms *symbols, h *wire.Head, x *extra) entry {
	e := entry{
		place:  uint64(h.Flaws) << flawShift,
		method: syms.intern(h.Method),
		name:   syms.intern(h.Name),
		bits: uint32(h.Form)&formMask<<formShift |
			uint32(h.ID.Type)&idMask<<idShift | uint32(h.Token.Type)&tokenMask<<tokenShift |
			uint32(h.Type)&typeMask<<typeShift,
	}
	e.set(bitCursor, h.Cursor)
	e.set(bitNext, h.Next)
	e.set(bitIsError, h.IsError)
	var inSymbols bool
	e.id, inSymbols = packID(syms, h.ID)
	e.set(bitIDSymbol, inSymbols)
	if h.Form == wire.Failure && int64(int32(h.Code)) == h.Code {
		e.token = uint32(int32(h.Code))
		x.token = h.Token
	} else {
		e.token, inSymbols = packID(syms, h.Token)
		e.set(bitTokenSymbol, inSymbols)
		x.code = h.Code
	}
	return e
}

// packID puts the value of an id into 32 bits: small whole numbers as they
// are, everything else as a symbol.
func packID(syms *symbols, id wire.ID) (v uint32, inSymbols bool) {
	if id.Type == wire.NumberID && id.Text == "" {
		if int64(int32(id.Num)) == id.Num {
			return uint32(int32(id.Num)), false
		}
		return uint32(syms.intern(strconv.FormatInt(id.Num, 10))), true
	}
	return uint32(syms.intern(id.Text)), true
}

// unpackID is the inverse of packID. A number's text that is a whole number in
// range stands for its value: wire keeps only the others as text.
func unpackID(syms *symbols, t wire.IDType, v uint32, inSymbols bool) wire.ID {
	id := wire.ID{Type: t}
	if t == wire.NoID {
		return id
	}
	if !inSymbols {
		id.Num = int64(int32(v))
		return id
	}
	text := syms.text(symbol(v))
	if t == wire.NumberID {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			id.Num = n
			return id
		}
	}
	id.Text = text
	return id
}

// record makes the public form of an entry.
func (ix *index) record(seq uint64, e *entry, r *Record) {
	*r = Record{
		Seq:  seq,
		Time: time.UnixMicro(e.time).UTC(),
		Dir:  wire.Dir(e.field(dirShift, dirMask)),
		Kind: wire.Kind(e.field(kindShift, kindMask)),
		By:   wire.Origin(e.field(byShift, byMask)),
		EOL:  wire.EOL(e.field(eolShift, eolMask)),
		Via:  ix.syms.text(e.via),
		Size: int64(e.size),
		Open: e.has(bitOpen),
		Cut:  e.has(bitCut),

		index: ix,
	}
	if e.has(bitOf) {
		r.Of = ix.of(seq)
	}
	if e.has(bitExtra) {
		x := ix.extra[seq]
		ix.putHead(r, e, x.code)
		if x.token.Type != wire.NoID {
			r.Token = x.token
		}
		if x.parts != nil {
			r.Size = x.size
		}
	} else {
		ix.putHead(r, e, 0)
	}
	if r.Kind == wire.Event && (r.Method == wire.EventReconnecting || r.Method == wire.EventNotice) {
		r.Via, r.Name = r.Name, ""
	}
}

// putHead puts what an entry says of the envelope into r; code is the code if
// the entry had no room for it.
func (ix *index) putHead(r *Record, e *entry, code int64) {
	r.Form = wire.Form(e.field(formShift, formMask))
	r.Flaws = wire.Flaw(e.place >> flawShift)
	r.ID = unpackID(&ix.syms, wire.IDType(e.field(idShift, idMask)), e.id, e.has(bitIDSymbol))
	r.Method = ix.syms.text(e.method)
	r.Name = ix.syms.text(e.name)
	r.Cursor = e.has(bitCursor)
	r.Next = e.has(bitNext)
	r.IsError = e.has(bitIsError)
	r.Type = wire.ResultType(e.field(typeShift, typeMask))
	if r.Form == wire.Failure && code == 0 {
		r.Code = int64(int32(e.token))
		return
	}
	r.Code = code
	t := wire.IDType(e.field(tokenShift, tokenMask))
	r.Token = unpackID(&ix.syms, t, e.token, e.has(bitTokenSymbol))
}

// heads makes the heads of a batch's members.
func (ix *index) heads(x *extra) []wire.Head {
	if x == nil || x.count == 0 {
		return nil
	}
	list := make([]wire.Head, x.count)
	for i := range list {
		list[i].Form = wire.Value
	}
	for i := range x.members {
		m := &x.members[i]
		var r Record
		ix.putHead(&r, &m.e, m.code)
		list[m.ordinal] = r.head()
	}
	return list
}

// head is what the index keeps of a frame's head.
func (r *Record) head() wire.Head {
	return wire.Head{
		Form: r.Form, Flaws: r.Flaws, ID: r.ID, Method: r.Method, Name: r.Name, Token: r.Token,
		Cursor: r.Cursor, Next: r.Next, IsError: r.IsError, Type: r.Type, Code: r.Code,
	}
}
