package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestDecodeInputRequired(t *testing.T) {
	tests := []struct {
		name, result string
		requests     string
		state        string // "absent" if there is none
		problem      string
	}{
		{"as specified", `{"resultType":"input_required","inputRequests":{"b":{"method":"elicitation/create","params":{"message":"?"}},"a":{"method":"roots/list"}},"requestState":"x\u0041=="}`,
			`"b" elicitation/create {"message":"?"}; "a" roots/list `, `"x\u0041=="`, ""},
		{"state only", `{"requestState":"s"}`, "", `"s"`, ""},
		{"empty state", `{"requestState":""}`, "", `""`, ""},
		{"state is no text", `{"requestState":{"a": 1}}`, "", `{"a": 1}`, "requestState is an object"},
		{"state is null", `{"requestState":null,"inputRequests":{}}`, "", "absent", "requestState is null"},
		{"no requests", `{"inputRequests":{}}`, "", "absent", ""},
		{"neither", `{"resultType":"input_required"}`, "", "absent", "neither inputRequests nor requestState"},
		{"a key with escapes", `{"inputRequests":{"\u0061\ud800":{"method":"roots/list"}}}`, `"\u0061\ud800" roots/list `, "absent", ""},
		{"a key twice", `{"inputRequests":{"a":{"method":"x"},"b":{"method":"y"},"a":{"method":"z"}}}`, `"a" z ; "b" y `, "absent", "has a twice"},
		{"no method", `{"inputRequests":{"a":{"params":{}}}}`, `"a"  {}`, "absent", "inputRequests.a: method is missing"},
		{"an odd request", `{"inputRequests":{"a":7}}`, `"a"  `, "absent", "inputRequests.a: the request is a number"},
		{"an array", `{"inputRequests":[{"method":"roots/list"}]}`, "", "absent", "inputRequests is an array"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := DecodeInputRequired([]byte(tt.result))
			var got []string
			for _, q := range in.Requests {
				got = append(got, fmt.Sprintf("%s %s %s", q.Spelled, q.Method, q.Params))
			}
			if s := strings.Join(got, "; "); s != tt.requests {
				t.Errorf("requests %q, want %q", s, tt.requests)
			}
			state := "absent"
			if in.HasState {
				state = string(in.State)
			}
			if state != tt.state {
				t.Errorf("state %s, want %s", state, tt.state)
			}
			if (in.Problem == "") != (tt.problem == "") || !strings.Contains(in.Problem, tt.problem) {
				t.Errorf("problem %q, want %q", in.Problem, tt.problem)
			}
		})
	}
}

func TestAppendInputResponsesKeepsTheSpellingOfKeys(t *testing.T) {
	in := DecodeInputRequired([]byte(`{"inputRequests":{"\u0061":{"method":"x"},"b\"":{"method":"y"}}}`))
	got := AppendInputResponses([]byte("="), in.Requests, []json.RawMessage{[]byte(`{"n":1.0}`), []byte(`null`)})
	if want := `={"\u0061":{"n":1.0},"b\"":null}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := AppendInputResponses(nil, nil, nil); string(got) != `{}` {
		t.Errorf("of nothing: %s", got)
	}
}
