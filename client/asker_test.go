package client_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"testing"
)

// asker is a modern server that keeps nothing: it answers tools/call with a question,
// then with another one, then with the name of the tool, and finds how far it came in
// what it gets.
func asker(t *testing.T) func(r io.Reader, w io.Writer) {
	return func(r io.Reader, w io.Writer) {
		lines := bufio.NewReader(r)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			var q askerRequest
			if err := json.Unmarshal(line, &q); err != nil {
				t.Error(err)
				return
			}
			if _, err := fmt.Fprintf(w, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", q.ID, q.answer()); err != nil {
				return
			}
		}
	}
}

type askerRequest struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string                     `json:"name"`
		State     string                     `json:"requestState"`
		Responses map[string]json.RawMessage `json:"inputResponses"`
	} `json:"params"`
}

func (q *askerRequest) answer() string {
	name, state := q.Params.Name, q.Params.State
	ask := func(round string) string {
		return fmt.Sprintf(`{"resultType":"input_required","requestState":"%s %s","inputRequests":{"%s":{"method":"elicitation/create","params":{"message":"%s"}}}}`, name, round, name, name)
	}
	_, answered := q.Params.Responses[name]
	switch {
	case q.Method == "server/discover":
		return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
	case state == "" && len(q.Params.Responses) == 0:
		return ask("1")
	case state == name+" 1" && answered:
		return ask("2")
	case state == name+" 2" && answered && len(q.Params.Responses) == 1:
		return fmt.Sprintf(`{"resultType":"complete","content":[%q]}`, name)
	}
	return `{"resultType":"complete","isError":true,"content":[]}`
}
