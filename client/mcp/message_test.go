package mcp

import (
	"math"
	"slices"
	"testing"
)

func TestDecodeInitialize(t *testing.T) {
	init := DecodeInitialize([]byte(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},
		"resources":{"subscribe":false},"logging":{},"prompts":null,"experimental":{"x":{}}},
		"serverInfo":{"name":"n","title":"T","version":"1.0"},"instructions":"read me"}`))
	if init.Problem != "" || init.ProtocolVersion != V20251125 || init.ServerName != "n" || init.ServerTitle != "T" ||
		init.ServerVersion != "1.0" || init.Instructions != "read me" || init.Label() != "T" {
		t.Errorf("%+v", init)
	}
	for name, want := range map[string]bool{
		"tools": true, "tools.listChanged": true, "resources": true, "resources.subscribe": false, "resources.listChanged": false,
		"logging": true, "prompts": false, "completions": false, "experimental.x": true, "": false,
	} {
		if got := init.Has(name); got != want {
			t.Errorf("Has(%q) = %v", name, got)
		}
	}
	for result, want := range map[string]string{
		`{}`: "protocolVersion is missing; capabilities is missing; serverInfo is missing",
		`{"protocolVersion":1,"capabilities":[],"serverInfo":"n"}`: "protocolVersion is a number, not a string; " +
			"capabilities is an array, not an object; serverInfo is a string, not an object",
		`"ok"`: "result is a string, not an object",
	} {
		if got := DecodeInitialize([]byte(result)); got.Problem != want || got.Has("tools") {
			t.Errorf("%s: %q, want %q", result, got.Problem, want)
		}
	}
}

func TestVersions(t *testing.T) {
	if got := Legacy(); !slices.Equal(got, []string{V20251125, V20250618, V20250326, V20241105}) {
		t.Error(got)
	}
	if !KnownVersion(V20260728) || !KnownVersion(V20241105) || KnownVersion("2025-01-01") || KnownVersion("") {
		t.Error("known versions")
	}
}

func TestDecodeProgress(t *testing.T) {
	tests := []struct {
		params          string
		progress        float64
		total           *float64
		spelled, spells string
		problem         string
	}{
		{`{"progressToken":1,"progress":3,"total":10,"message":"m"}`, 3, ptr(10.0), "3", "10", ""},
		{`{"progressToken":"t","progress":0.10,"total":1.0}`, 0.1, ptr(1.0), "0.10", "1.0", ""},
		{`{"progressToken":"t","progress":9007199254740993}`, 9007199254740992, nil, "9007199254740993", "", ""},
		{`{"progressToken":"t","progress":1e999}`, math.Inf(1), nil, "1e999", "", ""},
		{`{"progress":"half","total":null}`, 0, nil, "", "",
			"progress is a string, not a number; total is null; progressToken is missing"},
		{`[]`, 0, nil, "", "", "params is an array, not an object"},
	}
	for _, test := range tests {
		p := DecodeProgress([]byte(test.params))
		if p.Progress != test.progress || !equal(p.Total, test.total) || p.ProgressSpelled != test.spelled ||
			p.TotalSpelled != test.spells || p.Problem != test.problem {
			t.Errorf("%s: %+v", test.params, p)
		}
	}
}

func TestDecodeLog(t *testing.T) {
	tests := []struct {
		params, text string
		severity     int
		problem      string
	}{
		{`{"level":"warning","logger":"db","data":"quota\n90 %"}`, "quota\n90 %", 3, ""},
		{`{"level":"debug","data":{"n":1.0,"m":[9007199254740993]}}`, `{"n":1.0,"m":[9007199254740993]}`, 0, ""},
		{`{"level":"emergency","data":null}`, "null", 7, ""},
		{`{"level":"warn","data":1}`, "1", -1, `level "warn" is not one of the eight`},
		{`{"data":"x"}`, "x", -1, "level is missing"},
		{`{"level":"info"}`, "", 1, "data is missing"},
	}
	for _, test := range tests {
		m := DecodeLog([]byte(test.params))
		if m.Text() != test.text || m.Severity() != test.severity || m.Problem != test.problem {
			t.Errorf("%s: %+v, text %q, severity %d", test.params, m, m.Text(), m.Severity())
		}
	}
	if levels := LogLevels(); len(levels) != 8 || levels[0] != "debug" || levels[7] != "emergency" {
		t.Error(levels)
	}
}

func TestDecodeElicit(t *testing.T) {
	tests := []struct{ params, mode, schema, problem string }{
		{`{"message":"m","requestedSchema":{"type":"object"}}`, "form", `{"type":"object"}`, ""},
		{`{"mode":"url","message":"m","url":"https://h","elicitationId":"1"}`, "url", "", ""},
		{`{"message":"m"}`, "form", "", "requestedSchema is missing"},
		{`{"mode":"url"}`, "url", "", "message is missing; url is missing"},
		{`{"mode":"voice","message":"m"}`, "voice", "", "mode is neither form nor url"},
		{`{"message":"m","requestedSchema":null}`, "form", "null", "requestedSchema is null"},
	}
	for _, test := range tests {
		e := DecodeElicit([]byte(test.params))
		if e.Mode != test.mode || string(e.Schema) != test.schema || e.Problem != test.problem || string(e.Raw) != test.params {
			t.Errorf("%s: %+v", test.params, e)
		}
	}
}

func TestDecodeSampling(t *testing.T) {
	s := DecodeSampling([]byte(`{"messages":[{"role":"user","content":{"type":"text","text":"hi"}},
		{"role":"assistant","content":[{"type":"tool_use","name":"n"},{"type":"text","text":"x"}]}],
		"maxTokens":1e3,"systemPrompt":"be brief","tools":[]}`))
	if s.Problem != "" || s.MaxTokens != "1e3" || s.SystemPrompt != "be brief" || string(s.Tools) != "[]" || len(s.Messages) != 2 ||
		s.Messages[0].Content[0].Text != "hi" || len(s.Messages[1].Content) != 2 || s.Messages[1].Problem != "" {
		t.Errorf("%+v", s)
	}
	if p := DecodeSampling([]byte(`{"maxTokens":"many"}`)).Problem; p != "maxTokens is a string, not a number; messages is missing" {
		t.Error(p)
	}
}
