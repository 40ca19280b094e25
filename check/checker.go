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
	matcher wire.Matcher
	asked   map[wire.Ref]string // open requests whose results are looked at, and their methods
	version string              // of the protocol, as the server answered; empty before
}

// Apply looks at the next frame and returns what it breaks. members are the
// heads of a batch; raw reads the frame's bytes and is called only when a rule
// needs them.
func (c *Checker) Apply(r *history.Record, members []wire.Head, raw func() []byte) []Finding {
	switch r.Kind {
	case wire.Event:
		if r.Method == wire.EventConnected {
			*c = Checker{}
		}
		return nil
	case wire.Stray:
		if r.Dir != wire.In {
			return nil // typed by hand, on purpose
		}
		return []Finding{stray(r)}
	case wire.Message:
	default:
		return nil
	}
	if r.Open || r.Cut {
		return nil
	}
	if r.Form == wire.Batch {
		return c.batch(r, members, raw)
	}
	h := headOf(r)
	return c.message(wire.Ref{Seq: r.Seq}, r.Dir, &h, raw)
}

// headOf gives the parts of a head that the index keeps.
func headOf(r *history.Record) wire.Head {
	return wire.Head{Form: r.Form, Flaws: r.Flaws, ID: r.ID, Method: r.Method, Name: r.Name, Code: r.Code}
}

func (c *Checker) batch(r *history.Record, members []wire.Head, raw func() []byte) []Finding {
	h := headOf(r)
	out := flaws(wire.Ref{Seq: r.Seq}, &h)
	if c.version != mcp.V20250326 {
		out = append(out, found(BatchOutsideItsAge, wire.Ref{Seq: r.Seq}, fmt.Sprintf("a batch of %d messages", len(members))))
	}
	for i := range members {
		m := &members[i]
		part := func() []byte {
			member, _ := rawjson.Get(raw(), fmt.Sprint(i))
			return member
		}
		out = append(out, c.message(wire.Ref{Seq: r.Seq, Member: int32(i + 1)}, r.Dir, m, part)...)
	}
	return out
}

func stray(r *history.Record) Finding {
	text := "not JSON"
	switch {
	case r.Form == wire.Value || r.Form == wire.Batch:
		text = "JSON, but no JSON-RPC message"
	case r.Size == 0:
		text = "an empty line"
	}
	return found(StrayStdout, wire.Ref{Seq: r.Seq}, "on standard output: "+text)
}

func found(id string, ref wire.Ref, message string) Finding {
	r := rule(id)
	return Finding{Rule: r.ID, Ref: ref, Level: r.Level, Message: message, Hint: r.Hint, Reference: r.Reference}
}

// message applies the rules of one message.
func (c *Checker) message(ref wire.Ref, dir wire.Dir, h *wire.Head, raw func() []byte) []Finding {
	out := flaws(ref, h)
	m := c.matcher.Apply(ref, dir, h)
	switch m.Pairing {
	case wire.Orphan:
		if h.ID.Type == wire.NullID || h.ID.Type == wire.NoID {
			break // an error about something unreadable: the flaw says enough
		}
		out = append(out, found(AnswerToNothing, ref, "answers id "+h.ID.String()+", which nobody asked"))
	case wire.Second:
		out = append(out, found(SecondAnswer, ref, fmt.Sprintf("answers id %s again; the request is frame %d", h.ID, m.Request.Seq)))
	case wire.OtherType:
		out = append(out, found(IDType, ref, fmt.Sprintf("has id %s; the request, frame %d, has the other type", h.ID, m.Request.Seq)))
	case wire.Reopened:
		out = append(out, found(IDInFlight, ref, fmt.Sprintf("has id %s, as has frame %d, which is not answered yet", h.ID, m.Request.Seq)))
	}
	switch {
	case h.Form == wire.Request || h.Form == wire.Notification:
		out = append(out, c.method(ref, h)...)
	case h.Form == wire.Result && m.Pairing == wire.Answered:
		out = append(out, c.result(ref, m.Request, raw)...)
	}
	return out
}

// method checks a method's name, and remembers requests whose results are looked at.
func (c *Checker) method(ref wire.Ref, h *wire.Head) []Finding {
	var out []Finding
	if h.Form == wire.Request && strings.HasPrefix(h.Method, "notifications/") {
		out = append(out, found(IDOnNotification, ref, fmt.Sprintf("%s has id %s", h.Method, h.ID)))
	}
	if _, known := mcp.LookupMethod(h.Method); !known && h.Flaws&wire.FlawMethod == 0 {
		f := found(UndefinedMethod, ref, h.Method+": no version defines it")
		if hint := mcp.MethodHint(h.Method); hint != "" {
			f.Hint = hint
		}
		out = append(out, f)
	}
	if h.Form == wire.Request && (strings.HasSuffix(h.Method, "/list") || h.Method == "initialize") {
		if c.asked == nil {
			c.asked = map[wire.Ref]string{}
		}
		c.asked[ref] = h.Method
	}
	return out
}

// result looks at the answer to a request that was remembered.
func (c *Checker) result(ref, request wire.Ref, raw func() []byte) []Finding {
	method, ok := c.asked[request]
	if !ok {
		return nil
	}
	delete(c.asked, request)
	result, ok := rawjson.Get(raw(), "result")
	if !ok {
		return nil
	}
	if method == "initialize" {
		c.version = mcp.DecodeInitialize(result).ProtocolVersion
		return nil
	}
	return malformed(ref, method, result)
}

// malformed looks for malformed items in the result of a list request.
func malformed(ref wire.Ref, method string, result []byte) []Finding {
	var out []Finding
	bad := func(i int, name, reason string) {
		if reason != "" {
			out = append(out, found(MalformedItem, ref, fmt.Sprintf("%s: item %s: %s", method, strings.TrimSpace(fmt.Sprint(i+1, " ", name)), reason)))
		}
	}
	switch method {
	case "tools/list":
		for i, t := range mcp.DecodeTools(result).Items {
			bad(i, t.Name, t.Malformed)
		}
	case "resources/list":
		for i, t := range mcp.DecodeResources(result).Items {
			bad(i, t.Name, t.Malformed)
		}
	case "resources/templates/list":
		for i, t := range mcp.DecodeTemplates(result).Items {
			bad(i, t.Name, t.Malformed)
		}
	case "prompts/list":
		for i, t := range mcp.DecodePrompts(result).Items {
			bad(i, t.Name, t.Malformed)
		}
	}
	return out
}

// flaws turns the flaws of an envelope into findings.
func flaws(ref wire.Ref, h *wire.Head) []Finding {
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
		if h.Flaws&f.flaw != 0 {
			out = append(out, found(f.id, ref, rule(f.id).Title))
		}
	}
	return out
}
