package client

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"parley/client/mcp"
	"parley/client/wire"
)

// How long a server may be silent when it is asked for its era: those of before
// 2026-07-28 need not answer what they do not know. Over HTTP they do, and some take
// their time to start.
const (
	probeTime     = 5 * time.Second
	probeTimeHTTP = 15 * time.Second
)

// probeTime is how long a probe waits on this connection.
func (c *Client) probeTime(opt *Options) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.conn.(agreer); ok {
		return min(probeTimeHTTP, opt.Timeout)
	}
	return min(probeTime, opt.Timeout)
}

// initialize shakes hands as the legacy versions do.
func (c *Client) initialize(ctx context.Context, opt *Options, version string) error {
	c.propose(opt, Legacy, version)
	_, raw, err := c.exchange(ctx, "initialize", initializeParams(opt, version, c.Capabilities()), CallOptions{})
	if _, refused := refusal(err); refused && !outside(err) {
		return &HandshakeError{Offered: version, Err: err}
	}
	if err != nil {
		return err
	}
	info := mcp.DecodeInitialize(raw)
	if info.Problem != "" && info.ProtocolVersion == "" {
		return &HandshakeError{Offered: version, Err: errors.New(info.Problem)}
	}
	if !slices.Contains(mcp.Legacy(), info.ProtocolVersion) {
		return &VersionError{Offered: []string{version}, Supported: []string{info.ProtocolVersion}}
	}
	c.settle(Legacy, info, false)
	_, err = c.notify(ctx, "notifications/initialized", nil, wire.ByAuto)
	var refused *wire.HTTPError
	var expired *wire.SessionError
	if errors.As(err, &refused) && !errors.As(err, &expired) && !outside(err) {
		c.Announce("notifications/initialized: " + err.Error() + ": going on")
		return nil // some servers take only requests
	}
	return err
}

// discover begins a modern connection that was asked for: a server that does not know
// server/discover is spoken to all the same.
func (c *Client) discover(ctx context.Context, opt *Options, version string) error {
	info, err := c.negotiate(ctx, opt, version, CallOptions{})
	var differ *VersionError
	var unusable *notDiscovered
	refused, isRefusal := refusal(err)
	switch {
	case err == nil:
		c.settle(Modern, info, true)
		return nil
	case errors.As(err, &differ):
		return err
	case outside(err):
		return c.ended(err)
	case errors.As(err, &unusable), isRefusal && (refused.Code == mcp.CodeMethodNotFound || modernCode(refused.Code)):
		c.settle(Modern, info, false)
		c.Announce("server/discover: " + err.Error() + ": going on without knowing what the server has; one of 2025-11-25 or before wants --protocol legacy")
		return nil
	case isRefusal:
		return &HandshakeError{Method: "server/discover", Offered: version, Err: err}
	}
	return err
}

// detect finds out the era of a server (spec: 2026-07-28, basic/versioning and the
// backward compatibility of the transports): server/discover is asked for first, unless
// the server was known to be legacy, and initialize follows when that was not the
// answer of a modern one, whatever else it was.
func (c *Client) detect(ctx context.Context, opt *Options) error {
	var refused error
	if opt.Guess == Legacy {
		refused = c.initialize(ctx, opt, mcp.LatestLegacy)
		if refused == nil || outside(refused) || isTimeout(refused) {
			return refused
		}
	}
	probe := CallOptions{By: wire.ByProbe, Timeout: c.probeTime(opt)}
	if opt.Guess == Modern {
		probe.By = wire.ByAuto
	}
	info, err := c.negotiate(ctx, opt, mcp.Modern()[0], probe)
	legacy, isModern := mcp.LatestLegacy, err == nil
	var differ *VersionError
	switch {
	case errors.As(err, &differ):
		if legacy = newestOf(mcp.Legacy(), differ.Supported); legacy == "" {
			return err
		}
	case err != nil && outside(err):
		return c.ended(err)
	default:
		if e, ok := refusal(err); ok && modernCode(e.Code) {
			isModern = true
		}
	}
	if isModern {
		if refused != nil {
			c.Announce("the server refused initialize and speaks " + info.ProtocolVersion + ": going on with that")
		}
		c.settle(Modern, info, err == nil)
		return nil
	}
	if refused != nil {
		return refused
	}
	return c.afterProbe(ctx, opt, legacy, err)
}

