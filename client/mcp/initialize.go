package mcp

import (
	"encoding/json"
	"strings"

	"parley/client/rawjson"
)

// Initialize is what a server says of itself: the result of an initialize request, or
// of server/discover.
type Initialize struct {
	ProtocolVersion string   // of initialize only
	Supported       []string // the versions that server/discover offers, in its order

	ServerName, ServerTitle, ServerVersion string

	Instructions string
	Capabilities json.RawMessage
	Raw          json.RawMessage
	Problem      string // what breaks the specification, in words
}

// DecodeInitialize reads the result of initialize.
func DecodeInitialize(result []byte) Initialize {
	init := Initialize{Raw: result}
	r := newReader("result")
	r.object(result, func(key string, raw []byte) {
		switch key {
		case "protocolVersion":
			init.ProtocolVersion = r.text(key, raw)
		case "instructions":
			init.Instructions = r.text(key, raw)
		case "capabilities":
			init.Capabilities = raw
			r.want(key, raw, rawjson.Object)
		case "serverInfo":
			r.implementation(key, raw, &init)
		}
	})
	r.require("protocolVersion")
	r.require("capabilities")
	r.require("serverInfo")
	init.Problem = r.problem()
	return init
}

// Has reports whether the server declared a capability: "tools", or with a dot
// a part of one, "resources.subscribe". false and null count as not declared.
func (i Initialize) Has(name string) bool { return HasCapability(i.Capabilities, name) }

// HasCapability is [Initialize.Has] for any capabilities object, the client's
// own among them.
func HasCapability(capabilities []byte, name string) bool {
	raw, ok := rawjson.Get(capabilities, strings.Split(name, ".")...)
	if !ok {
		return false
	}
	switch rawjson.KindOf(raw) {
	case rawjson.Null, rawjson.Invalid:
		return false
	case rawjson.Bool:
		return string(raw) == "true"
	}
	return true
}

// Label is the server's name for people: title or name.
func (i Initialize) Label() string { return firstOf(i.ServerTitle, i.ServerName) }
