package client

import (
	"context"
	"errors"
	"slices"
	"time"

	"parley/client/mcp"
	"parley/client/wire"
)

// Connect opens the connection of a new epoch and shakes hands: initialize,
// then notifications/initialized (spec: basic/lifecycle). The newest legacy
// version is offered unless Options.Protocol names one; a counter-offer that we
// know is adopted, any other ends with a [*VersionError]. When the handshake
// fails the connection is closed; the log keeps everything.
//
// If ctx ends during the handshake the connection is ended: initialize is never
// cancelled by a notification.
func (c *Client) Connect(ctx context.Context) error {
	if err := c.open(); err != nil {
		return err
	}
	opt := c.options()
	if opt.NoHandshake {
		return nil
	}
	if err := c.handshake(ctx, &opt); err != nil {
		c.mu.Lock()
		conn := c.conn
		c.mu.Unlock()
		_ = conn.Close(ctx)
		return err
	}
	return nil
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
	c.matcher.Reset()
	c.calls, c.sent, c.byToken = map[wire.Ref]*call{}, map[uint64]*call{}, map[wire.ID]*call{}
	c.taken, c.changed = map[wire.ID]bool{}, map[string]bool{}
	c.nextID, c.shaken, c.info, c.queue = 0, false, mcp.Initialize{}, nil
	c.era, c.envelope = UnknownEra, nil
	c.cache.reset()
	c.mirror.reset()
	c.subscriptions.reset()
	c.declared, c.capabilities = declaredBy(&c.opt), nil
	if !c.opt.NoHandshake {
		c.capabilities = c.declared.capabilities(c.opt.offered())
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

func (c *Client) handshake(ctx context.Context, opt *Options) error {
	offered := opt.offered()
	a, err := c.Request(ctx, "initialize", initializeParams(opt, c.Capabilities()), CallOptions{Force: true})
	var refused mcp.RPCError
	if errors.As(err, &refused) {
		return &HandshakeError{Offered: offered, Err: err}
	}
	if err != nil {
		return err
	}
	raw, err := c.Result(a)
	if err != nil {
		return err
	}
	info := mcp.DecodeInitialize(raw)
	if info.Problem != "" && info.ProtocolVersion == "" {
		return &HandshakeError{Offered: offered, Err: errors.New(info.Problem)}
	}
	if !slices.Contains(mcp.Legacy(), info.ProtocolVersion) {
		return &VersionError{Offered: offered, Answered: info.ProtocolVersion}
	}
	c.mu.Lock()
	c.info, c.shaken = info, true
	c.mu.Unlock()
	_, err = c.Notify(ctx, "notifications/initialized", nil, wire.ByAuto)
	return err
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
		c.settle(draining, conn)
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

// gate holds back what the server did not declare (spec: lifecycle, operation).
func (c *Client) gate(method string, force bool) error {
	if opt := c.options(); force || opt.Force || opt.NoHandshake {
		return nil
	}
	m, known := mcp.LookupMethod(method)
	info, shaken := c.Server()
	if !known || !shaken || m.From == mcp.FromServer || m.Notification {
		return nil
	}
	if need := m.Needs(info.ProtocolVersion); need != "" && !info.Has(need) {
		return &GateError{Method: method, Capability: need}
	}
	return nil
}
