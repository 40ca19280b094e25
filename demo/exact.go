package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// exact is middleware that gives results the keys, in the order, that the
// tutorials print: the SDK sorts lists by name and keys by its structs, adds
// the cache hints of a later protocol, and leaves out what is false. A request
// of the protocol without a handshake gets what the SDK says.
func (w *world) exact(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if isModern(ctx) {
			return next(ctx, method, req)
		}
		switch r := req.(type) {
		case *mcp.ListToolsRequest:
			return page("tools", w.listedTools(), 0, cursorOf(r.Params))
		case *mcp.ListResourcesRequest:
			return page("resources", w.Resources, w.PageSize, cursorOf(r.Params))
		case *mcp.ListResourceTemplatesRequest:
			return page("resourceTemplates", w.Templates, 0, cursorOf(r.Params))
		case *mcp.ListPromptsRequest:
			return page("prompts", w.Prompts, 0, cursorOf(r.Params))
		}
		res, err := next(ctx, method, req)
		if err != nil {
			return nil, err
		}
		switch r := res.(type) {
		case *mcp.InitializeResult:
			return &initialized{ProtocolVersion: r.ProtocolVersion, Capabilities: w.Capabilities, ServerInfo: w.ServerInfo, Instructions: w.Instructions}, nil
		case *mcp.CallToolResult:
			return w.called(r), nil
		case *mcp.ReadResourceResult:
			return contents(r), nil
		case *mcp.GetPromptResult:
			return prompted(r), nil
		}
		return res, nil
	}
}

type initialized struct {
	mcp.ResultBase
	ProtocolVersion string          `json:"protocolVersion"`
	Capabilities    json.RawMessage `json:"capabilities"`
	ServerInfo      json.RawMessage `json:"serverInfo"`
	Instructions    string          `json:"instructions,omitempty"`
}

type readResult struct {
	mcp.ResultBase
	Contents []resourceContents `json:"contents"`
}

type resourceContents struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType,omitempty"`
	Text     *string `json:"text,omitempty"` // may be empty, unless it is a blob
	Blob     []byte  `json:"blob,omitempty"`
}

type callResult struct {
	mcp.ResultBase
	Content    []content `json:"content"`
	Structured any       `json:"structuredContent,omitempty"`
	IsError    *bool     `json:"isError,omitempty"`
}

type promptResult struct {
	mcp.ResultBase
	Description string          `json:"description,omitempty"`
	Messages    []promptMessage `json:"messages"`
}

type promptMessage struct {
	Role    mcp.Role `json:"role"`
	Content content  `json:"content"`
}

// content is a content block. Texts are written as they are; the SDK's own
// encoding escapes <, > and & in them.
type content struct{ mcp.Content }

func (c content) MarshalJSON() ([]byte, error) {
	text, ok := c.Content.(*mcp.TextContent)
	if !ok {
		return c.Content.MarshalJSON()
	}
	return encode(struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}{"text", text.Text})
}

func (w *world) called(r *mcp.CallToolResult) *callResult {
	out := &callResult{Content: make([]content, len(r.Content)), Structured: r.StructuredContent}
	for i, c := range r.Content {
		out.Content[i] = content{c}
	}
	if r.IsError || w.SaysNoError {
		out.IsError = &r.IsError
	}
	return out
}

func contents(r *mcp.ReadResourceResult) *readResult {
	out := &readResult{Contents: make([]resourceContents, len(r.Contents))}
	for i, c := range r.Contents {
		out.Contents[i] = resourceContents{URI: c.URI, MIMEType: c.MIMEType, Blob: c.Blob}
		if c.Blob == nil {
			out.Contents[i].Text = &c.Text
		}
	}
	return out
}

func prompted(r *mcp.GetPromptResult) *promptResult {
	out := &promptResult{Description: r.Description, Messages: make([]promptMessage, len(r.Messages))}
	for i, m := range r.Messages {
		out.Messages[i] = promptMessage{Role: m.Role, Content: content{m.Content}}
	}
	return out
}

// listing is one page of a list.
type listing struct {
	mcp.ResultBase
	name  string
	items []json.RawMessage
	next  string
}

func (l *listing) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(`{"` + l.name + `":[`)
	for i, item := range l.items {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(item)
	}
	out.WriteByte(']')
	if l.next != "" {
		out.WriteString(`,"nextCursor":`)
		out.Write(plainJSON(l.next))
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// page cuts a list at its page size; 0 is no limit. A cursor is the number of
// the first item, in words that no client should read anything into.
func page(name string, items []json.RawMessage, size int, cursor string) (mcp.Result, error) {
	from := 0
	if cursor != "" {
		n, ok := strings.CutPrefix(cursor, "from-")
		var err error
		if from, err = strconv.Atoi(n); !ok || err != nil || from <= 0 || from >= len(items) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown cursor %q", cursor)}
		}
	}
	l := &listing{name: name, items: items[from:]}
	if size > 0 && len(l.items) > size {
		l.items, l.next = l.items[:size], "from-"+strconv.Itoa(from+size)
	}
	return l, nil
}

// cursorOf reads the cursor of list parameters, which may be absent.
func cursorOf(p mcp.Params) string {
	switch p := p.(type) {
	case *mcp.ListToolsParams:
		if p != nil {
			return p.Cursor
		}
	case *mcp.ListResourcesParams:
		if p != nil {
			return p.Cursor
		}
	case *mcp.ListResourceTemplatesParams:
		if p != nil {
			return p.Cursor
		}
	case *mcp.ListPromptsParams:
		if p != nil {
			return p.Cursor
		}
	}
	return ""
}

// anyURI is middleware that lets a read name a resource with letters that
// belong escaped in a URI, such as weather://北京: the SDK compares with
// templates that only match escaped ones. The answer has the URI as asked.
func (w *world) anyURI(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		r, ok := req.(*mcp.ReadResourceRequest)
		if !ok {
			return next(ctx, method, req)
		}
		typed, params := r.Params.URI, *r.Params
		params.URI = escapeURI(typed)
		res, err := next(ctx, method, &mcp.ReadResourceRequest{Session: r.Session, Params: &params, Extra: r.Extra})
		if got, ok := res.(*mcp.ReadResourceResult); ok && err == nil {
			for _, c := range got.Contents {
				if c.URI == params.URI {
					c.URI = typed
				}
			}
		}
		return res, err
	}
}

// escapeURI escapes the bytes that no URI has, and nothing else.
func escapeURI(uri string) string {
	var out strings.Builder
	for i := range len(uri) {
		if c := uri[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

func unescapeURI(uri string) string {
	if plain, err := url.PathUnescape(uri); err == nil {
		return plain
	}
	return uri
}

// encode is json.Marshal without the escaping that is meant for HTML.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// plainJSON encodes what always can be encoded.
func plainJSON(v any) json.RawMessage {
	raw, err := encode(v)
	if err != nil {
		panic("demo: " + err.Error()) // a programming error: only plain values come here
	}
	return raw
}