// afterProbe goes on with initialize; unknown is what the probe brought instead of an
// answer that says modern.
func (c *Client) afterProbe(ctx context.Context, opt *Options, version string, unknown error) error {
	late := isTimeout(unknown)
	switch {
	case late:
		c.Announce(unknown.Error() + ": going on with initialize; --protocol legacy does not ask")
	case opt.Guess == Modern:
		c.Announce("the server is not as modern as it was (" + unknown.Error() + "): going on with initialize")
	}
	refused := c.initialize(ctx, opt, version)
	var neither *HandshakeError
	if errors.As(refused, &neither) && unknown != nil {
		neither.Probed = unknown
	}
	if refused == nil || !late || outside(refused) || isTimeout(refused) {
		return refused
	}
	// A modern server that took long to start: it reads by now.
	info, err := c.negotiate(ctx, opt, mcp.Modern()[0], CallOptions{By: wire.ByProbe})
	if err != nil {
		return refused
	}
	c.settle(Modern, info, true)
	c.Announce("the server refused initialize and speaks " + info.ProtocolVersion + ": going on with that")
	return nil
}

// negotiate asks a server what it has, in a modern version. A server that names the
// versions it has instead is asked again in the newest that we have too; without one
// the error is a [*VersionError]. What is returned has the version tried last, also
// with an error.
func (c *Client) negotiate(ctx context.Context, opt *Options, version string, call CallOptions) (mcp.Initialize, error) {
	have := ours(version)
	for tries := 0; ; tries++ {
		c.propose(opt, Modern, version)
		info, seq, err := c.askDiscover(ctx, call)
		info.ProtocolVersion = version
		supported := info.Supported
		if e, ok := refusal(err); ok && (e.Code == mcp.CodeUnsupportedVersion || len(e.Supported()) > 0) {
			if supported = e.Supported(); tries > 0 {
				return info, &VersionError{Offered: have, Supported: supported}
			}
		} else if err != nil {
			return info, err
		}
		next := newestOf(have, supported)
		switch {
		case next == "":
			return info, &VersionError{Offered: have, Supported: supported}
		case err == nil:
			if next != version {
				c.propose(opt, Modern, next)
				info.ProtocolVersion = next
			}
			return info, nil
		}
		version, call.Of = next, seq
	}
}

func (c *Client) askDiscover(ctx context.Context, call CallOptions) (info mcp.Initialize, seq uint64, err error) {
	a, raw, err := c.exchange(ctx, "server/discover", nil, call)
	if err != nil {
		return info, a.Request.Seq, err
	}
	info = mcp.DecodeDiscover(raw)
	if len(info.Supported) == 0 {
		return mcp.Initialize{}, a.Request.Seq, &notDiscovered{info.Problem}
	}
	return info, a.Request.Seq, nil
}

// exchange sends a request of a handshake and waits for its result.
func (c *Client) exchange(ctx context.Context, method string, params json.RawMessage, call CallOptions) (Answer, []byte, error) {
	p, err := c.dispatch(ctx, method, params, call)
	if err != nil {
		return Answer{}, nil, err
	}
	a, err := c.wait(ctx, p.call, call.Timeout)
	if err != nil {
		return a, nil, err
	}
	raw, err := c.Result(a)
	return a, raw, err
}

// ended says what a server was asked that ended instead of answering.
func (c *Client) ended(err error) error {
	c.mu.Lock()
	conn := c.conn
	c.mu.Unlock()
	select {
	case <-conn.Done():
		return &ProbeError{Err: err}
	default:
		return err
	}
}
