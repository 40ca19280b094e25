package client

import (
	"errors"
	"net/http"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// refusal finds the JSON-RPC error with which a server refused a request; also one
// that answers nothing, for its id is null or missing, and is the body of an HTTP
// response.
func refusal(err error) (mcp.RPCError, bool) {
	var e mcp.RPCError
	if errors.As(err, &e) {
		return e, true
	}
	var h *wire.HTTPError
	if !errors.As(err, &h) {
		return e, false
	}
	raw, ok := rawjson.Get(h.Body, "error")
	if !ok || rawjson.KindOf(raw) != rawjson.Object {
		return e, false
	}
	e = mcp.DecodeError(raw)
	return e, e.Code != 0
}

// modernCode reports whether only servers of 2026-07-28 answer with a code.
func modernCode(code int64) bool {
	return code <= mcp.CodeHeaderMismatch && code >= mcp.CodeUnsupportedVersion
}

// outside reports whether an error says nothing of how the server wants to be spoken
// to: authorization, the network, the end of the connection, a caller who gave up.
func outside(err error) bool {
	var h *wire.HTTPError
	if errors.As(err, &h) {
		switch h.Status {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusTooManyRequests,
			http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		}
		return false
	}
	var refused mcp.RPCError
	var version *VersionError
	var handshake *HandshakeError
	var none *NoResultError
	var unusable *notDiscovered
	var stream *wire.StreamError
	switch {
	case errors.As(err, &refused), errors.As(err, &version), errors.As(err, &handshake),
		errors.As(err, &none), errors.As(err, &unusable), errors.As(err, &stream):
		return false
	}
	return err != nil && !isTimeout(err)
}

func isTimeout(err error) bool {
	var timeout *TimeoutError
	return errors.As(err, &timeout)
}
