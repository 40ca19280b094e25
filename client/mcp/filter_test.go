package mcp

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestFilterJSON(t *testing.T) {
	tests := []struct {
		filter     Filter
		json, text string
	}{
		{Filter{}, `{}`, "nothing"},
		{Filter{Tools: true}, `{"toolsListChanged":true}`, "changes of tools"},
		{Filter{Tools: true, Prompts: true, Resources: true, URIs: []string{"file:///a", `b"`}, TaskIDs: []string{"t"}},
			`{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["file:///a","b\""],"taskIds":["t"]}`,
			`changes of tools, prompts, resources, updates of file:///a, b", tasks t`},
		{Filter{URIs: []string{"1", "2", "3", "4", "5"}}, `{"resourceSubscriptions":["1","2","3","4","5"]}`, "updates of 1, 2, 3 and 2 more"},
	}
	for _, tt := range tests {
		raw, err := json.Marshal(tt.filter)
		if err != nil || string(raw) != tt.json {
			t.Errorf("got %s, %v, want %s", raw, err, tt.json)
		}
		var back Filter
		if err := json.Unmarshal(raw, &back); err != nil || !reflect.DeepEqual(back, tt.filter) {
			t.Errorf("%s came back as %+v, %v", raw, back, err)
		}
		if got := tt.filter.String(); got != tt.text {
			t.Errorf("%q, want %q", got, tt.text)
		}
		if tt.filter.IsZero() != (tt.json == `{}`) {
			t.Errorf("%s: IsZero is %v", raw, tt.filter.IsZero())
		}
	}
}

func TestDecodeFilterIsLenient(t *testing.T) {
	f, problem := DecodeFilter(json.RawMessage(`{"toolsListChanged":"yes","promptsListChanged":false,"resourceSubscriptions":["a",1],"other":1}`))
	if f.Tools || f.Prompts || !reflect.DeepEqual(f.URIs, []string{"a"}) {
		t.Errorf("got %+v", f)
	}
	if !strings.Contains(problem, "toolsListChanged is a string") || !strings.Contains(problem, "a member of resourceSubscriptions is a number") {
		t.Errorf("problem %q", problem)
	}
	if _, problem := DecodeFilter(nil); problem == "" {
		t.Error("nothing at all is no filter")
	}
}

func TestFilterWithout(t *testing.T) {
	asked := Filter{Tools: true, Prompts: true, URIs: []string{"a", "b"}, TaskIDs: []string{"t"}}
	got := asked.Without(Filter{Tools: true, Resources: true, URIs: []string{"b", "c"}})
	if want := (Filter{Prompts: true, URIs: []string{"a"}, TaskIDs: []string{"t"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
