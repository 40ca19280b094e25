package mcp

import (
	"encoding/json"

	"parley/client/rawjson"
)

// Call is the result of tools/call.
type Call struct {
	Content    []Content
	Structured json.RawMessage // structuredContent; nil when absent, "null" when null
	IsError    bool
	Problem    string
}

// DecodeCall reads the result of tools/call.
func DecodeCall(result []byte) Call {
	var c Call
	r := newReader("result")
	r.object(result, func(key string, raw []byte) {
		switch key {
		case "content":
			c.Content = nil
			r.elements(key, raw, func(raw []byte) { c.Content = append(c.Content, decodeContent(raw)) })
		case "structuredContent":
			c.Structured = raw
		case "isError":
			if b := r.boolean(key, raw); b != nil {
				c.IsError = *b
			}
		}
	})
	r.require("content")
	c.Problem = r.problem()
	return c
}

// Read is the result of resources/read.
type Read struct {
	Contents []Content // each of Type "resource", with Text or Data
	Problem  string
}

// DecodeRead reads the result of resources/read.
func DecodeRead(result []byte) Read {
	var read Read
	r := newReader("result")
	r.object(result, func(key string, raw []byte) {
		if key == "contents" {
			read.Contents = nil
			r.elements(key, raw, func(raw []byte) { read.Contents = append(read.Contents, decodeContents(raw)) })
		}
	})
	r.require("contents")
	read.Problem = r.problem()
	return read
}

// PromptResult is the result of prompts/get.
type PromptResult struct {
	Description string
	Messages    []Message
	Problem     string
}

// Message is what one side said, in a prompt or in a sampling request.
type Message struct {
	Role    string
	Content []Content // one block in prompts; sampling may have several since 2025-11-25
	Raw     json.RawMessage
	Problem string
}

// DecodePrompt reads the result of prompts/get.
func DecodePrompt(result []byte) PromptResult {
	var p PromptResult
	r := newReader("result")
	r.object(result, func(key string, raw []byte) {
		switch key {
		case "description":
			p.Description = r.text(key, raw)
		case "messages":
			p.Messages = nil
			r.elements(key, raw, func(raw []byte) {
				m := decodeMessage(raw)
				if len(m.Content) > 1 || rawjson.KindOf(contentOf(raw)) == rawjson.Array {
					m.Problem = join(m.Problem, "content is an array, not an object")
				}
				p.Messages = append(p.Messages, m)
			})
		}
	})
	r.require("messages")
	p.Problem = r.problem()
	return p
}

func contentOf(message []byte) []byte {
	raw, _ := rawjson.Get(message, "content")
	return raw
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// decodeMessage reads one message; its content may be one block or several.
func decodeMessage(raw []byte) Message {
	m := Message{Raw: raw}
	r := newReader("the message")
	r.object(raw, func(key string, raw []byte) {
		switch key {
		case "role":
			m.Role = r.text(key, raw)
		case "content":
			m.Content = nil
			if rawjson.KindOf(raw) == rawjson.Array {
				r.elements(key, raw, func(raw []byte) { m.Content = append(m.Content, decodeContent(raw)) })
				return
			}
			m.Content = []Content{decodeContent(raw)}
		}
	})
	r.require("role")
	r.require("content")
	m.Problem = r.problem()
	return m
}

// Completion is the result of completion/complete.
type Completion struct {
	Values  []string
	Total   *int64 // of all matches, when the server said so
	HasMore bool
	Problem string
}

// DecodeComplete reads the result of completion/complete.
func DecodeComplete(result []byte) Completion {
	var c Completion
	r := newReader("result")
	r.object(result, func(key string, raw []byte) {
		if key != "completion" {
			return
		}
		hasValues := false
		r.member(key, raw, func(key string, raw []byte) {
			switch key {
			case "completion.values":
				c.Values, hasValues = nil, true
				r.elements(key, raw, func(raw []byte) { c.Values = append(c.Values, r.text("a value", raw)) })
			case "completion.total":
				c.Total = r.whole(key, raw)
			case "completion.hasMore":
				if b := r.boolean(key, raw); b != nil {
					c.HasMore = *b
				}
			}
		})
		if !hasValues {
			r.say("completion.values is missing")
		}
	})
	r.require("completion")
	c.Problem = r.problem()
	return c
}
