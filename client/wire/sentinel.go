package wire

import (
	"encoding/base64"
	"strings"
)

const (
	sentinelStart = "=?base64?"
	sentinelEnd   = "?="
)

// EncodeField gives a value as a header field of the Mcp-* family carries it: as it is
// if it is plain printable ASCII, else, or if it has spaces at an edge or looks encoded
// already, =?base64?…?= of its bytes (spec: 2026-07-28, basic/transports/streamable-http,
// Value Encoding). Tabs are always encoded.
func EncodeField(value string) string {
	if isPlainField(value) {
		return value
	}
	return sentinelStart + base64.StdEncoding.EncodeToString([]byte(value)) + sentinelEnd
}

func isPlainField(value string) bool {
	if strings.HasPrefix(value, " ") || strings.HasSuffix(value, " ") {
		return false
	}
	for i := range len(value) {
		if c := value[i]; c < ' ' || c > '~' {
			return false
		}
	}
	_, wrapped := unwrapField(value)
	return !wrapped
}

// DecodeField reads what EncodeField made. The value of anything else, base64 that is
// broken included, is what it looks like, and ok is false.
func DecodeField(value string) (decoded string, ok bool) {
	inner, wrapped := unwrapField(value)
	if !wrapped {
		return value, false
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(inner)
	if err != nil || strings.ContainsAny(inner, "\r\n") { // which the decoder skips
		return value, false
	}
	return string(raw), true
}

// unwrapField takes the markers off. They are compared as they are spelled, and may
// not overlap.
func unwrapField(value string) (inner string, ok bool) {
	inner, ok = strings.CutPrefix(value, sentinelStart)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(inner, sentinelEnd)
}
