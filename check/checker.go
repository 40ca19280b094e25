package check

import (
	"fmt"
	"strings"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
)

// Checker applies the rules to the frames of a session, one after the other.
// The zero value is ready. It is used from one goroutine.
type Checker struct {
	matcher   wire.Matcher
	asked     map[wire.Ref]*asked // open requests whose answers are looked at
	era       era
	version   string // of the protocol: as the server answered, or as requests say; empty before
	confirmed bool   // a server answered a request of that version with a result
	plain     int    // requests that named no version, while none was known
	transport string // empty means stdio
	resumed   map[string]bool
	tokens    [2]tokens // of requests, by direction
	listens   []*listening
	ended     []wire.ID // of subscriptions that are over, the newest ones
}

// era is how the requests of this connection speak.
type era uint8

const (
	unknownEra era = iota
	legacy
	modern
)

// asked is what is known of an open request.
type asked struct {
	method string
	via    string
	token  wire.ID
	envelope
}

// message is one message with what the rules look at.
type message struct {
	ref       wire.Ref
	dir       wire.Dir
	via       string
	size      int64
	wire.Head               // by value: it would be allocated for each message
	raw       func() []byte // the message's bytes
}

// maxRead bounds what is read for rules that look inside any message.
const maxRead = 1 << 20

// Apply looks at the next frame and returns what it breaks. members are the
// heads of a batch; raw reads the frame's bytes and is called only when a rule
// needs them.
func (c *Checker) Apply(r *history.Record, members []wire.Head, raw func() []byte) []Finding {
	if r.Open || r.Cut {
		return nil
	}
	out := c.apply(r, members, raw)
	for i := range out {
		out[i].Version = c.version
	}
	return out
}

func (c *Checker) apply(r *history.Record, members []wire.Head, raw func() []byte) []Finding {
	switch r.Kind {
	case wire.Event:
		c.event(r)
	case wire.HTTP:
		return c.http(r, raw)
	case wire.Stray:
		if r.Dir != wire.In {
			return nil // typed by hand, on purpose
		}
		return []Finding{c.stray(r, raw)}
	case wire.Message:
		if r.Form == wire.Batch {
			return c.batch(r, members, raw)
		}
		return c.message(&message{wire.Ref{Seq: r.Seq}, r.Dir, r.Via, r.Size, headOf(r), raw})
	}
	return nil
}

// headOf gives the parts of a head that the index keeps.
func headOf(r *history.Record) wire.Head {
	return wire.Head{Form: r.Form, Flaws: r.Flaws, ID: r.ID, Method: r.Method, Name: r.Name, Token: r.Token, Type: r.Type, Code: r.Code}
}

func (c *Checker) event(r *history.Record) {
	switch r.Method {
	case wire.EventConnected:
		*c = Checker{transport: r.Name}
	case wire.EventSwitched:
		c.transport = r.Name
	case wire.EventReconnecting:
		if c.resumed == nil {
			c.resumed = map[string]bool{}
		}
		c.resumed[r.Via] = true
	case wire.EventLost, wire.EventAbandoned:
		request := wire.Ref{Seq: uint64(r.Token.Num)}
		delete(c.asked, request)
		c.unlisten(request)
	}
}

func (c *Checker) batch(r *history.Record, members []wire.Head, raw func() []byte) []Finding {
	h := headOf(r)
	out := c.flaws(wire.Ref{Seq: r.Seq}, &h)
	if c.version != mcp.V20250326 {
		out = append(out, found(BatchOutsideItsAge, wire.Ref{Seq: r.Seq}, batchOf(len(members))))
	}
	for i := range members {
		m := &members[i]
		part := func() []byte {
			member, _ := rawjson.Get(raw(), fmt.Sprint(i))
			return member
		}
		ref := wire.Ref{Seq: r.Seq, Member: int32(i + 1)}
		if m.Form == wire.Request && m.Method == "initialize" {
			out = append(out, found(InitializeInBatch, ref, "initialize has company"))
		}
		out = append(out, c.message(&message{ref, r.Dir, r.Via, r.Size, *m, part})...)
	}
	return out
}

