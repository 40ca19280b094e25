package mcp

import "slices"

// Sender says who sends a method.
type Sender uint8

// The senders.
const (
	FromClient Sender = iota + 1
	FromServer
	FromBoth
)

// String gives client, server or both.
func (s Sender) String() string {
	switch s {
	case FromClient:
		return "client"
	case FromServer:
		return "server"
	}
	return "both"
}

// Method is a method that some version of the protocol defines.
type Method struct {
	Name         string
	From         Sender
	Notification bool // false: a request, which is answered

	// Versions has the versions in which the method is a message of its own,
	// oldest first. Requests that 2026-07-28 carries inside results instead
	// do not have that version.
	Versions []string
	// Extension is the extension that has the method in 2026-07-28; Versions
	// does not tell of it.
	Extension string
	// Carried tells of a request of the server that 2026-07-28 carries inside a
	// result (inputRequests) and never sends as a message.
	Carried bool
	// MayAsk tells of a request whose result may be input_required in 2026-07-28.
	MayAsk bool
	// Cacheable tells of a request whose result says in 2026-07-28 how long it may be
	// kept (ttlMs, cacheScope).
	Cacheable bool

	// Capability is what must have been declared for the method to be used:
	// by the receiver of a request, by the sender of a notification. A dot
	// separates a part of a capability. Empty: nothing.
	Capability string

	Params string // names of the params, optional ones with a question mark
	Result string // the same for the result
}

// In reports whether a version defines the method as a message of its own.
func (m Method) In(version string) bool { return slices.Contains(m.Versions, version) }

// Usable reports whether a version has the method at all: as a message of its own, or
// by its extension.
func (m Method) Usable(version string) bool {
	return m.In(version) || m.Extension != "" && version == V20260728
}

// Needs is the capability that the method needs in a version.
func (m Method) Needs(version string) string {
	if m.Name == "completion/complete" && version == V20241105 {
		return "" // the capability came later than the method
	}
	return m.Capability
}

const tasksExtension = "io.modelcontextprotocol/tasks"

var (
	always   = versions
	legacy   = versions[:4]
	modern   = versions[4:]
	since3   = versions[2:4] // of the legacy versions
	only4    = versions[3:4]
	noMethod = versions[:0]
)

