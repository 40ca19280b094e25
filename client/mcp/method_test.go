package mcp

import (
	"strings"
	"testing"
)

func TestDecodeError(t *testing.T) {
	tests := []struct {
		name, object, text, hint string // hint: a part of it
		problem                  string
	}{
		{"plain", `{"code":-32602,"message":"unknown tool \"x\""}`, `invalid params (-32602): unknown tool "x"`, "arguments", ""},
		{"the name again", `{"code":-32601,"message":"Method not found"}`, "method not found (-32601)", "typing error", ""},
		{"no words", `{"code":-32603,"message":""}`, "internal error (-32603)", "stderr", ""},
		{"parse", `{"code":-32700,"message":"x"}`, "parse error (-32700): x", "quoting", ""},
		{"versions", `{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05","2025-03-26"],"requested":"1"}}`,
			"invalid params (-32602): Unsupported protocol version", "the server speaks 2024-11-05, 2025-03-26", ""},
		{"modern versions", `{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}`,
			"unsupported protocol version (-32022): x", "2026-07-28", ""},
		{"capabilities", `{"code":-32021,"message":"x","data":{"requiredCapabilities":{"sampling":{},"roots":{}}}}`,
			"missing client capability (-32021): x", "sampling, roots", ""},
		{"resource", `{"code":-32002,"message":"gone","data":{"uri":"a://b"}}`, "resource not found (-32002): gone", "a://b", ""},
		{"elicitation", `{"code":-32042,"message":"x","data":{"elicitations":[{"url":"https://h/1"},{"url":"https://h/2"},{"url":"https://h/1"}]}}`,
			"URL elicitation required (-32042): x", "open https://h/1 and https://h/2 in", ""},
		{"data of another shape", `{"code":-32022,"message":"x","data":[1]}`, "unsupported protocol version (-32022): x", "does not speak", ""},
		{"whole", `{"code":-32601.0,"message":"x"}`, "method not found (-32601): x", "capability", ""},
		{"own code", `{"code":42,"message":"no"}`, "application error (42): no", "server's own", ""},
		{"zero", `{"code":0,"message":"no"}`, "unspecified error (0): no", "initialized", ""},
		{"half", `{"code":1.5,"message":"no"}`, "unspecified error (0): no", "", "code is 1.5, not a whole number in range"},
		{"code as text", `{"code":"E1","message":"no"}`, "unspecified error (0): no", "", "code is a string, not a number"},
		{"empty", `{}`, "unspecified error (0)", "", "code is missing; message is missing"},
		{"text alone", `"boom"`, "unspecified error (0): boom", "", "error is a string, not an object"},
		{"null", `null`, "unspecified error (0)", "", "error is null"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := DecodeError([]byte(test.object))
			if e.Error() != test.text {
				t.Errorf("text %q, want %q", e.Error(), test.text)
			}
			if !strings.Contains(e.Hint(), test.hint) {
				t.Errorf("hint %q, want … %q", e.Hint(), test.hint)
			}
			if e.Problem != test.problem || e.Word() != "rpc" || string(e.Raw) != test.object {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestCodes(t *testing.T) {
	tests := []struct {
		code int64
		name string
	}{
		{-32700, "parse error"}, {-32600, "invalid request"}, {-32601, "method not found"}, {-32602, "invalid params"},
		{-32603, "internal error"}, {-32002, "resource not found"}, {-32020, "header mismatch"},
		{-32021, "missing client capability"}, {-32022, "unsupported protocol version"}, {-32042, "URL elicitation required"},
		{-1, "rejected by the user"}, {-32000, "server error"}, {-32001, "server error"}, {-32010, "server error"},
		{-32019, "server error"}, {-32023, "reserved code"}, {-32099, "reserved code"}, {-32100, "reserved code"},
		{-32604, "reserved code"}, {-32768, "reserved code"}, {-32769, "application error"}, {1, "application error"}, {0, "unspecified error"},
	}
	for _, test := range tests {
		if got := CodeName(test.code); got != test.name {
			t.Errorf("CodeName(%d) = %q, want %q", test.code, got, test.name)
		}
		hint := CodeHint(test.code)
		if hint == "" || strings.HasSuffix(hint, ".") {
			t.Errorf("CodeHint(%d) = %q", test.code, hint)
		}
	}
}

func TestMethods(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Methods() {
		if seen[m.Name] {
			t.Errorf("%s is there twice", m.Name)
		}
		seen[m.Name] = true
		if m.Notification != strings.HasPrefix(m.Name, "notifications/") {
			t.Errorf("%s: notification is %v", m.Name, m.Notification)
		}
		if m.From == 0 || len(m.Versions) == 0 && m.Extension == "" {
			t.Errorf("%s: nobody sends it, or never", m.Name)
		}
		for _, v := range m.Versions {
			if !KnownVersion(v) {
				t.Errorf("%s: version %s", m.Name, v)
			}
		}
	}
	tests := []struct {
		name, version string
		in            bool
		needs         string
	}{
		{"initialize", V20241105, true, ""},
		{"initialize", V20260728, false, ""},
		{"tools/call", V20260728, true, "tools"},
		{"server/discover", V20251125, false, ""},
		{"elicitation/create", V20250326, false, "elicitation"},
		{"elicitation/create", V20250618, true, "elicitation"},
		{"resources/subscribe", V20251125, true, "resources.subscribe"},
		{"completion/complete", V20241105, true, ""},
		{"completion/complete", V20250326, true, "completions"},
		{"tasks/get", V20251125, true, "tasks"},
		{"tasks/get", V20260728, false, "tasks"},
		{"sampling/createMessage", V20260728, false, "sampling"},
	}
	for _, test := range tests {
		m, ok := LookupMethod(test.name)
		if !ok || m.In(test.version) != test.in || m.Needs(test.version) != test.needs {
			t.Errorf("%s in %s: %+v", test.name, test.version, m)
		}
	}
	if _, ok := LookupMethod("tools/List"); ok {
		t.Error("names are exact")
	}
}

func TestVersionsOfMethods(t *testing.T) {
	for _, test := range []struct {
		name, version string
		usable        bool
		hint          string
	}{
		{"tools/call", V20260728, true, ""},
		{"tasks/get", V20260728, true, ""},
		{"tasks/get", V20250618, false, "it came with 2025-11-25"},
		{"tasks/result", V20260728, false, "it is not in 2026-07-28: tasks/get brings"},
		{"tasks/update", V20260728, true, ""},
		{"tasks/update", V20251125, false, "only the extension"},
		{"notifications/tasks", V20251125, false, "only the extension"},
		{"ping", V20260728, false, "nothing took its place"},
		{"initialize", V20260728, false, "server/discover"},
		{"server/discover", V20241105, false, "it came with 2026-07-28"},
		{"sampling/createMessage", V20260728, false, "inputRequests"},
		{"roots/list", V20260728, false, "inputRequests"},
		{"elicitation/create", V20241105, false, "it came with 2025-06-18"},
		{"notifications/elicitation/complete", V20260728, false, "it is not in 2026-07-28"},
		{"foo/bar", V20260728, false, ""},
	} {
		m, _ := LookupMethod(test.name)
		hint := VersionHint(test.name, test.version)
		if m.Usable(test.version) != test.usable || !strings.Contains(hint, test.hint) || (hint == "") != (test.hint == "") {
			t.Errorf("%s in %s: usable %v, %q", test.name, test.version, m.Usable(test.version), hint)
		}
	}
	var asks, carried, kept []string
	for _, m := range Methods() {
		if m.MayAsk {
			asks = append(asks, m.Name)
		}
		if m.Carried {
			carried = append(carried, m.Name)
		}
		if m.Cacheable {
			kept = append(kept, m.Name)
		}
	}
	if got := strings.Join(asks, " "); got != "tools/call resources/read prompts/get" {
		t.Error(got)
	}
	if got := strings.Join(carried, " "); got != "sampling/createMessage roots/list elicitation/create" {
		t.Error(got)
	}
	if got := strings.Join(kept, " "); got != "server/discover tools/list resources/list resources/templates/list resources/read prompts/list" {
		t.Error(got)
	}
	for name := range successors {
		if m, ok := LookupMethod(name); !ok || m.Usable(V20260728) {
			t.Errorf("%s has a successor", name)
		}
	}
}

func TestReservedCodes(t *testing.T) {
	for code, want := range map[int64]bool{-32019: false, -32020: false, -32021: false, -32022: false, -32023: true, -32042: true,
		-32099: true, -32100: false, -32002: true, -32001: false, -32603: false, 0: false} {
		if ReservedCode(code) != want {
			t.Errorf("%d: %v", code, !want)
		}
	}
}

func TestNearestMethod(t *testing.T) {
	tests := []struct{ name, want string }{
		{"tools/list", "tools/list"},
		{"tool/list", "tools/list"},
		{"tools/lits", "tools/list"},
		{"tools.list", "tools/list"},
		{"tools_list", "tools/list"},
		{"toolsList", "tools/list"},
		{"listTools", "tools/list"},
		{"list_tools", "tools/list"},
		{"call_tool", "tools/call"},
		{"tools/cal", "tools/call"},
		{"resource/read", "resources/read"},
		{"resources/templates", "resources/templates/list"},
		{"initialise", "initialize"},
		{"Initialize", "initialize"},
		{"initialized", "notifications/initialized"},
		{"notification/initialized", "notifications/initialized"},
		{"notifications/initialised", "notifications/initialized"},
		{"notifications/resources/changed", "notifications/resources/list_changed"},
		{"notifications/tools/changed", "notifications/tools/list_changed"},
		{"notifications/resources/update", "notifications/resources/updated"},
		{"notifications/canceled", "notifications/cancelled"},
		{"cancelled", "notifications/cancelled"},
		{"$/cancelRequest", "notifications/cancelled"},
		{"prompt/get", "prompts/get"},
		{"completion/completed", "completion/complete"},
		{"logging/set_level", "logging/setLevel"},
		{"sampling/create_message", "sampling/createMessage"},
		{"foo/bar", ""},
		{"", ""},
		{"天气", ""},
		{strings.Repeat("tools/list", 1000), ""},
	}
	for _, test := range tests {
		got, ok := NearestMethod(test.name)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("NearestMethod(%.40q) = %q, %v; want %q", test.name, got, ok, test.want)
		}
	}
	if h := MethodHint("notifications/resources/changed"); !strings.Contains(h, "list_changed") || !strings.Contains(h, "resources/updated") {
		t.Error(h)
	}
	if h := MethodHint("initialized"); h != "did you mean notifications/initialized?" {
		t.Error(h)
	}
	if MethodHint("tools/list") != "" || MethodHint("foo/bar") != "" {
		t.Error("a hint without need")
	}
}

func TestTheHintOfAnErrorIsAboutItsRequest(t *testing.T) {
	for _, c := range []struct {
		e    RPCError
		hint string
	}{
		{RPCError{Code: CodeInvalidParams}, "since 2026-07-28"},
		{RPCError{Code: CodeInvalidParams, Method: "tools/call"}, "the server knows no such tool"},
		{RPCError{Code: CodeInvalidParams, Method: "resources/read"}, "under this URI"},
		{RPCError{Code: CodeInvalidParams, Method: "prompts/list"}, "cursor"},
		{RPCError{Code: CodeInvalidParams, Method: "tasks/get"}, "no such task"},
		{RPCError{Code: CodeInvalidParams, Method: "mine/own"}, "since 2026-07-28"},
		{RPCError{Code: CodeInvalidParams, Method: "initialize", Data: []byte(`{"supported":["2025-06-18"]}`)}, "the server speaks 2025-06-18"},
		{RPCError{Code: CodeMethodNotFound, Method: "prompts/list", Lacks: "prompts"}, "the server did not declare prompts, which prompts/list needs"},
		{RPCError{Code: CodeMethodNotFound, Method: "ping"}, "a method of another protocol version"},
	} {
		if got := c.e.Hint(); !strings.Contains(got, c.hint) {
			t.Errorf("%+v: %q, want %q", c.e, got, c.hint)
		}
	}
}
