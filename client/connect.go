package client

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"parley/client/mcp"
	"parley/client/rawjson"
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
	if c.opt.NoHandshake {
		return nil
	}
	if err := c.handshake(ctx); err != nil {
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
	epoch := c.epoch
	c.mu.Unlock()

	conn, err := c.dial(tap{c, epoch}, epoch)
	if err != nil {
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
	go c.watch(conn, epoch)
	return nil
}

// watch ends the open calls when their connection does.
func (c *Client) watch(conn Conn, epoch int) {
	<-conn.Done()
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

func (c *Client) handshake(ctx context.Context) error {
	offered := c.opt.Protocol
	if offered == "" {
		offered = mcp.LatestLegacy
	}
	a, err := c.Request(ctx, "initialize", c.initializeParams(offered), CallOptions{Force: true})
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

// initializeParams declares exactly what this client answers.
func (c *Client) initializeParams(version string) json.RawMessage {
	b := append([]byte(`{"protocolVersion":`), rawjson.Quote(nil, version)...)
	b = append(b, `,"capabilities":{`...)
	comma := ""
	for _, f := range []struct {
		name string
		on   bool
	}{{"roots", len(c.opt.Roots) > 0}, {"sampling", c.opt.Sample != PolicyNone}, {"elicitation", c.opt.Elicit != PolicyNone}} {
		if f.on {
			b = append(b, comma+`"`+f.name+`":{}`...)
			comma = ","
		}
	}
	b = append(b, `},"clientInfo":{"name":`...)
	b = rawjson.Quote(b, c.opt.Name)
	b = append(b, `,"version":`...)
	b = rawjson.Quote(b, c.opt.Version)
	return append(b, `}}`...)
}

// Close answers what was asked, as far as the server reads it within a second,
// closes the server's input and ends the connection in order. It returns when the connection has ended; ctx ending
// makes that happen at once.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	conn, q := c.conn, c.queue
	c.mu.Unlock()
	if conn == nil {
		return nil
	}
	if q != nil { // it is nil after a connection that could not be had
		draining, cancel := context.WithTimeout(ctx, drainTime)
		defer cancel()
		q.drained(draining)
	}
	return conn.Close(ctx)
}

// drainTime is how long Close waits for a server to read what was posted.
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
	if force || c.opt.Force || c.opt.NoHandshake {
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
