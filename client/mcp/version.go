// Package mcp knows the messages of the Model Context Protocol: its versions,
// methods and error codes, and how to read the content of messages from any
// server, however imperfect.
//
// Decoding is lenient and partial. No function here fails: what could be read
// is returned, and what is wrong with it is said in words, beside the item that
// it concerns. One malformed tool never hides the others, and one unknown type
// of content never loses its neighbours. Every value keeps the bytes that it
// was read from; fields of type json.RawMessage point into the slice that was
// decoded, which must therefore not change afterwards.
//
// Texts are the server's own and may hold terminal control sequences: they are
// made safe where they are shown, not here.
package mcp

import "slices"

// The versions of the protocol. Those up to [LatestLegacy] begin with an
// initialize request; newer ones are stateless.
const (
	V20241105 = "2024-11-05"
	V20250326 = "2025-03-26"
	V20250618 = "2025-06-18"
	V20251125 = "2025-11-25"
	V20260728 = "2026-07-28"

	LatestLegacy = V20251125
)

// versions holds every version, oldest first.
var versions = []string{V20241105, V20250326, V20250618, V20251125, V20260728}

// Legacy returns the versions that begin with an initialize request, newest
// first.
func Legacy() []string {
	legacy := slices.Clone(versions[:len(versions)-1])
	slices.Reverse(legacy)
	return legacy
}

// Modern returns the versions whose requests each say everything, newest first.
func Modern() []string { return []string{V20260728} }

// KnownVersion reports whether v is a version of the protocol, legacy or not.
func KnownVersion(v string) bool { return slices.Contains(versions, v) }
