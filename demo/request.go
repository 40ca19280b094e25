package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/client/mcp"
)

// session is what holds for all requests after a handshake, or before the
// first one. A request that brings its protocol version has one of its own.
type session struct {
	version      string // that was agreed on; "" before a handshake
	capabilities map[string]json.RawMessage
	level        string          // of log messages, the least severe to send; "" is none
	uris         map[string]bool // subscribed to
}

// newSession returns one without capabilities, which logs until the client
// chooses another level.
func newSession(version string) *session {
	return &session{version: version, level: "info", uris: map[string]bool{}}
}

// declares reports whether the client can do something.
func (s *session) declares(capability string) bool {
	raw, ok := s.capabilities[capability]
	if !ok || string(raw) == "null" {
		return false
	}
	if capability == "elicitation" { // forms, which an empty object stands for too
		var modes map[string]json.RawMessage
		_ = json.Unmarshal(raw, &modes) // anything else names no mode
		return modes["url"] == nil || modes["form"] != nil
	}
	return true
}

// request is a request that the world serves.
type request struct {
	*front
	id      json.RawMessage
	method  string
	params  map[string]json.RawMessage
	meta    map[string]json.RawMessage // the _meta of params
	session *session
	modern  bool          // of 2026-07-28: it needs no handshake
	ttl     time.Duration // for which its result may be kept
}

// versions are those that the world speaks, newest first.
func (w *world) versions() []string {
	if w.Modern {
		return slices.Concat(mcp.Modern(), mcp.Legacy())
	}
	return mcp.Legacy()
}

// receive reads what a request says about itself. With an error the request is
// good for answering it.
func (f *front) receive(e envelope) (*request, error) {
	f.mu.Lock()
	r := &request{front: f, id: e.id, method: e.method, session: f.session}
	f.mu.Unlock()
	_ = json.Unmarshal(e.params, &r.params) // an object, or nothing
	if raw := r.params["_meta"]; raw != nil && json.Unmarshal(raw, &r.meta) != nil {
		return r, f.world.invalidParams("_meta must be an object")
	}
	version, _ := stringOf(r.meta[mcp.MetaVersion])
	r.modern = version > mcp.LatestLegacy
	if err := f.world.serves(r.method, r.modern); err != nil {
		return r, err
	}
	if r.modern {
		return r, r.introduce(version)
	}
	return r, nil
}

// introduce reads the envelope of a modern request.
func (r *request) introduce(version string) error {
	r.session = &session{}
	if json.Unmarshal(r.meta[mcp.MetaCapabilities], &r.session.capabilities) != nil || r.session.capabilities == nil {
		return missingMeta(mcp.MetaCapabilities)
	}
	var info map[string]json.RawMessage
	if raw := r.meta[mcp.MetaClientInfo]; raw != nil && json.Unmarshal(raw, &info) != nil {
		return missingMeta(mcp.MetaClientInfo)
	}
	if raw := r.meta[mcp.MetaLogLevel]; raw != nil {
		r.session.level, _ = stringOf(raw)
		if !slices.Contains(mcp.LogLevels(), r.session.level) {
			return missingMeta(mcp.MetaLogLevel)
		}
	}
	if supported := r.world.versions(); !slices.Contains(supported, version) {
		return &rpcError{Code: mcp.CodeUnsupportedVersion, Message: "unsupported protocol version", Data: plainJSON(struct {
			Supported []string `json:"supported"`
			Requested string   `json:"requested"`
		}{supported, version})}
	}
	return nil
}

func missingMeta(key string) error {
	return &rpcError{Code: mcp.CodeInvalidParams, Message: fmt.Sprintf("missing or invalid _meta field %q", key)}
}

// serves returns the error for a method that the world does not have in that
// era. What its capabilities do not name is unknown to it, as to the tutorials'
// servers.
func (w *world) serves(method string, modern bool) error {
	era := mcp.LatestLegacy
	if modern && w.Modern {
		era = mcp.V20260728
	}
	m, _ := mcp.LookupMethod(method)
	switch {
	case methods[method] == nil, !w.declares(m.Capability):
	case m.In(era):
		return nil
	case w.Modern && !modern: // server/discover and the like, without the envelope
		return missingMeta(mcp.MetaVersion)
	}
	return w.fault(mcp.CodeMethodNotFound, "")
}

