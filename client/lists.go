package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// ListMethods are the lists of the catalogue, in the order in which they are asked for.
var ListMethods = []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"}

// maxPages bounds a listing whose cursors never repeat and never end.
const maxPages = 10000

// List asks for all pages of a list (spec: server/utilities/pagination) and
// returns an answer a page. A cursor that was given before ends it with a
// [*CursorError]; the pages so far are returned with any error. Pages that still count
// are not asked for again; where a cursor of theirs does not count any more, the list
// is begun anew.
func (c *Client) List(ctx context.Context, method string, opt CallOptions) ([]Answer, error) {
	pages, err := c.pages(ctx, method, opt)
	if err == nil && method == "tools/list" {
		c.mu.Lock()
		c.mirror.listed = true
		c.mu.Unlock()
	}
	if !c.deadCursor(method, pages, err) {
		return pages, err
	}
	c.Announce(fmt.Sprintf("a cursor of %s does not count any more: listed anew", method))
	opt.Fresh = true
	return c.pages(ctx, method, opt)
}

// deadCursor reports whether a further page was refused after pages that were not asked
// for now. Whenever one is refused, no page counts any more.
func (c *Client) deadCursor(method string, pages []Answer, err error) bool {
	var refused mcp.RPCError
	if !errors.As(err, &refused) || len(pages) < 2 {
		return false
	}
	c.mu.Lock()
	c.stale(method, "")
	c.mu.Unlock()
	return slices.ContainsFunc(pages, func(a Answer) bool { return !a.Cached.IsZero() })
}

func (c *Client) pages(ctx context.Context, method string, opt CallOptions) ([]Answer, error) {
	var pages []Answer
	var params json.RawMessage
	seen := map[string]bool{}
	for len(pages) < maxPages {
		a, err := c.Request(ctx, method, params, opt)
		if a.Response.Seq != 0 {
			pages = append(pages, a)
		}
		if err != nil || !a.Head.Next {
			return pages, err
		}
		result, err := c.Result(a)
		if err != nil {
			return pages, err
		}
		cursor, _ := rawjson.Get(result, "nextCursor")
		text, _ := rawjson.Unquote(cursor)
		if seen[text] {
			return pages, &CursorError{Method: method, Cursor: text, Pages: len(pages)}
		}
		seen[text] = true
		params = append(append(json.RawMessage(`{"cursor":`), cursor...), '}')
	}
	return pages, &CursorError{Method: method, Cursor: "…", Pages: len(pages)}
}

// HandsOff reports whether nothing is to be sent that nobody asked for: the
// client was told to leave the handshake to others.
func (c *Client) HandsOff() bool { return c.opt.NoHandshake }

// Declared gives the lists that the server declared to have; none when nothing
// is to be sent by itself.
func (c *Client) Declared() []string {
	if c.HandsOff() {
		return nil
	}
	var out []string
	for _, m := range ListMethods {
		if c.gate(m, false) == nil {
			out = append(out, m)
		}
	}
	return out
}

// CallParams are the params of tools/call; arguments is a JSON value or nil.
func CallParams(name string, arguments json.RawMessage) json.RawMessage {
	return named("name", name, arguments)
}

// PromptParams are the params of prompts/get; arguments is a JSON value or nil.
func PromptParams(name string, arguments json.RawMessage) json.RawMessage {
	return named("name", name, arguments)
}

// ReadParams are the params of resources/read.
func ReadParams(uri string) json.RawMessage { return named("uri", uri, nil) }

func named(key, value string, arguments json.RawMessage) json.RawMessage {
	b := make([]byte, 0, 32+len(key)+len(value)+len(arguments))
	b = append(append(append(b, `{"`...), key...), `":`...)
	b = rawjson.Quote(b, value)
	if len(arguments) > 0 {
		b = append(b, `,"arguments":`...)
		b = append(b, arguments...)
	}
	return append(b, '}')
}

// Ping asks for a sign of life.
func (c *Client) Ping(ctx context.Context) (Answer, error) {
	return c.Request(ctx, "ping", nil, CallOptions{By: wire.ByForm})
}
