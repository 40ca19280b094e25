package history

import "parley/client/wire"

// event applies what the connection did.
func (s *State) event(r *Record) {
	switch r.Method {
	case wire.EventConnected:
		s.connected(r)
	case wire.EventExited:
		s.over()
		s.exit = exit{seq: r.Seq, signal: r.Name}
		if r.ID.Type == wire.NumberID {
			code := int(r.ID.Num)
			s.exit.code = &code
		}
		if s.phase != Closed {
			s.phase = Exited
		}
	case wire.EventDisconnected:
		s.over()
		if s.phase != Closed {
			s.exit = exit{seq: r.Seq}
			s.phase = Disconnected
		}
	case wire.EventClosed:
		// A server may still answer while it ends; such an answer counts.
		s.over()
		if s.phase != Exited && s.phase != Disconnected {
			s.phase = Closed
		}
	case wire.EventWriteFailed, wire.EventLost:
		s.endAll(uint64(r.Token.Num), Lost)
	case wire.EventAbandoned:
		s.endAll(uint64(r.Token.Num), Cancelled)
	case wire.EventReconnecting:
		s.broken(r.Via)
	case wire.EventSwitched:
		s.transport = r.Name
	case wire.EventExpired:
		s.expired(r)
	}
}

// connected begins an epoch.
func (s *State) connected(r *Record) {
	s.over()
	s.matcher.Reset()
	s.named, s.tokens = [2]map[uint64]place{}, [2]map[uint64]place{}
	s.wants, s.uris = nil, nil
	s.phase, s.exit, s.began = Connected, exit{}, r.Seq
	s.transport, s.hand, s.modern = r.Name, 0, false
	s.epoch++
	if r.ID.Type == wire.NumberID {
		s.epoch = int(r.ID.Num)
	}
}

// over ends all that was waited for.
func (s *State) over() {
	s.exchanges.lose()
	s.listens, s.streams = nil, nil
}

// endAll ends the requests of a frame that wait for an answer.
func (s *State) endAll(seq uint64, status Status) {
	frame := placeOf(wire.Ref{Seq: seq})
	for i := s.exchanges.from(frame); i < len(s.exchanges.list); i++ {
		e := &s.exchanges.list[i]
		if !e.request.within(frame) {
			break
		}
		if e.status == Pending {
			s.end(e, status)
		}
	}
}

// expired forgets what the server forgot with its session: the connection stands, and
// what was listed may have changed until a new initialize is answered.
func (s *State) expired(r *Record) {
	s.endAll(uint64(r.Token.Num), Lost)
	s.uris, s.streams = nil, nil
	s.began = r.Seq
	if s.phase == Ready || s.phase == Handshaking {
		s.phase = Connected
	}
}