// declares reports whether the world has a capability such as "resources" or
// "resources.subscribe"; it has none by the name "".
func (w *world) declares(capability string) bool {
	name, part, divided := strings.Cut(capability, ".")
	raw, ok := w.declared[name]
	if !divided {
		return ok || name == ""
	}
	return string(raw[part]) == "true"
}

// lengthy says which requests are not waited for: they last as long as they
// are told to, or until the client answers a question.
func (r *request) lengthy() bool {
	name, _ := stringOf(r.params["name"])
	return r.method == "tools/call" && tools[name].lengthy
}

// errOpen is returned by a method that is not answered as long as it lasts.
var errOpen = errors.New("the request stays open")

// inputRequired is the error of a modern request that cannot be answered before
// the client sends it again with an answer to this question.
type inputRequired struct {
	Method string `json:"method"`
	Params any    `json:"params"`
}

func (q *inputRequired) Error() string { return q.Method + " is to be answered first" }

// theAnswer is the key of the only question that a round has.
const theAnswer = "answer"

// ask asks the client, by a request after a handshake and otherwise in rounds,
// and decodes its answer.
func (r *request) ask(ctx context.Context, answer any, method string, params any) error {
	if r.modern {
		return r.round(answer, method, params)
	}
	got, err := r.front.ask(ctx, method, params)
	if err == nil && json.Unmarshal(got, answer) != nil {
		err = errors.New("the client's answer has another shape")
	}
	if err != nil {
		return fmt.Errorf("multi-round-trip: fulfilling input request %q: calling %q: %w", theAnswer, method, err)
	}
	return nil
}

// round finds the answer in the request, or returns what is to be asked.
func (r *request) round(answer any, method string, params any) error {
	var given map[string]json.RawMessage
	if raw := r.params["inputResponses"]; raw != nil && json.Unmarshal(raw, &given) != nil {
		return r.world.invalidParams("inputResponses must be an object")
	}
	if raw := r.params["requestState"]; raw != nil && !sameScalar(raw, plainJSON(stateOf(method))) {
		return r.world.invalidParams("requestState is not the one that came with the question")
	}
	raw, ok := given[theAnswer]
	if !ok {
		return &inputRequired{method, params}
	}
	if json.Unmarshal(raw, answer) != nil {
		return r.world.invalidParams("inputResponses." + theAnswer + " is no answer to " + method)
	}
	return nil
}

// stateOf is what a client sends back with its answer. This server could do
// without, but a client should be seen to do it.
func stateOf(method string) string { return "asked " + method }

// resultHead is what each result of 2026-07-28 begins with.
type resultHead struct {
	Type string `json:"resultType"`
	Meta struct {
		Server       json.RawMessage `json:"io.modelcontextprotocol/serverInfo"`
		Subscription json.RawMessage `json:"io.modelcontextprotocol/subscriptionId,omitempty"`
	} `json:"_meta"`
	TTL   *int64 `json:"ttlMs,omitempty"`
	Scope string `json:"cacheScope,omitempty"`
}

// answer builds the line that answers the request, or nil for none.
func (r *request) answer(result any, err error) []byte {
	head := resultHead{Type: "complete"}
	var question *inputRequired
	switch {
	case errors.Is(err, errOpen):
		return nil
	case errors.As(err, &question):
		head.Type = "input_required"
		result = map[string]any{"inputRequests": map[string]any{theAnswer: question}, "requestState": stateOf(question.Method)}
	case err != nil:
		wire := rpcError{Code: mcp.CodeInternal, Message: err.Error()}
		if coded := (*rpcError)(nil); errors.As(err, &coded) {
			wire.Code, wire.Data = coded.Code, coded.Data
		}
		return answer(r.id, "error", plainJSON(wire))
	}
	body := plainJSON(result)
	if !r.modern {
		return answer(r.id, "result", body)
	}
	head.Meta.Server = r.world.ServerInfo
	if r.method == "subscriptions/listen" {
		head.Meta.Subscription = r.id
	}
	if m, _ := mcp.LookupMethod(r.method); m.Cacheable {
		ttl := r.ttl.Milliseconds()
		head.TTL, head.Scope = &ttl, "public"
	}
	return answer(r.id, "result", join(plainJSON(head), body))
}

// join makes one object of two, the first of which is not empty.
func join(a, b []byte) []byte {
	if string(b) == "{}" {
		return a
	}
	return append(append(a[:len(a)-1], ','), b[1:]...)
}

// stringOf reads a JSON text.
func stringOf(raw json.RawMessage) (s string, ok bool) {
	return s, len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
}
