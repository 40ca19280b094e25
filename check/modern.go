package check

import (
	"fmt"
	"slices"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// envelope is what a request of 2026-07-28 says of itself in _meta.
type envelope struct {
	modern bool
	logs   bool // it asks for log messages
	blind  bool // it is too long to be read here: nothing is held against its answer
	// capabilities that the client declares with it
	roots, sampling, elicitation, tasks bool
}

// maxPlain is how many requests without a version are read, where there was no
// handshake, before those after them are taken to have none either.
const maxPlain = 64

// speaks finds out in which era a request of the client speaks. Once initialize was
// sent, requests are not read any more unless that failed.
func (c *Checker) speaks(m *message, a *asked) {
	if m.Method == "initialize" {
		if c.era != modern || !c.confirmed {
			c.era, c.version = legacy, ""
		}
		return
	}
	if c.era == legacy || c.era == unknownEra && c.plain >= maxPlain {
		return
	}
	if m.size > maxRead {
		a.modern, a.logs, a.blind = c.era == modern, true, true
		return
	}
	meta, _ := rawjson.Get(m.raw(), "params", "_meta")
	version, ok := rawjson.Get(meta, mcp.MetaVersion)
	if !ok {
		c.plain++
		return
	}
	a.modern = true
	_, a.logs = rawjson.Get(meta, mcp.MetaLogLevel)
	for _, of := range []struct {
		to   *bool
		path []string
	}{
		{&a.roots, []string{"roots"}}, {&a.sampling, []string{"sampling"}}, {&a.elicitation, []string{"elicitation"}},
		{&a.tasks, []string{"extensions", mcp.TasksExtension}},
	} {
		_, *of.to = rawjson.Get(meta, append([]string{mcp.MetaCapabilities}, of.path...)...)
	}
	if text, ok := rawjson.Unquote(version); ok && (!c.confirmed || c.era != modern) {
		c.era, c.version, c.confirmed = modern, text, false
	}
}

// settle takes from an answer of the server in which era the connection speaks.
func (c *Checker) settle(a *asked, result []byte, failed bool) {
	switch {
	case a.method == "initialize" && failed:
		if c.era == legacy && !c.confirmed {
			c.era = unknownEra
		}
	case a.method == "initialize":
		c.era, c.version, c.confirmed = legacy, mcp.DecodeInitialize(result).ProtocolVersion, true
	case a.method == "server/discover" && !failed && !c.confirmed && onlyLegacy(result):
		c.era, c.version = unknownEra, ""
	case a.modern && !failed && c.era == modern:
		c.confirmed = true
	case a.method == "server/discover" && failed && !c.confirmed && c.era == modern:
		c.era, c.version = unknownEra, ""
	}
}

// onlyLegacy reports whether a server that knows server/discover speaks only versions
// with a handshake, as it may.
func onlyLegacy(discovered []byte) bool {
	versions := mcp.DecodeDiscover(discovered).Supported
	return len(versions) > 0 && !slices.ContainsFunc(versions, func(v string) bool { return !slices.Contains(mcp.Legacy(), v) })
}

// resultType checks what sort of result the answer to a modern request is.
func (a *asked) resultType(m *message, result []byte) []Finding {
	var out []Finding
	spelled, said := rawjson.Get(result, "resultType")
	switch {
	case m.Type == wire.ResultComplete:
		// Of an answer to a probe it is not known whose it is; see mcp.DecodeDiscover.
		if _, is := rawjson.Get(result, "supportedVersions"); result != nil && !said && (is || a.method != "server/discover") {
			out = append(out, found(ResultTypeMissing, m.ref, "the result of "+a.method+" has no resultType"))
		}
	case m.Type == wire.ResultTask && (a.tasks || a.blind) && taskable(a.method):
	case m.Type == wire.ResultTask && a.tasks:
		out = append(out, found(ResultTypeUnknown, m.ref, a.method+" is answered with a task; only tools/call may be"))
	case m.Type == wire.ResultInput:
		return a.inputRequired(m, result)
	case !a.blind:
		out = append(out, found(ResultTypeUnknown, m.ref, fmt.Sprintf("%s is answered with the resultType %.80s", a.method, spelled)))
	}
	return out
}

// taskable reports whether a result may be a task: that of a call, and of the requests
// about tasks, of which an example has it.
func taskable(method string) bool {
	switch method {
	case "tools/call", "tasks/get", "tasks/update", "tasks/cancel":
		return true
	}
	return false
}

func (a *asked) inputRequired(m *message, result []byte) []Finding {
	var out []Finding
	if known, ok := mcp.LookupMethod(a.method); ok && !known.MayAsk {
		out = append(out, found(InputMethod, m.ref, a.method+" is answered with input_required"))
	}
	if result == nil {
		return out
	}
	in := mcp.DecodeInputRequired(result)
	if in.Problem != "" {
		out = append(out, found(InputShape, m.ref, in.Problem))
	}
	for _, q := range in.Requests {
		declared := a.blind
		switch q.Method {
		case "roots/list":
			declared = declared || a.roots
		case "sampling/createMessage":
			declared = declared || a.sampling
		case "elicitation/create":
			declared = declared || a.elicitation
		default:
			continue
		}
		if !declared {
			out = append(out, found(InputCapability, m.ref, fmt.Sprintf("%q is %s, which the request did not declare", q.Key, q.Method)))
		}
	}
	return out
}

// logged checks a log message of the server.
func (c *Checker) logged(m *message) []Finding {
	if c.era != modern || !c.confirmed {
		return nil
	}
	if c.onListen(m) {
		return []Finding{found(ListenTraffic, m.ref, "a log message on the stream of a subscription")}
	}
	shared := true // all messages go over one connection: no saying to which request one belongs
	asksAny := false
	for _, a := range c.asked {
		if a.via == m.via && c.transport == wire.TransportHTTP {
			shared = false
			if !a.logs {
				return []Finding{found(LogUnasked, m.ref, "a log message for "+a.method+", which has no log level")}
			}
		}
		asksAny = asksAny || a.logs
	}
	if shared && c.transport != wire.TransportHTTP && !asksAny {
		return []Finding{found(LogUnasked, m.ref, "a log message, and no open request has a log level")}
	}
	return nil
}
