package mcp

import (
	"encoding/json"

	"parley/client/rawjson"
)

// Elicitation is what elicitation/create asks for.
type Elicitation struct {
	Mode    string          // form or url; form when the request does not say
	Message string          // what to show
	Schema  json.RawMessage // requestedSchema of the form mode, nil when absent
	URL, ID string          // of the url mode; ID only in 2025-11-25
	Raw     json.RawMessage
	Problem string
}

// DecodeElicit reads the params of elicitation/create.
func DecodeElicit(params []byte) Elicitation {
	e := Elicitation{Mode: "form", Raw: params}
	r := newReader("params")
	r.object(params, func(key string, raw []byte) {
		switch key {
		case "mode":
			if mode := r.text(key, raw); mode != "" {
				e.Mode = mode
			}
		case "message":
			e.Message = r.text(key, raw)
		case "requestedSchema":
			e.Schema = raw
			r.want(key, raw, rawjson.Object)
		case "url":
			e.URL = r.text(key, raw)
		case "elicitationId":
			e.ID = r.text(key, raw)
		}
	})
	r.require("message")
	switch e.Mode {
	case "form":
		r.require("requestedSchema")
	case "url":
		r.require("url")
	default:
		r.say("mode is neither form nor url")
	}
	e.Problem = r.problem()
	return e
}

// Sampling is what sampling/createMessage asks for, for showing.
type Sampling struct {
	Messages     []Message
	SystemPrompt string
	MaxTokens    string // as spelled in the request
	Tools        json.RawMessage
	Raw          json.RawMessage
	Problem      string
}

// DecodeSampling reads the params of sampling/createMessage.
func DecodeSampling(params []byte) Sampling {
	s := Sampling{Raw: params}
	r := newReader("params")
	r.object(params, func(key string, raw []byte) {
		switch key {
		case "messages":
			s.Messages = nil
			r.elements(key, raw, func(raw []byte) { s.Messages = append(s.Messages, decodeMessage(raw)) })
		case "systemPrompt":
			s.SystemPrompt = r.text(key, raw)
		case "maxTokens":
			if r.want(key, raw, rawjson.Number) {
				s.MaxTokens = string(raw)
			}
		case "tools":
			s.Tools = raw
		}
	})
	r.require("messages")
	r.require("maxTokens")
	s.Problem = r.problem()
	return s
}
