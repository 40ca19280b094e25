package mcp

import (
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzDecodeModern gives the decoders of 2026-07-28 anything: none fails, and what was read
// can be written again.
func FuzzDecodeModern(f *testing.F) {
	for _, seed := range []string{
		`{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}},"requestState":"s"}`,
		`{"task":{"taskId":"t","status":"working","pollInterval":5}}`,
		`{"taskId":"t","status":"input_required","inputRequests":{"\u0061":{}}}`,
		`{"toolsListChanged":true,"resourceSubscriptions":["a:b"],"taskIds":["t"]}`,
		`{"supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":1e99,"cacheScope":"public"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		in := DecodeInputRequired(raw)
		results := make([]json.RawMessage, len(in.Requests))
		for i := range results {
			results[i] = json.RawMessage(`{}`)
		}
		if json.Valid(raw) && !json.Valid(AppendInputResponses(nil, in.Requests, results)) {
			t.Errorf("responses are no JSON: %s", AppendInputResponses(nil, in.Requests, results))
		}
		if in.HasState && json.Valid(raw) && !json.Valid(in.State) {
			t.Errorf("the state is no JSON: %s", in.State)
		}
		if task := DecodeTask(raw); task.Poll < 0 {
			t.Errorf("poll %s", task.Poll)
		}
		if h := DecodeCacheHints(raw); h.TTL < 0 {
			t.Errorf("ttl %s", h.TTL)
		}
		_ = DecodeDiscover(raw)
		filter, _ := DecodeFilter(raw)
		again, err := json.Marshal(filter)
		if err != nil {
			t.Fatal(err)
		}
		if back, problem := DecodeFilter(again); problem != "" || !reflect.DeepEqual(back.Without(filter), Filter{}) {
			t.Errorf("%s: %s", again, problem)
		}
	})
}
