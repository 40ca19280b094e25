package mcp

import (
	"time"

	"parley/client/rawjson"
)

// CacheHints is what a result says of how long it counts (spec: 2026-07-28,
// server/utilities/caching).
type CacheHints struct {
	TTL     time.Duration // 0 where it is absent, negative or no number: stale at once
	HasTTL  bool
	Scope   string // public or private; empty when absent
	Problem string
}

// Cacheable reports whether a method's results say how long they count.
func Cacheable(method string) bool {
	switch method {
	case "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read":
		return true
	}
	return false
}

// DecodeCacheHints reads the hints of a result.
func DecodeCacheHints(result []byte) CacheHints {
	var h CacheHints
	r := newReader("result")
	r.isObject = r.want(r.what, result, rawjson.Object)
	if !r.isObject {
		h.Problem = r.problem()
		return h
	}
	if raw, ok := rawjson.Get(result, "ttlMs"); ok {
		if ms := r.float("ttlMs", raw); ms != nil {
			h.TTL, h.HasTTL = millis(*ms), true
			if *ms < 0 {
				r.say("ttlMs is negative")
			}
		}
	} else {
		r.say("ttlMs is missing")
	}
	if raw, ok := rawjson.Get(result, "cacheScope"); ok {
		h.Scope = r.text("cacheScope", raw)
		if h.Scope != "public" && h.Scope != "private" {
			r.say("cacheScope is neither public nor private")
		}
	} else {
		r.say("cacheScope is missing")
	}
	h.Problem = r.problem()
	return h
}