func found(id string, ref wire.Ref, message string) Finding {
	r := rule(id)
	return Finding{Rule: r.ID, Ref: ref, Level: r.Level, Message: message, Hint: r.Hint, Reference: r.Reference}
}

// message applies the rules of one message.
func (c *Checker) message(m *message) []Finding {
	out := c.flaws(m.ref, &m.Head)
	match := c.matcher.Apply(m.ref, m.dir, &m.Head)
	switch match.Pairing {
	case wire.Orphan:
		if m.ID.Type == wire.NullID || m.ID.Type == wire.NoID {
			break // an error about something unreadable: the flaw says enough
		}
		out = append(out, found(AnswerToNothing, m.ref, "answers id "+m.ID.String()+", which nobody asked"))
	case wire.Second:
		out = append(out, found(SecondAnswer, m.ref, fmt.Sprintf("answers id %s again; the request is frame %d", m.ID, match.Request.Seq)))
	case wire.OtherType:
		out = append(out, found(IDType, m.ref, fmt.Sprintf("has id %s; the request, frame %d, has the other type", m.ID, match.Request.Seq)))
	case wire.Reopened:
		out = append(out, found(IDInFlight, m.ref, fmt.Sprintf("has id %s, as has frame %d, which is not answered yet", m.ID, match.Request.Seq)))
	}
	switch {
	case m.Form == wire.Request:
		c.remember(m)
		return append(out, c.method(m)...)
	case m.Form == wire.Notification:
		out = append(out, c.method(m)...)
		return append(out, c.notification(m)...)
	case match.Pairing == wire.Answered:
		return append(out, c.answer(m, match.Request)...)
	}
	return out
}

// method checks a method's name.
func (c *Checker) method(m *message) []Finding {
	var out []Finding
	if m.Form == wire.Request && strings.HasPrefix(m.Method, "notifications/") {
		out = append(out, found(IDOnNotification, m.ref, fmt.Sprintf("%s has id %s", m.Method, m.ID)))
	}
	known, ok := mcp.LookupMethod(m.Method)
	switch {
	case m.Form == wire.Request && m.dir == wire.In && c.era == modern && c.confirmed:
		return append(out, found(ServerRequest, m.ref, "the server asks "+m.Method))
	case ok && c.confirmed && mcp.KnownVersion(c.version) && !known.Usable(c.version):
		f := found(MethodVersion, m.ref, m.Method+" is not in "+c.version)
		f.Hint = mcp.VersionHint(m.Method, c.version)
		return append(out, f)
	case !ok && m.Flaws&wire.FlawMethod == 0:
		f := found(UndefinedMethod, m.ref, m.Method+": no version defines it")
		if hint := mcp.MethodHint(m.Method); hint != "" {
			f.Hint = hint
		}
		out = append(out, f)
	}
	return out
}

// remember keeps of a request what its answer, and what comes before that, is
// compared with.
func (c *Checker) remember(m *message) {
	a := &asked{method: m.Method, via: m.via, token: m.Token}
	if m.dir == wire.Out {
		c.speaks(m, a)
	}
	if a.token.Type != wire.NoID {
		c.tokens[m.dir-wire.Out].open(a.token)
	}
	wanted := a.modern || a.token.Type != wire.NoID || m.Method == "initialize" || strings.HasSuffix(m.Method, "/list") ||
		m.dir == wire.Out && c.transport == wire.TransportHTTP
	if !wanted {
		return
	}
	if c.asked == nil {
		c.asked = map[wire.Ref]*asked{}
	}
	c.asked[m.ref] = a
	if m.dir == wire.Out && m.Method == "subscriptions/listen" {
		c.listen(m)
	}
}

