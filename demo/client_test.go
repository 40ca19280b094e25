package demo

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestQuestionsToTheClient(t *testing.T) {
	p := start(t, Options{})
	for name, missing := range map[string]string{"ask": "elicitation", "sample_llm": "sampling", "show_roots": "roots"} {
		if got := p.ask(calling(name, `{"prompt":"hi"}`)); !strings.Contains(got, "the client did not declare "+missing) || !strings.Contains(got, `"isError":true`) {
			t.Errorf("%s without a handshake: %s", name, got)
		}
	}
	p.shake()
	for _, c := range []struct{ tool, question, answer, want string }{
		{calling("ask", `{}`), `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","message":"Which day do you want to leave?","requestedSchema":` + string(tripQuestions) + `}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"date":"2026-12-01","class":"first"}}}`,
			`the answer was accept: {\"class\":\"first\",\"date\":\"2026-12-01\"}`},
		{calling("ask", `{"message":"Sure?"}`), "", `{"jsonrpc":"2.0","id":2,"result":{"action":"decline"}}`, `the answer was decline`},
		{calling("ask", `{}`), "", `{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"nobody here"}}`, `"error":{"code":-32000,"message":"multi-round-trip: fulfilling input request \"answer\": calling \"elicitation/create\": nobody here"}`},
		{calling("sample_llm", `{"prompt":"hi"}`), `{"jsonrpc":"2.0","id":4,"method":"sampling/createMessage","params":{"maxTokens":100,"messages":[{"content":{"type":"text","text":"hi"},"role":"user"}],"systemPrompt":"Answer in one sentence."}}`,
			`{"jsonrpc":"2.0","id":4,"result":{"role":"assistant","content":{"type":"text","text":"hello"},"model":"m"}}`,
			`[{"type":"text","text":"the model m wrote:"},{"type":"text","text":"hello"}]`},
		{calling("show_roots", `{}`), `{"jsonrpc":"2.0","id":5,"method":"roots/list","params":{}}`,
			`{"jsonrpc":"2.0","id":5,"result":{"roots":[{"uri":"file:///home","name":"home"}]}}`, `roots: 1\nfile:///home home`},
	} {
		question := p.ask(c.tool)
		if c.question != "" && question != c.question {
			t.Errorf("%s asks\n%s\nwant\n%s", c.tool, question, c.question)
		}
		if got := p.ask(c.answer); !strings.Contains(got, c.want) {
			t.Errorf("%s\ngot  %s\nwant %s", c.tool, got, c.want)
		}
	}
}

// A question whose call is cancelled is withdrawn, under the id it went out with.
func TestCancelWhileAsking(t *testing.T) {
	p := start(t, Options{})
	p.shake()
	p.ask(calling("ask", `{}`))
	p.shake() // a new session, whose own numbers begin again
	if got := p.ask(strings.Replace(calling("ask", `{}`), `"id":1`, `"id":8`, 1)); !strings.Contains(got, `"id":2,"method":"elicitation/create"`) {
		t.Fatal(got)
	}
	if got := p.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}`); got != `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"context canceled"}}` {
		t.Error(got)
	}
	if got := p.ask(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`); !strings.Contains(got, "the answer was decline") {
		t.Error(got) // of the session before, whose call still waits
	}
}

// official connects the client of the official SDK to a server in memory.
func official(t *testing.T, as string, opt *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Serve(context.Background(), inR, outW, io.Discard, Options{As: as}) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "official", Version: "1"}, opt)
	session, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return session
}

func TestOfficialClient(t *testing.T) {
	session := official(t, "demo", &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"date": "2026-12-01"}}, nil
		},
	})
	if v := session.InitializeResult().ProtocolVersion; v != "2026-07-28" {
		t.Errorf("they speak %s", v)
	}
	tools, resources := 0, 0
	for _, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		tools++
	}
	for _, err := range session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		resources++
	}
	if tools != 20 || resources != 30 {
		t.Errorf("%d tools, %d resources", tools, resources)
	}
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
	if err != nil || !strings.Contains(answer.Content[0].(*mcp.TextContent).Text, "2026-12-01") {
		t.Errorf("%+v, %v", answer, err)
	}
	for _, name := range []string{"toggle_tool", "picture", "link"} {
		if r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name}); err != nil || r.IsError {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// In the worlds of the tutorials it falls back to the handshake.
func TestOfficialClientWithAHandshake(t *testing.T) {
	session := official(t, "weather", nil)
	if r := session.InitializeResult(); r.ProtocolVersion != "2025-11-25" || r.ServerInfo.Version != "1.6.0" {
		t.Errorf("%+v", r)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
}

// Every step of the tour has an answer, and the same one each time.
func TestTour(t *testing.T) {
	var runs [2][]string
	for i := range runs {
		p := start(t, Options{})
		p.shake()
		for _, s := range TourSteps() {
			if (s.Method == "") == (s.Raw == "") || s.Title == "" || !strings.HasSuffix(s.Sentence, ".") {
				t.Errorf("step %+v", s)
			}
			line := s.Raw
			if line == "" {
				line = string(asked([]byte(`1`), s.Method, s.Params))
			}
			p.send(line)
			for {
				said := p.next()
				runs[i] = append(runs[i], said)
				if !strings.Contains(said, `"method":`) {
					break
				}
			}
		}
		if rest, err := p.end(); err != nil || len(rest) > 0 {
			t.Errorf("%q, %v", rest, err)
		}
	}
	if !slices.Equal(runs[0], runs[1]) {
		t.Errorf("two tours differ:\n%s\n\n%s", strings.Join(runs[0], "\n"), strings.Join(runs[1], "\n"))
	}
	all := strings.Join(runs[0], "\n")
	for _, part := range []string{`-32700`, `"isError":true`, `-32602`, `notifications/message`, `nextCursor`, `"id":"by-hand","result":{}`, `请审查以下代码`} {
		if !strings.Contains(all, part) {
			t.Errorf("the tour does not show %s", part)
		}
	}
}
