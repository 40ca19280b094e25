package wire

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
)

// traceHead returns the request with a trace that calls wrote once, with the head as it
// went out, secrets masked: see requestHead. told must be called when the response or an
// error is there: it calls wrote if the head went out and the trace has not said so yet.
// A request that net/http sends again, over another connection, is told once.
func traceHead(req *http.Request, secret []string, wrote func(head []byte)) (traced *http.Request, told func()) {
	t := &headTrace{secret: secret}
	traced = t.on(req.Context(), req, func() { wrote(t.appendHead(make([]byte, 0, 512))) })
	return traced, t.tell
}

// headTrace collects the fields of a request as net/http writes them.
type headTrace struct {
	req    *http.Request
	secret []string // names of fields that are masked whatever they sound like
	wrote  func()

	mu     sync.Mutex
	fields []Field
	done   bool // fields are complete
}

// on returns the request with ctx and the trace, which calls wrote when the head went
// out.
func (t *headTrace) on(ctx context.Context, req *http.Request, wrote func()) *http.Request {
	t.req, t.wrote = req, wrote
	return req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:          t.connected,
		WroteHeaderField: t.field,
		WroteHeaders:     t.tell,
	}))
}

func (t *headTrace) connected(httptrace.GotConnInfo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.done {
		t.fields = t.fields[:0]
	}
}

func (t *headTrace) field(name string, values []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done {
		return
	}
	if t.fields == nil {
		t.fields = make([]Field, 0, 16)
	}
	for _, v := range values {
		t.fields = append(t.fields, Field{name, v})
	}
}

// tell calls wrote, unless that was done or no head went out.
func (t *headTrace) tell() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done || len(t.fields) == 0 {
		return
	}
	t.done = true
	t.wrote()
}

// sent reports whether the head went out.
func (t *headTrace) sent() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.done
}

// appendHead adds the head that went out to b.
func (t *headTrace) appendHead(b []byte) []byte {
	return appendRequestHead(b, t.req, t.fields, t.secret)
}

// requestHead spells the head of a request as HTTP/1.1 does, without the empty line at
// its end, secrets masked. fields are those that were written, in order, among them the
// pseudo fields of HTTP/2; nil takes those of the request.
func requestHead(req *http.Request, fields []Field) []byte {
	return appendRequestHead(make([]byte, 0, 512), req, fields, nil)
}

// appendRequestHead adds what requestHead gives to b.
func appendRequestHead(b []byte, req *http.Request, fields []Field, secret []string) []byte {
	proto, host := "HTTP/1.1", req.Host
	if host == "" {
		host = req.URL.Host
	}
	for _, f := range fields {
		switch f.Name {
		case ":authority":
			proto, host = "HTTP/2.0", f.Value
		case "Host":
			host = f.Value
		}
	}
	if fields == nil {
		fields = sortedFields(req.Header)
	}
	b = append(b, req.Method...)
	b = append(b, ' ')
	b = append(b, maskURL(req.URL.RequestURI())...)
	b = append(b, ' ')
	b = append(b, proto...)
	b = append(b, "\r\n"...)
	b = appendField(b, "Host", host)
	for _, f := range fields {
		if !strings.HasPrefix(f.Name, ":") && f.Name != "Host" {
			value := MaskHeader(f.Name, f.Value)
			if value == f.Value && slices.ContainsFunc(secret, func(name string) bool { return strings.EqualFold(name, f.Name) }) {
				value = maskCredentials(value)
			}
			b = appendField(b, f.Name, value)
		}
	}
	return b
}

// responseHead spells the head of a response as requestHead does, fields sorted by name.
// What net/http takes out because it acts on it is put back.
func responseHead(resp *http.Response) []byte {
	return appendResponseHead(make([]byte, 0, 512), resp)
}

// appendResponseHead adds what responseHead gives to b.
func appendResponseHead(b []byte, resp *http.Response) []byte {
	b = append(b, resp.Proto...)
	b = append(b, ' ')
	b = append(b, resp.Status...)
	b = append(b, "\r\n"...)
	for _, f := range sortedFields(resp.Header) {
		b = appendField(b, f.Name, MaskHeader(f.Name, f.Value))
	}
	if resp.Uncompressed {
		b = appendField(b, "Content-Encoding", "gzip")
	}
	for _, coding := range resp.TransferEncoding {
		b = appendField(b, "Transfer-Encoding", coding)
	}
	return b
}

func appendField(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, value...)
	return append(b, "\r\n"...)
}

func sortedFields(h http.Header) []Field {
	fields := make([]Field, 0, len(h))
	for name, values := range h {
		for _, v := range values {
			fields = append(fields, Field{name, v})
		}
	}
	slices.SortStableFunc(fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return fields
}
