package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"parley/client/mcp"
	"parley/client/wire"
)

// objection is why a server refused a request that it did not do.
type objection uint8

const (
	toSession objection = 1 << iota // it does not know the HTTP session any more
	toVersion                       // it does not speak the version of a modern request
	toHeader                        // a header field and the body of a modern request differ
)

// objects finds an objection in what came of a request. One that was on its way when
// its session ended went out without any, and was refused for that.
func (c *Client) objects(k *call, err error) objection {
	if err == nil {
		return 0
	}
	var expired *wire.SessionError
	if errors.As(err, &expired) {
		return toSession
	}
	refused, ok := refusal(err)
	c.mu.Lock()
	era, gone := c.era, c.expired || k.session != c.session
	c.mu.Unlock()
	var bare *wire.HTTPError
	switch {
	case gone && errors.As(err, &bare) && !bare.Session && bare.Status == http.StatusBadRequest:
		return toSession
	case !ok:
		return 0
	case gone && aboutSession(refused.Message):
		return toSession
	case era == Modern && refused.Code == mcp.CodeUnsupportedVersion:
		return toVersion
	case era == Modern && refused.Code == mcp.CodeHeaderMismatch:
		return toHeader
	}
	return 0
}

func aboutSession(message string) bool {
	message = strings.ToLower(message)
	return strings.Contains(message, "session") || strings.Contains(message, "initializ")
}

// mend does what the server wants; it reports whether the request is worth being sent
// again.
func (p *Pending) mend(ctx context.Context, o objection, err error) (again bool, failed error) {
	switch o {
	case toSession:
		p.c.mu.Lock()
		session := p.call.session
		p.c.mu.Unlock()
		return true, p.c.renew(ctx, session)
	case toVersion:
		refused, _ := refusal(err)
		return true, p.c.otherVersion(refused)
	}
	return p.c.repair(ctx, p), nil
}

// otherVersion goes on in the newest version that a server names which refused ours
// (spec: 2026-07-28, basic/versioning, negotiation).
func (c *Client) otherVersion(refused mcp.RPCError) error {
	c.mu.Lock()
	opt, info, discovered := c.opt, c.info, c.discovered
	c.mu.Unlock()
	have := ours(info.ProtocolVersion)
	version := newestOf(have, refused.Supported())
	if version == "" {
		return &VersionError{Offered: have, Supported: refused.Supported()}
	}
	if version != info.ProtocolVersion {
		info.ProtocolVersion = version
		info.Supported = slices.Clone(refused.Supported())
		c.propose(&opt, Modern, version)
		c.settle(Modern, info, discovered)
	}
	return nil
}

// doubt adds to a refusal that the era may be the wrong one, where the server never
// answered anything in it.
func (c *Client) doubt(err error) error {
	var refused mcp.RPCError
	if !errors.As(err, &refused) || modernCode(refused.Code) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.era != Modern || c.discovered || c.heardOf || c.opt.NoHandshake {
		return err
	}
	return &EraError{Err: err, Other: Legacy}
}

// prolong is a context for what is done between two requests of an exchange, of which
// none is open then; cancelling the first, which has that number, ends it.
func (c *Client) prolong(ctx context.Context, first uint64) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	waits := c.waits // of this epoch
	outer := waits[first]
	waits[first] = cancel
	c.mu.Unlock()
	return ctx, func() {
		c.mu.Lock()
		if waits[first] = outer; outer == nil {
			delete(waits, first)
		}
		c.mu.Unlock()
		cancel(nil)
	}
}