var methods = []Method{
	{Name: "initialize", From: FromClient, Versions: legacy,
		Params: "protocolVersion, capabilities, clientInfo", Result: "protocolVersion, capabilities, serverInfo, instructions?"},
	{Name: "server/discover", From: FromClient, Versions: modern, Cacheable: true,
		Params: "_meta", Result: "supportedVersions, capabilities, instructions?, ttlMs, cacheScope"},
	{Name: "ping", From: FromBoth, Versions: legacy},
	{Name: "tools/list", From: FromClient, Versions: always, Cacheable: true, Capability: "tools",
		Params: "cursor?", Result: "tools, nextCursor?"},
	{Name: "tools/call", From: FromClient, Versions: always, MayAsk: true, Capability: "tools",
		Params: "name, arguments?, task?, inputResponses?, requestState?", Result: "content, structuredContent?, isError?"},
	{Name: "resources/list", From: FromClient, Versions: always, Cacheable: true, Capability: "resources",
		Params: "cursor?", Result: "resources, nextCursor?"},
	{Name: "resources/templates/list", From: FromClient, Versions: always, Cacheable: true, Capability: "resources",
		Params: "cursor?", Result: "resourceTemplates, nextCursor?"},
	{Name: "resources/read", From: FromClient, Versions: always, MayAsk: true, Cacheable: true, Capability: "resources",
		Params: "uri, inputResponses?, requestState?", Result: "contents"},
	{Name: "resources/subscribe", From: FromClient, Versions: legacy, Capability: "resources.subscribe", Params: "uri"},
	{Name: "resources/unsubscribe", From: FromClient, Versions: legacy, Capability: "resources.subscribe", Params: "uri"},
	{Name: "prompts/list", From: FromClient, Versions: always, Cacheable: true, Capability: "prompts",
		Params: "cursor?", Result: "prompts, nextCursor?"},
	{Name: "prompts/get", From: FromClient, Versions: always, MayAsk: true, Capability: "prompts",
		Params: "name, arguments?, inputResponses?, requestState?", Result: "description?, messages"},
	{Name: "completion/complete", From: FromClient, Versions: always, Capability: "completions",
		Params: "ref, argument, context?", Result: "completion"},
	{Name: "logging/setLevel", From: FromClient, Versions: legacy, Capability: "logging", Params: "level"},
	{Name: "subscriptions/listen", From: FromClient, Versions: modern, Params: "notifications"},

	{Name: "sampling/createMessage", From: FromServer, Versions: legacy, Carried: true, Capability: "sampling",
		Params: "messages, maxTokens, modelPreferences?, systemPrompt?, includeContext?, temperature?, stopSequences?, metadata?, tools?, toolChoice?",
		Result: "role, content, model, stopReason?"},
	{Name: "roots/list", From: FromServer, Versions: legacy, Carried: true, Capability: "roots", Result: "roots"},
	{Name: "elicitation/create", From: FromServer, Versions: since3, Carried: true, Capability: "elicitation",
		Params: "message, requestedSchema | mode, url, elicitationId", Result: "action, content?"},

	{Name: "tasks/get", From: FromBoth, Versions: only4, Extension: tasksExtension, Capability: "tasks", Params: "taskId", Result: "task"},
	{Name: "tasks/cancel", From: FromBoth, Versions: only4, Extension: tasksExtension, Capability: "tasks.cancel", Params: "taskId", Result: "task"},
	{Name: "tasks/result", From: FromBoth, Versions: only4, Capability: "tasks", Params: "taskId"},
	{Name: "tasks/list", From: FromBoth, Versions: only4, Capability: "tasks.list", Params: "cursor?", Result: "tasks, nextCursor?"},
	{Name: "tasks/update", From: FromClient, Versions: noMethod, Extension: tasksExtension, Params: "taskId, inputResponses"},

	{Name: "notifications/initialized", From: FromClient, Notification: true, Versions: legacy},
	{Name: "notifications/cancelled", From: FromBoth, Notification: true, Versions: always, Params: "requestId, reason?"},
	{Name: "notifications/progress", From: FromBoth, Notification: true, Versions: always,
		Params: "progressToken, progress, total?, message?"},
	{Name: "notifications/message", From: FromServer, Notification: true, Versions: always, Capability: "logging",
		Params: "level, logger?, data"},
	{Name: "notifications/tools/list_changed", From: FromServer, Notification: true, Versions: always, Capability: "tools.listChanged"},
	{Name: "notifications/prompts/list_changed", From: FromServer, Notification: true, Versions: always, Capability: "prompts.listChanged"},
	{Name: "notifications/resources/list_changed", From: FromServer, Notification: true, Versions: always, Capability: "resources.listChanged"},
	{Name: "notifications/resources/updated", From: FromServer, Notification: true, Versions: always, Capability: "resources.subscribe", Params: "uri"},
	{Name: "notifications/roots/list_changed", From: FromClient, Notification: true, Versions: legacy, Capability: "roots.listChanged"},
	{Name: "notifications/elicitation/complete", From: FromServer, Notification: true, Versions: only4, Params: "elicitationId"},
	{Name: "notifications/tasks/status", From: FromBoth, Notification: true, Versions: only4, Capability: "tasks", Params: "taskId, status"},
	{Name: "notifications/tasks", From: FromServer, Notification: true, Versions: noMethod, Extension: tasksExtension, Params: "taskId, status"},
	{Name: "notifications/subscriptions/acknowledged", From: FromServer, Notification: true, Versions: modern, Params: "notifications"},
}

// Methods returns every method that some version defines, requests first.
func Methods() []Method { return slices.Clone(methods) }

// LookupMethod finds a method by its exact name.
func LookupMethod(name string) (Method, bool) {
	for i := range methods { // short enough to be searched
		if methods[i].Name == name {
			return methods[i], true
		}
	}
	return Method{}, false
}
