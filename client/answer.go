package client

import (
	"net/url"
	"path/filepath"

	"parley/client/rawjson"
	"parley/client/wire"
)

// asked answers a request of the server, with c.mu held, in the goroutine that
// read it: the answer is only queued here. What was not declared is -32601
// (spec: client/roots, sampling, elicitation; basic/utilities/ping).
func (c *Client) asked(f *wire.Frame, h *wire.Head) {
	if h.ID.Type != wire.NumberID && h.ID.Type != wire.StringID {
		return // no legal id to answer to; the finding is enough
	}
	id := c.idBytes(f, h)
	result, code, message := c.reply(h.Method)
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if result != "" {
		b = append(b, `,"result":`...)
		b = append(b, result...)
	} else {
		b = append(b, `,"error":{"code":`...)
		b = append(b, code...)
		b = append(b, `,"message":`...)
		b = rawjson.Quote(b, message)
		b = append(b, '}')
	}
	b = append(b, '}')
	if c.queue == nil { // the server spoke before dial returned
		c.queue = &queue{wake: make(chan struct{}, 1), idle: make(chan struct{})}
	}
	c.queue.post(b, wire.ByAuto)
}

// idBytes is the id as the server spelled it, so that it comes back unchanged.
func (c *Client) idBytes(f *wire.Frame, h *wire.Head) []byte {
	if len(f.Head.Members) == 0 && int64(len(f.Raw)) == f.Size {
		if raw, ok := rawjson.Get(f.Raw, "id"); ok {
			return append([]byte(nil), raw...)
		}
	}
	if h.ID.Type == wire.StringID {
		return rawjson.Quote(nil, h.ID.Text)
	}
	return []byte(h.ID.String())
}

// reply gives the result, or the error, for a method of the server's.
func (c *Client) reply(method string) (result, code, message string) {
	switch {
	case method == "ping":
		return `{}`, "", ""
	case method == "roots/list" && len(c.opt.Roots) > 0:
		return rootsResult(c.opt.Roots), "", ""
	case method == "elicitation/create" && c.opt.Elicit != PolicyNone:
		return `{"action":"` + string(c.opt.Elicit) + `"}`, "", ""
	case method == "sampling/createMessage" && c.opt.Sample != PolicyNone:
		return "", "-1", "User rejected sampling request"
	}
	return "", "-32601", "Method not found: " + method
}

func rootsResult(paths []string) string {
	b := []byte(`{"roots":[`)
	for i, p := range paths {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"uri":`...)
		b = rawjson.Quote(b, fileURI(p))
		b = append(b, `,"name":`...)
		b = rawjson.Quote(b, filepath.Base(p))
		b = append(b, '}')
	}
	return string(append(b, `]}`...))
}

// fileURI gives file:///dir/name; on Windows file:///C:/dir/name.
func fileURI(path string) string {
	p := filepath.ToSlash(path)
	if len(p) > 0 && p[0] != '/' {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