// answer looks at the answer to a request that was remembered.
func (c *Checker) answer(m *message, request wire.Ref) []Finding {
	a, ok := c.asked[request]
	if !ok {
		return nil
	}
	delete(c.asked, request)
	c.unlisten(request)
	out := c.onGet(m, a)
	result, failed := []byte(nil), m.Form == wire.Failure
	read := a.modern && m.size <= maxRead || a.method == "initialize" || strings.HasSuffix(a.method, "/list") ||
		a.token.Type != wire.NoID && c.version == mcp.V20251125 && m.size <= maxRead
	if read && !failed {
		result, _ = rawjson.Get(m.raw(), "result")
	}
	if a.token.Type != wire.NoID && !goesOn(m, result) {
		c.tokens[wire.In-m.dir].close(a.token)
	}
	if m.dir != wire.In {
		return out
	}
	c.settle(a, result, failed)
	if failed {
		if a.modern && c.confirmed && mcp.ReservedCode(m.Code) {
			out = append(out, found(ReservedCode, m.ref, fmt.Sprintf("the error has the code %d", m.Code)))
		}
		return out
	}
	if a.modern {
		out = append(out, a.resultType(m, result)...)
	}
	return append(out, malformed(m.ref, a, result)...)
}

// goesOn reports whether progress may follow an answer: the work is a task by now.
func goesOn(m *message, result []byte) bool {
	_, task := rawjson.Get(result, "task")
	return task || m.Type == wire.ResultTask
}

// malformed looks for malformed items in the result of a list request.
func malformed(ref wire.Ref, a *asked, result []byte) []Finding {
	var out []Finding
	bad := func(id string, i int, name, reason string) {
		if reason != "" {
			out = append(out, found(id, ref, fmt.Sprintf("%s: item %s: %s", a.method, strings.TrimSpace(fmt.Sprint(i+1, " ", name)), reason)))
		}
	}
	if result == nil {
		return nil
	}
	switch a.method {
	case "tools/list":
		for i, t := range mcp.DecodeTools(result).Items {
			bad(MalformedItem, i, t.Name, t.Malformed)
			if a.modern {
				_, problem := mcp.HeaderParams(t.InputSchema)
				bad(HeaderParam, i, t.Name, problem)
			}
		}
	case "resources/list":
		for i, t := range mcp.DecodeResources(result).Items {
			bad(MalformedItem, i, t.Name, t.Malformed)
		}
	case "resources/templates/list":
		for i, t := range mcp.DecodeTemplates(result).Items {
			bad(MalformedItem, i, t.Name, t.Malformed)
		}
	case "prompts/list":
		for i, t := range mcp.DecodePrompts(result).Items {
			bad(MalformedItem, i, t.Name, t.Malformed)
		}
	}
	return out
}

// flaws turns the flaws of an envelope into findings.
func (c *Checker) flaws(ref wire.Ref, h *wire.Head) []Finding {
	if h.Flaws == 0 {
		return nil
	}
	var out []Finding
	for _, f := range []struct {
		flaw wire.Flaw
		id   string
	}{
		{wire.FlawNoVersion, NoVersion}, {wire.FlawNullID, NullID}, {wire.FlawOddID, OddID}, {wire.FlawNoID, NoID},
		{wire.FlawNoResult, NoResult}, {wire.FlawMethod, MethodType}, {wire.FlawBoth, ResultAndError},
		{wire.FlawExtra, MethodAndAnswer}, {wire.FlawErrorShape, ErrorShape}, {wire.FlawParams, ParamsShape},
		{wire.FlawUTF8, NotUTF8}, {wire.FlawDuplicate, DuplicateKey},
	} {
		if f.flaw == wire.FlawNullID && h.Form == wire.Failure {
			continue // the way to say that a message could not be read
		}
		if f.flaw == wire.FlawNoID && h.Form == wire.Failure && (c.version == "" || c.version >= mcp.V20251125) {
			continue // since 2025-11-25 another way to say so
		}
		if h.Flaws&f.flaw != 0 {
			out = append(out, found(f.id, ref, rule(f.id).Title))
		}
	}
	return out
}

func batchOf(n int) string {
	if n == 1 {
		return "a batch of one message"
	}
	return fmt.Sprintf("a batch of %d messages", n)
}
