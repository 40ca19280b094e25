package mcp

import "parley/client/rawjson"

// The keys of _meta that 2026-07-28 defines.
const (
	MetaVersion      = "io.modelcontextprotocol/protocolVersion"
	MetaClientInfo   = "io.modelcontextprotocol/clientInfo"
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaLogLevel     = "io.modelcontextprotocol/logLevel"
	MetaServerInfo   = "io.modelcontextprotocol/serverInfo"
	MetaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// DecodeDiscover reads the result of server/discover (spec: 2026-07-28,
// server/discover). ProtocolVersion stays empty: the client chooses one of Supported.
// Who the server is stands in _meta; the older form beside it is taken where _meta
// says nothing.
func DecodeDiscover(result []byte) Initialize {
	init := Initialize{Raw: result}
	r := newReader("result")
	var beside []byte
	r.object(result, func(key string, raw []byte) {
		switch key {
		case "supportedVersions":
			init.Supported = nil
			r.elements(key, raw, func(raw []byte) {
				if v := r.text("a supported version", raw); v != "" {
					init.Supported = append(init.Supported, v)
				}
			})
		case "instructions":
			init.Instructions = r.text(key, raw)
		case "capabilities":
			init.Capabilities = raw
			r.want(key, raw, rawjson.Object)
		case "serverInfo":
			beside = raw
		}
	})
	info, ok := rawjson.Get(result, "_meta", MetaServerInfo)
	if !ok {
		info = beside
	}
	if info != nil {
		r.implementation("serverInfo", info, &init)
	}
	r.require("supportedVersions")
	r.require("capabilities")
	if r.has("supportedVersions") && len(init.Supported) == 0 {
		r.say("supportedVersions is empty")
	}
	init.Problem = r.problem()
	return init
}

// implementation reads who a server is.
func (r *reader) implementation(key string, raw []byte, init *Initialize) {
	r.member(key, raw, func(inner string, raw []byte) {
		switch inner {
		case key + ".name":
			init.ServerName = r.text(inner, raw)
		case key + ".title":
			init.ServerTitle = r.text(inner, raw)
		case key + ".version":
			init.ServerVersion = r.text(inner, raw)
		}
	})
}
