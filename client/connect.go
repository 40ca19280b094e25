package client

import (
	"context"
	"errors"
	"time"

	"parley/client/mcp"
	"parley/client/wire"
)

// Connect opens the connection of a new epoch and finds out how the server is spoken
// to, as Options.Protocol says (spec: basic/versioning; legacy basic/lifecycle): by
// initialize and notifications/initialized, or by requests that each say everything,
// of which server/discover is the first. When that fails the connection is closed; the
// log keeps everything.
//
// A counter-offer of a legacy server that we know is adopted, any other ends with a
// [*VersionError]. If ctx ends meanwhile the connection is ended: initialize is never
// cancelled by a notification.
func (c *Client) Connect(ctx context.Context) error {
	if err := c.open(); err != nil {
		return err
	}
	opt := c.options()
	era, version := opt.wanted()
	if opt.NoHandshake {
		if era == Modern { // which needs none
			c.propose(&opt, Modern, version)
			c.settle(Modern, mcp.Initialize{ProtocolVersion: version}, false)
			return nil
		}
		c.mu.Lock()
		conn := c.conn
		c.mu.Unlock()
		if a, ok := conn.(agreer); ok { // for modern messages that are typed
			a.Agree(wire.Agreement{Fields: c.fields})
		}
		return nil
	}
	err := c.handshake(ctx, &opt, era, version)
	if err != nil {
		c.mu.Lock()
		conn := c.conn
		c.mu.Unlock()
		_ = conn.Close(ctx)
		return err
	}
	if era == UnknownEra {
		c.mu.Lock()
		c.opt.Guess = c.era // for the next epoch
		c.mu.Unlock()
	}
	c.began(ctx)
	return nil
}

func (c *Client) handshake(ctx context.Context, opt *Options, era Era, version string) error {
	switch era {
	case Legacy:
		return unfit(c.initialize(ctx, opt, version), Modern)
	case Modern:
		return unfit(c.discover(ctx, opt, version), Legacy)
	}
	return c.detect(ctx, opt)
}

// unfit adds to a bare refusal of HTTP that the other era may be the right one.
func unfit(err error, other Era) error {
	var refused *wire.HTTPError
	var handshake *HandshakeError
	if errors.As(err, &refused) && !errors.As(err, &handshake) && !outside(err) {
		return &EraError{Err: err, Other: other}
	}
	return err
}

// open dials and starts what serves the connection.
func (c *Client) open() error {
	c.mu.Lock()
	if c.conn != nil {
		select {
		case <-c.conn.Done():
		default:
			c.mu.Unlock()
			return errors.New("connected already")
		}
	}
	c.epoch++
	c.strand()
	c.matcher.Reset()
	c.calls, c.sent, c.byToken = map[wire.Ref]*call{}, map[uint64]*call{}, map[wire.ID]*call{}
	c.taken, c.changed = map[wire.ID]bool{}, map[string]bool{}
	c.nextID, c.shaken, c.info, c.queue = 0, false, mcp.Initialize{}, nil
	c.era, c.discovered, c.heardOf, c.envelope = UnknownEra, false, false, nil
	c.session, c.expired, c.renewal, c.waits = 0, false, nil, map[uint64]context.CancelCauseFunc{}
	c.cache.reset()
	c.mirror.reset()
	c.subscriptions.reset()
	c.declared, c.capabilities = declared{}, nil
	if c.opt.NoHandshake {
		c.declared = declaredByHand(&c.opt)
	}
	if c.end != nil {
		c.end(ErrClosed) // answers to the connection before this one
	}
	alive, end := context.WithCancelCause(context.Background())
	c.alive, c.end, c.questions = alive, end, nil
	epoch := c.epoch
	c.mu.Unlock()

	conn, err := c.dial(tap{c, epoch}, epoch)
	if err != nil {
		end(ErrClosed)
		return err
	}
	q := newQueue(conn)
	c.mu.Lock()
	c.conn = conn
	early := c.queue // answers to what the server asked before dial returned
	c.queue = q
	c.mu.Unlock()
	if early != nil {
		for _, o := range early.items {
			q.add(o)
		}
	}
	go q.run()
	go c.watch(conn, epoch, end)
	return nil
}

// strand ends the calls of the connection before, with c.mu held: watch may come too
// late for them.
func (c *Client) strand() {
	if len(c.calls) == 0 {
		return
	}
	err := c.conn.Err()
	if err == nil {
		err = ErrClosed
	}
	for _, k := range c.calls {
		k.finish(err)
	}
}

// watch ends the open calls, and the answering of questions, when their
// connection ends.
func (c *Client) watch(conn Conn, epoch int, end context.CancelCauseFunc) {
	<-conn.Done()
	end(ErrClosed)
	err := conn.Err()
	if err == nil {
		err = ErrClosed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.epoch != epoch {
		return
	}
	for _, k := range c.calls {
		k.finish(err)
	}
	clear(c.calls)
	clear(c.byToken)
}

// Close answers what was asked, as far as the responders answer and the server
// reads it within a second, closes the server's input and ends the connection in
// order. It returns when the connection has ended; ctx ending makes that happen
// at once.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	conn, q, end := c.conn, c.queue, c.end
	c.mu.Unlock()
	if conn == nil {
		return nil
	}
	if q != nil { // it is nil after a connection that could not be had
		draining, cancel := context.WithTimeout(ctx, drainTime)
		defer cancel()
		c.drainQuestions(draining, conn)
		q.drained(draining)
	}
	end(ErrClosed) // what is still being answered comes too late
	return conn.Close(ctx)
}

// drainTime is how long Close waits for responders and for a server to read what
// was posted.
const drainTime = time.Second

// Restart ends the connection, if there is one, and connects again in a new epoch.
func (c *Client) Restart(ctx context.Context) error {
	if err := c.Close(ctx); err != nil {
		var ended interface{ Word() string } // how the old one ended does not matter now
		if !errors.As(err, &ended) {
			return err
		}
	}
	return c.Connect(ctx)
}

// gate holds back what the version does not have and what the server did not declare
// (spec: lifecycle, operation).
func (c *Client) gate(method string, force bool) error {
	if force {
		return nil
	}
	m, known := mcp.LookupMethod(method)
	c.mu.Lock()
	info, shaken, silent := c.info, c.shaken, c.era == Modern && !c.discovered
	free := c.opt.Force || c.opt.NoHandshake
	c.mu.Unlock()
	if free || !known || !shaken || m.From == mcp.FromServer || m.Notification {
		return nil
	}
	if version := info.ProtocolVersion; mcp.KnownVersion(version) && !m.In(version) && m.Extension == "" {
		return &GateError{Method: method, Version: version}
	}
	if silent { // what it has was never said
		return nil
	}
	if need := m.Needs(info.ProtocolVersion); need != "" && !info.Has(need) {
		return &GateError{Method: method, Capability: need}
	}
	return nil
}
