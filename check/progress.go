package check

import (
	"strconv"

	"parley/client/rawjson"
	"parley/client/wire"
)

// tokens are the progress tokens of the requests of one direction.
type tokens struct {
	known map[wire.ID]*reported
	done  []wire.ID // tokens of answered requests, the newest maxDone of them
}

// reported is what was reported under a token.
type reported struct {
	last float64
	any  bool
	done bool
}

// maxDone bounds how many tokens of answered requests are remembered.
const maxDone = 256

func (t *tokens) open(token wire.ID) {
	if t.known == nil {
		t.known = map[wire.ID]*reported{}
	}
	t.known[token] = &reported{}
}

func (t *tokens) close(token wire.ID) {
	p := t.known[token]
	if p == nil || p.done {
		return
	}
	p.done = true
	t.done = append(t.done, token)
	if len(t.done) <= maxDone {
		return
	}
	if old := t.known[t.done[0]]; old != nil && old.done {
		delete(t.known, t.done[0])
	}
	t.done = t.done[1:]
}

// progress checks a progress notification.
func (c *Checker) progress(m *message) []Finding {
	if m.Token.Type != wire.NumberID && m.Token.Type != wire.StringID {
		return []Finding{found(ProgressToken, m.ref, "progress without a token")}
	}
	p := c.tokens[wire.In-m.dir].known[m.Token]
	switch {
	case p == nil:
		return []Finding{found(ProgressToken, m.ref, "progress of "+m.Token.String()+", which no open request has")}
	case p.done:
		return []Finding{found(ProgressToken, m.ref, "progress of "+m.Token.String()+", whose request was answered")}
	}
	var out []Finding
	if c.onListen(m) {
		out = append(out, found(ListenTraffic, m.ref, "progress on the stream of a subscription"))
	}
	if m.size > maxRead {
		return out
	}
	spelled, _ := rawjson.Get(m.raw(), "params", "progress")
	value, err := strconv.ParseFloat(string(spelled), 64)
	if err != nil {
		return out
	}
	if p.any && value <= p.last {
		out = append(out, found(ProgressOrder, m.ref, "progress is "+number(value)+" after "+number(p.last)))
	}
	p.last, p.any = value, true
	return out
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
