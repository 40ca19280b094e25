package mcp

import (
	"slices"
	"strings"
	"testing"
)

func TestDecodeDiscover(t *testing.T) {
	tests := []struct {
		name, result string
		versions     []string
		server       string
		problem      string
	}{
		{"as specified", `{"resultType":"complete","supportedVersions":["2026-07-28","2027-01-01"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"ttlMs":0,"cacheScope":"public"}`,
			[]string{"2026-07-28", "2027-01-01"}, "s", ""},
		{"info beside", `{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"old","version":"1"}}`,
			[]string{"2026-07-28"}, "old", ""},
		{"_meta wins", `{"serverInfo":{"name":"old"},"supportedVersions":["a"],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"title":"New","name":"new"}}}`,
			[]string{"a"}, "New", ""},
		{"nobody", `{"supportedVersions":["a"],"capabilities":{}}`, []string{"a"}, "", ""},
		{"odd members", `{"supportedVersions":["a",7,null,"b"],"capabilities":[]}`,
			[]string{"a", "b"}, "", "a supported version is a number"},
		{"nothing", `{}`, nil, "", "supportedVersions is missing; capabilities is missing"},
		{"none", `{"supportedVersions":[],"capabilities":{}}`, nil, "", "supportedVersions is empty"},
		{"no object", `[]`, nil, "", "result is an array, not an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := DecodeDiscover([]byte(tt.result))
			if !slices.Equal(got.Supported, tt.versions) || got.Label() != tt.server || got.ProtocolVersion != "" {
				t.Errorf("got %q of %q, version %q", got.Supported, got.Label(), got.ProtocolVersion)
			}
			if (tt.problem == "") != (got.Problem == "") || !strings.Contains(got.Problem, tt.problem) {
				t.Errorf("problem %q, want %q", got.Problem, tt.problem)
			}
		})
	}
}
