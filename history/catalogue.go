package history

import (
	"slices"

	"parley/client/mcp"
	"parley/client/wire"
)

// Catalogue decodes what the server last listed, and keeps it until the state
// points at other frames. Its zero value is ready; it belongs to one goroutine.
// What it returns must not be changed.
type Catalogue struct {
	log       *Log
	tools     pages[mcp.Tool]
	resources pages[mcp.Resource]
	templates pages[mcp.Template]
	prompts   pages[mcp.Prompt]
	serverAt  wire.Ref
	server    mcp.Initialize
}

// pages are the items of a list and the frames that they are from.
type pages[T any] struct {
	refs  []wire.Ref
	items []T
}

// Tools returns the tools as last listed, malformed ones in their places.
func (c *Catalogue) Tools(l *Log, s *State) []mcp.Tool {
	c.of(l)
	return c.tools.update(l, s.pages("tools/list"), mcp.DecodeTools)
}

// Resources returns the resources as last listed.
func (c *Catalogue) Resources(l *Log, s *State) []mcp.Resource {
	c.of(l)
	return c.resources.update(l, s.pages("resources/list"), mcp.DecodeResources)
}

// Templates returns the resource templates as last listed.
func (c *Catalogue) Templates(l *Log, s *State) []mcp.Template {
	c.of(l)
	return c.templates.update(l, s.pages("resources/templates/list"), mcp.DecodeTemplates)
}

// Prompts returns the prompts as last listed.
func (c *Catalogue) Prompts(l *Log, s *State) []mcp.Prompt {
	c.of(l)
	return c.prompts.update(l, s.pages("prompts/list"), mcp.DecodePrompts)
}

// Server returns what the server last said of itself, in the handshake or when it was
// asked by server/discover.
func (c *Catalogue) Server(l *Log, s *State) mcp.Initialize {
	c.of(l)
	if c.serverAt != s.server {
		c.serverAt, c.server = s.server, mcp.Initialize{}
		if raw, err := l.result(s.server); err == nil && s.discovered {
			c.server = mcp.DecodeDiscover(raw)
		} else if err == nil {
			c.server = mcp.DecodeInitialize(raw)
		}
	}
	return c.server
}

// of empties the catalogue if it was another log's.
func (c *Catalogue) of(l *Log) {
	if c.log != l {
		*c = Catalogue{log: l}
	}
}

// update decodes the pages that were not there before.
func (p *pages[T]) update(l *Log, refs []wire.Ref, decode func([]byte) mcp.Page[T]) []T {
	if n := len(p.refs); n > len(refs) || !slices.Equal(p.refs, refs[:n]) {
		*p = pages[T]{}
	}
	for _, ref := range refs[len(p.refs):] {
		if raw, err := l.result(ref); err == nil {
			p.items = append(p.items, decode(raw).Items...)
		}
		p.refs = append(p.refs, ref)
	}
	return p.items
}

// result returns the bytes of a response's result.
func (l *Log) result(ref wire.Ref) ([]byte, error) {
	return l.within(ref, func(h *wire.Head) wire.Span { return h.Result })
}

// within returns the bytes of a part of a message.
func (l *Log) within(ref wire.Ref, part func(h *wire.Head) wire.Span) ([]byte, error) {
	h, err := l.Head(ref.Seq)
	if err != nil {
		return nil, err
	}
	if i := int(ref.Member); i > 0 && i <= len(h.Members) {
		h = h.Members[i-1]
	}
	span := part(&h)
	return l.Bytes(ref.Seq, span.Off, int(span.Len))
}
