package mcp

import (
	"encoding/json"

	"parley/client/rawjson"
)

// InputRequest is one thing that a server asks before it answers: a request that older
// versions would have sent as a message of its own.
type InputRequest struct {
	Key     string
	Spelled json.RawMessage // the key as the server wrote it, with its quotes
	Method  string
	Params  json.RawMessage // nil when absent
	Problem string
}

// InputRequired is a result whose resultType is input_required (spec: 2026-07-28,
// basic/patterns/mrtr).
type InputRequired struct {
	Requests []InputRequest // in the server's order; of one key the last
	// State is requestState, byte for byte. It means something to the server only.
	State    json.RawMessage
	HasState bool // an empty text is a state; null is none
	Problem  string
}

// DecodeInputRequired reads a result that asks for input.
func DecodeInputRequired(result []byte) InputRequired {
	var in InputRequired
	r := newReader("result")
	r.object(result, func(key string, raw []byte) {
		switch key {
		case "inputRequests":
			in.Requests = r.inputRequests(key, raw)
		case "requestState":
			in.State, in.HasState = nil, rawjson.KindOf(raw) != rawjson.Null
			r.want(key, raw, rawjson.String)
			if in.HasState {
				in.State = raw
			}
		}
	})
	if r.isObject && !r.has("inputRequests") && !r.has("requestState") {
		r.say("it has neither inputRequests nor requestState")
	}
	in.Problem = r.problem()
	return in
}

// inputRequests reads the object that has a request under each key.
func (r *reader) inputRequests(outer string, raw []byte) []InputRequest {
	if !r.want(outer, raw, rawjson.Object) {
		return nil
	}
	var list []InputRequest
	at := map[string]int{}
	err := rawjson.Each(raw, func(key string, spelled, raw []byte) bool {
		q := decodeInputRequest(key, spelled, raw)
		if q.Problem != "" {
			r.say(outer + "." + key + ": " + q.Problem)
		}
		if i, again := at[key]; again {
			r.say(outer + " has " + key + " twice")
			list[i] = q
			return true
		}
		at[key] = len(list)
		list = append(list, q)
		return true
	})
	if err != nil {
		r.say(outer + " is cut or not valid JSON")
	}
	return list
}

func decodeInputRequest(key string, spelled, raw []byte) InputRequest {
	q := InputRequest{Key: key, Spelled: spelled}
	r := newReader("the request")
	r.object(raw, func(key string, raw []byte) {
		switch key {
		case "method":
			q.Method = r.text(key, raw)
		case "params":
			q.Params = raw
		}
	})
	r.require("method")
	q.Problem = r.problem()
	return q
}

// AppendInputResponses appends the object inputResponses: under the key of each
// request, as the server spelled it, the result at the same place.
func AppendInputResponses(b []byte, requests []InputRequest, results []json.RawMessage) []byte {
	b = append(b, '{')
	for i, q := range requests {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, q.Spelled...), ':')
		b = append(b, results[i]...)
	}
	return append(b, '}')
}
