package client

import (
	"encoding/json"
	"strings"
	"time"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// cache keeps answers of a modern server that count for a while (spec: 2026-07-28,
// server/utilities/caching). It belongs to Client.mu, and to one epoch: a server that
// was started again may be another one.
type cache struct {
	entries map[string]cacheEntry // by method and params without _meta
	dropped map[string]time.Time  // when answers to a method, or of a resource, ceased to count
}

type cacheEntry struct {
	answer      Answer
	method, uri string
	first       bool // of a list: the first page
}

// The bounds of what is kept.
const (
	maxCached       = 512     // answers
	maxCachedResult = 8 << 20 // bytes of a result, which has to be read for its hints
)

// reset begins a new epoch, with Client.mu held.
func (k *cache) reset() {
	*k = cache{entries: map[string]cacheEntry{}, dropped: map[string]time.Time{}}
}

// cached gives the answer to a request if there is one that still counts. What is
// repeated on purpose, or belongs to an exchange of several rounds, is always sent.
func (c *Client) cached(method string, params json.RawMessage, opt *CallOptions) (Answer, bool) {
	if !mcp.Cacheable(method) || opt.Fresh || opt.Of != 0 || isRetry(params) {
		return Answer{}, false
	}
	key := cacheKey(method, params)
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.cache.entries[key]
	if ok && !time.Now().Before(e.answer.Cached) {
		delete(c.cache.entries, key)
		ok = false
	}
	return e.answer, ok
}

// keep takes note of an answer that counts for a while, if it says so.
func (c *Client) keep(method string, params json.RawMessage, a Answer) {
	h := &a.Head
	if !mcp.Cacheable(method) || h.Form != wire.Result || h.Type != wire.ResultComplete ||
		h.Result.Len > maxCachedResult || len(a.Rounds) > 0 || !a.Cached.IsZero() || isRetry(params) {
		return
	}
	result, err := c.Result(a)
	if err != nil {
		return
	}
	hints := mcp.DecodeCacheHints(result)
	if hints.TTL <= 0 {
		return
	}
	a.Cached = a.Got.Add(hints.TTL)
	_, further := rawjson.Get(params, "cursor")
	e := cacheEntry{answer: a, method: method, first: !further}
	if method == "resources/read" {
		raw, _ := rawjson.Get(params, "uri")
		e.uri, _ = rawjson.Unquote(raw)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cache.put(cacheKey(method, params), e)
}

// put keeps an answer, unless it ceased to count while it was on its way. A first page
// that is new makes the further ones old: they may belong to another list.
func (k *cache) put(key string, e cacheEntry) {
	for _, what := range []string{e.method, e.method + " " + e.uri} {
		if at, ok := k.dropped[what]; ok && !at.Before(e.answer.Sent) {
			return
		}
	}
	if e.first && e.uri == "" {
		k.drop(func(other cacheEntry) bool { return other.method == e.method })
	}
	if len(k.entries) >= maxCached {
		k.makeRoom(time.Now())
	}
	k.entries[key] = e
}

// makeRoom drops what does not count any more, and if that is nothing, what ceases to
// count first.
func (k *cache) makeRoom(now time.Time) {
	var first string
	for key, e := range k.entries {
		if !now.Before(e.answer.Cached) {
			delete(k.entries, key)
			continue
		}
		if first == "" || e.answer.Cached.Before(k.entries[first].answer.Cached) {
			first = key
		}
	}
	if len(k.entries) >= maxCached {
		delete(k.entries, first)
	}
}

func (k *cache) drop(match func(cacheEntry) bool) {
	for key, e := range k.entries {
		if match(e) {
			delete(k.entries, key)
		}
	}
}

// stale forgets the answers to a method, of one resource if uri is not empty, with
// Client.mu held. What is told of a resource concerns those that it is a part of, too
// (spec: ResourceUpdatedNotification).
func (c *Client) stale(method, uri string) {
	k := &c.cache
	if k.entries == nil {
		return
	}
	k.drop(func(e cacheEntry) bool {
		return e.method == method && (uri == "" || uri == e.uri || strings.HasPrefix(uri, strings.TrimSuffix(e.uri, "/")+"/"))
	})
	what := method
	if uri != "" {
		what += " " + uri
	}
	if len(k.dropped) >= maxCached {
		clear(k.dropped)
	}
	k.dropped[what] = time.Now()
}

// cacheKey is the same for params that say the same in the same order.
func cacheKey(method string, params json.RawMessage) string {
	if _, ok := rawjson.Get(params, "_meta"); ok {
		if without, err := rawjson.Delete(params, "/_meta"); err == nil {
			params = without
		}
	}
	compact, err := rawjson.Compact(nil, params)
	if err != nil || string(compact) == `{}` {
		compact = nil
	}
	return method + " " + string(compact)
}

// isRetry reports whether params have what only a retry has.
func isRetry(params json.RawMessage) bool {
	for _, key := range []string{"inputResponses", "requestState"} {
		if _, ok := rawjson.Get(params, key); ok {
			return true
		}
	}
	return false
}
