package demo

import (
	"bytes"
	"encoding/json"

	"parley/client/mcp"
)

// batch collects the answers to the requests of one batch, which is one line
// too. Only 2025-03-26 has batches; before a handshake they are taken as well.
// A nil batch is a message on its own.
type batch struct {
	missing int // answers to come, and one while the batch is being read
	answers [][]byte
}

// expect counts one more answer to come.
func (f *front) expect(b *batch) {
	if b != nil {
		f.mu.Lock()
		b.missing++
		f.mu.Unlock()
	}
}

// batch deals with a line that is a JSON array.
func (f *front) batch(raw []byte) {
	f.journal.received(raw)
	f.mu.Lock()
	version := f.session.version
	f.mu.Unlock()
	var members []json.RawMessage
	switch {
	case version != "" && version != mcp.V20250326:
		f.refuse(invalid(nil, "protocol "+version+" has no batches"), nil)
		return
	case json.Unmarshal(raw, &members) != nil || len(members) == 0:
		f.refuse(invalid(nil, "a batch has at least one message"), nil)
		return
	}
	b := &batch{missing: 1}
	for _, m := range members {
		if e, bad := open(m); bad != nil {
			f.refuse(bad, b)
		} else {
			f.message(e, b)
		}
	}
	f.put(b, nil)
}

// put adds an answer to its batch, or nothing, and writes the batch when that
// was the last.
func (f *front) put(b *batch, line []byte) {
	f.mu.Lock()
	if line != nil {
		b.answers = append(b.answers, line)
	}
	b.missing--
	over := b.missing == 0 && len(b.answers) > 0
	f.mu.Unlock()
	if over {
		f.write(append(append([]byte{'['}, bytes.Join(b.answers, []byte{','})...), ']'))
	}
}
