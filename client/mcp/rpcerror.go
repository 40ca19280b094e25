package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley/client/rawjson"
)

// RPCError is the error of a JSON-RPC response. It is an error value itself.
type RPCError struct {
	Code    int64
	Message string
	Data    json.RawMessage // nil when absent
	Raw     json.RawMessage
	Problem string // what breaks the specification, in words; Code may be 0 then

	// What is known of the request that it answers makes the hint a better one.
	Method string // empty: not known
	Lacks  string // the capability that the method needs and the server did not declare
}

// DecodeError reads the error object of a response.
func DecodeError(errorObject []byte) RPCError {
	e := RPCError{Raw: errorObject}
	r := newReader("error")
	r.object(errorObject, func(key string, raw []byte) {
		switch key {
		case "code":
			if n := r.whole(key, raw); n != nil {
				e.Code = *n
			}
		case "message":
			e.Message = r.text(key, raw)
		case "data":
			e.Data = raw
		}
	})
	r.require("code")
	r.require("message")
	e.Problem = r.problem()
	if rawjson.KindOf(errorObject) == rawjson.String { // some servers send just a text
		e.Message, _ = rawjson.Unquote(errorObject)
	}
	return e
}

// Error is the code's name, the code and the server's words.
func (e RPCError) Error() string {
	head := fmt.Sprintf("%s (%d)", CodeName(e.Code), e.Code)
	if e.Message == "" || strings.EqualFold(strings.TrimRight(e.Message, "."), CodeName(e.Code)) {
		return head
	}
	return head + ": " + e.Message
}

// Hint says what the error means and, where the server's data is known to hold
// it, what would do instead.
func (e RPCError) Hint() string {
	switch e.Code {
	case CodeUnsupportedVersion, CodeInvalidParams:
		if versions := e.Supported(); len(versions) > 0 {
			return "the server speaks " + strings.Join(versions, ", ")
		}
		if hint := invalidParams(e.Method); hint != "" && e.Code == CodeInvalidParams {
			return hint
		}
	case CodeMethodNotFound:
		if e.Lacks != "" {
			return "the server did not declare " + e.Lacks + ", which " + e.Method + " needs"
		}
	case CodeMissingCapability:
		if names := keys(e.Data, "requiredCapabilities"); len(names) > 0 {
			return "the server needs a client that declares " + strings.Join(names, ", ") + declaring(names)
		}
	case CodeResourceNotFound:
		if uri := str(e.Data, "uri"); uri != "" {
			return "the server has nothing under " + uri + "; resources shows what it lists"
		}
	case CodeURLElicitation:
		if urls := elicitationURLs(e.Data); len(urls) > 0 {
			return "open " + strings.Join(urls, " and ") + " in a browser, then send the call again"
		}
	}
	return CodeHint(e.Code)
}

// declaring names the flags by which capabilities are declared.
func declaring(names []string) string {
	flags := map[string]string{"roots": "--root PATH", "sampling": "--sample POLICY", "elicitation": "--elicit POLICY", "extensions": "--extension ID"}
	var list []string
	for _, name := range names {
		if flag := flags[name]; flag != "" {
			list = append(list, flag)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, " ")
}

// Supported is the versions that a server which refuses one says it has instead
// (data.supported), in its order.
func (e RPCError) Supported() []string { return strs(e.Data, "supported") }

// Word is the word for errors of this sort in machine-readable output.
func (e RPCError) Word() string { return "rpc" }

func str(src []byte, path ...string) string {
	raw, ok := rawjson.Get(src, path...)
	if !ok || rawjson.KindOf(raw) != rawjson.String {
		return ""
	}
	s, _ := rawjson.Unquote(raw)
	return s
}

func strs(src []byte, path ...string) (list []string) {
	raw, ok := rawjson.Get(src, path...)
	if !ok || rawjson.KindOf(raw) != rawjson.Array {
		return nil
	}
	_ = rawjson.Elements(raw, func(_ int, raw []byte) bool {
		if s, ok := rawjson.Unquote(raw); ok {
			list = append(list, s)
		}
		return true
	})
	return list
}

func keys(src []byte, path ...string) (list []string) {
	raw, ok := rawjson.Get(src, path...)
	if !ok || rawjson.KindOf(raw) != rawjson.Object {
		return nil
	}
	_ = rawjson.Each(raw, func(key string, _, _ []byte) bool {
		list = append(list, key)
		return true
	})
	return list
}

func elicitationURLs(data []byte) (urls []string) {
	raw, ok := rawjson.Get(data, "elicitations")
	if !ok || rawjson.KindOf(raw) != rawjson.Array {
		return nil
	}
	_ = rawjson.Elements(raw, func(_ int, raw []byte) bool {
		if url := str(raw, "url"); url != "" && !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
		return true
	})
	return urls
}

// invalidParams says what may be wrong with the params of a method; empty if nothing
// more is known than of any.
func invalidParams(method string) string {
	switch method {
	case "tools/call":
		return "the server knows no such tool, or the tool takes other arguments: its schema shows which"
	case "prompts/get":
		return "the server knows no such prompt, or the prompt takes other arguments: prompts lists them"
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		return "the server has nothing under this URI: resources and templates list what it has"
	case "completion/complete":
		return "the server knows no such prompt or template, or it has no such argument"
	case "logging/setLevel":
		return "the server does not know this level"
	}
	switch {
	case strings.HasSuffix(method, "/list"):
		return "the server does not take this cursor, or takes it no more"
	case strings.HasPrefix(method, "tasks/"):
		return "the server knows no such task, or it is over"
	}
	return ""
}
