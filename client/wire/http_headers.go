package wire

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

const (
	headerSession   = "Mcp-Session-Id"
	headerVersion   = "Mcp-Protocol-Version"
	headerMethod    = "Mcp-Method"
	headerName      = "Mcp-Name"
	headerLastEvent = "Last-Event-Id"

	typeJSON   = "application/json"
	typeStream = "text/event-stream"
)

// versionKey is where a modern message says its version, in params._meta.
const versionKey = "io.modelcontextprotocol/protocolVersion"

// versionHeader is the first version that has the header MCP-Protocol-Version. A
// server that does not get it takes 2025-03-26 to be meant.
const versionHeader = "2025-06-18"

// modernVersion gives what a message says of its own version, empty if it says
// nothing.
func modernVersion(h *Head, raw []byte) string {
	if h.Params.Len == 0 {
		return ""
	}
	params := raw[h.Params.Off : h.Params.Off+h.Params.Len]
	if !bytes.Contains(params, []byte(versionKey)) {
		return ""
	}
	return textAt(params, "_meta", versionKey)
}

// postHeader makes the header fields of the POST of a message, which are not to be
// changed, and says which session it goes into.
func (c *HTTPConn) postHeader(h *Head, raw []byte, modern bool) (header http.Header, session string) {
	c.mu.Lock()
	agreed, k := c.agreed, headerKey{session: c.session.id, version: c.agreed.Version}
	if c.old != nil {
		k.session = ""
	}
	last := c.header
	c.mu.Unlock()
	var mirrored []Field
	if modern {
		k = headerKey{modern: true, version: modernVersion(h, raw), method: h.Method}
		if k.version == "" {
			k.version = agreed.Version
		}
		if h.Name != "" && named(h.Method) {
			k.name = h.Name
		}
		if h.Method != "" && agreed.Fields != nil {
			mirrored = agreed.Fields(h, raw)
		}
	}
	if last.key == k && last.header != nil && len(mirrored) == 0 {
		return last.header, k.session
	}
	header = make(http.Header, 8+len(c.opt.Header)+len(mirrored))
	header["Content-Type"] = []string{typeJSON}
	header["Accept"] = []string{typeJSON + ", " + typeStream}
	if modern {
		modernHeader(header, &k, mirrored)
	} else {
		setSession(header, k.session, k.version)
	}
	c.ownHeader(header)
	if len(mirrored) == 0 && c.client.Jar == nil { // which would add to it
		c.mu.Lock()
		c.header = lastHeader{k, header}
		c.mu.Unlock()
	}
	return header, k.session
}

// headerKey is what the header fields of a POST depend on.
type headerKey struct {
	modern                         bool
	session, version, method, name string
}

// lastHeader is that of the last POST: mostly the next one has the same.
type lastHeader struct {
	key    headerKey
	header http.Header
}

// modernHeader adds what mirrors a message of 2026-07-28 (spec: basic/transports,
// standard and custom headers).
func modernHeader(header http.Header, k *headerKey, mirrored []Field) {
	if k.version != "" {
		header[headerVersion] = []string{k.version}
	}
	if k.method == "" {
		return
	}
	header[headerMethod] = []string{EncodeField(k.method)}
	if k.name != "" {
		header[headerName] = []string{EncodeField(k.name)}
	}
	for _, f := range mirrored {
		name := http.CanonicalHeaderKey(f.Name)
		header[name] = append(header[name], f.Value)
	}
}

// named reports whether requests of that method carry Mcp-Name.
func named(method string) bool {
	switch method {
	case "tools/call", "prompts/get", "resources/read":
		return true
	}
	return strings.HasPrefix(method, "tasks/")
}

func setSession(header http.Header, id, version string) {
	if id != "" {
		header[headerSession] = []string{id}
	}
	if version >= versionHeader {
		header[headerVersion] = []string{version}
	}
}

// ownHeader adds what the user gave; it wins.
func (c *HTTPConn) ownHeader(header http.Header) {
	for name, values := range c.opt.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
}

// plainHeader makes the header fields of a GET or a DELETE of Streamable HTTP, and says
// which session it goes into.
func (c *HTTPConn) plainHeader(accept, lastEvent string) (header http.Header, session string) {
	c.mu.Lock()
	id, version := c.session.id, c.agreed.Version
	c.mu.Unlock()
	header = http.Header{}
	if accept != "" {
		header["Accept"] = []string{accept}
	}
	if lastEvent != "" {
		header[headerLastEvent] = []string{lastEvent}
	}
	setSession(header, id, version)
	c.ownHeader(header)
	return header, id
}

// newRequest makes the request of an errand, without a context.
func newRequest(e *errand) *http.Request {
	req := &http.Request{
		Method: e.method, URL: e.url, Host: e.url.Host, Header: e.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	if host := e.header.Get("Host"); host != "" {
		req.Host = host
	}
	if body := e.body; body != nil {
		req.ContentLength = int64(len(body))
		req.Body = io.NopCloser(bytes.NewReader(body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	return req
}

// goodSession reports whether a session id may be sent back: it has visible ASCII
// characters only (spec: basic/transports, session management).
func goodSession(id string) bool {
	for i := range len(id) {
		if id[i] < 0x21 || id[i] > 0x7e {
			return false
		}
	}
	return true
}
