package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/wire"
)

// plainServer is a modern server over HTTP that answers with JSON.
type plainServer struct {
	t *testing.T

	mu    sync.Mutex
	tools []string // what tools/list says, the last one again and again
	want  string   // the Mcp-Param-Region without which a call is refused
	lists int
	calls []string // the Mcp-Param-* of each call
}

func (s *plainServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var q struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if err := json.Unmarshal(raw, &q); err != nil || r.Method != http.MethodPost {
		http.Error(w, "no", http.StatusMethodNotAllowed)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	member, status := `"result":{"resultType":"complete","content":[]}`, http.StatusOK
	switch q.Method {
	case "server/discover":
		member = `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
	case "tools/list":
		member = `"result":{"resultType":"complete","tools":[` + s.tools[min(s.lists, len(s.tools)-1)] + `],"ttlMs":60000,"cacheScope":"public"}`
		s.lists++
	case "tools/call":
		var fields []string
		for name := range r.Header {
			if strings.HasPrefix(name, "Mcp-Param-") {
				fields = append(fields, name+"="+r.Header.Get(name))
			}
		}
		s.calls = append(s.calls, strings.Join(fields, " "))
		if s.want != "" && r.Header.Get("Mcp-Param-Region") != s.want {
			member, status = `"error":{"code":-32020,"message":"header mismatch"}`, http.StatusBadRequest
		}
	}
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, q.ID, member)
}

// over connects a client to a handler over HTTP.
func over(t *testing.T, h http.Handler, opt client.Options) (*client.Client, *clienttest.Log) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	log := checked(t)
	if opt.Protocol == "" {
		opt.Protocol = "modern"
	}
	opt.Name, opt.Version = "t", "1"
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		return wire.DialHTTP(t.Context(), wire.HTTPOptions{URL: server.URL, Epoch: epoch}, sink)
	}, opt)
	connect(t, c)
	t.Cleanup(func() { _ = c.Close(t.Context()) })
	return c, log
}

func tool(name, property string) string {
	return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object","properties":{"region":%s}}}`, name, property)
}

const (
	marked   = `{"type":"string","x-mcp-header":"Region"}`
	unmarked = `{"type":"string"}`
)

func TestArgumentsAreRepeatedInHeaderFields(t *testing.T) {
	s := &plainServer{t: t, tools: []string{tool("f", marked) + "," + tool("g", unmarked)}}
	c, _ := over(t, s, client.Options{})
	for _, step := range []struct{ tool, arguments string }{
		{"f", `{"region":"us-west1"}`}, {"f", `{"region":"Hello, 世界"}`}, {"f", `{"region":null}`}, {"f", `{}`}, {"g", `{"region":"x"}`}, {"unknown", `{"region":"x"}`},
	} {
		if _, err := c.Request(t.Context(), "tools/call", client.CallParams(step.tool, json.RawMessage(step.arguments)), client.CallOptions{}); err != nil {
			t.Errorf("%s: %v", step.tool, err)
		}
	}
	want := []string{"Mcp-Param-Region=us-west1", "Mcp-Param-Region==?base64?SGVsbG8sIOS4lueVjA==?=", "", "", "", ""}
	if got := strings.Join(s.calls, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
	if s.lists != 1 {
		t.Errorf("listed %d times", s.lists)
	}
}

func TestCallsAtOnceListOnce(t *testing.T) {
	s := &plainServer{t: t, tools: []string{tool("f", marked)}}
	c, _ := over(t, s, client.Options{})
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			if _, err := c.Request(t.Context(), "tools/call", client.CallParams("f", json.RawMessage(`{"region":"x"}`)), client.CallOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, fields := range s.calls {
		if fields != "Mcp-Param-Region=x" {
			t.Errorf("a call with %q", fields)
		}
	}
	if s.lists != 1 || len(s.calls) != 32 {
		t.Errorf("listed %d times, called %d times", s.lists, len(s.calls))
	}
}

func TestAToolThatMustNotBeCalled(t *testing.T) {
	s := &plainServer{t: t, tools: []string{tool("bad", `{"type":"number","x-mcp-header":"N"}`) + "," + tool("good", unmarked)}}
	told := new(notices)
	c, _ := over(t, s, client.Options{Notice: told.take})
	params := client.CallParams("bad", json.RawMessage(`{"region":1}`))
	_, err := c.Request(t.Context(), "tools/call", params, client.CallOptions{})
	var excluded *client.ExcludedError
	if !errors.As(err, &excluded) || excluded.Tool != "bad" || !strings.Contains(excluded.Reason, "type number") {
		t.Errorf("got %v", err)
	}
	if reason, ok := c.Excluded("bad"); !ok || reason != excluded.Reason {
		t.Errorf("excluded for %q", reason)
	}
	if _, ok := c.Excluded("good"); ok {
		t.Error("a sound tool is excluded")
	}
	if len(s.calls) != 0 {
		t.Error("it was called")
	}
	if _, err := c.Request(t.Context(), "tools/call", params, client.CallOptions{Force: true}); err != nil || len(s.calls) != 1 || s.calls[0] != "" {
		t.Errorf("forced: %v, %q", err, s.calls)
	}
	if len(told.texts) != 1 || !strings.Contains(told.texts[0], `the tool "bad" cannot be called over HTTP`) {
		t.Errorf("told %q", told.texts)
	}
}

func TestOtherTransportsMindNoMarks(t *testing.T) {
	modernStory(t, client.Options{}, `
> tools/list
answer {"resultType":"complete","tools":[`+tool("bad", `{"type":"number","x-mcp-header":"N"}`)+`]}
> tools/call
answer `+done+`
> tools/call
answer `+done, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		if _, err := c.List(t.Context(), "tools/list", client.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"bad", "never listed"} {
			if _, err := call(t, c, name, client.CallOptions{}); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestAHeaderMismatchIsMendedOnce(t *testing.T) {
	s := &plainServer{t: t, tools: []string{tool("f", unmarked), tool("f", marked)}, want: "x"}
	told := new(notices)
	c, log := over(t, s, client.Options{Notice: told.take})
	params := client.CallParams("f", json.RawMessage(`{"region":"x"}`))
	a, err := c.Request(t.Context(), "tools/call", params, client.CallOptions{})
	if err != nil || strings.Join(s.calls, "|") != "|Mcp-Param-Region=x" || s.lists != 2 {
		t.Fatalf("got %v, calls %q, %d lists", err, s.calls, s.lists)
	}
	if f := log.Frames()[a.Request.Seq-1]; f.Of == 0 || f.By != wire.ByAuto {
		t.Errorf("sent again by %s, of %d", f.By, f.Of)
	}
	if len(told.texts) != 1 || !strings.Contains(told.texts[0], "-32020") {
		t.Errorf("told %q", told.texts)
	}
	s.want = "y"
	if _, err := c.Request(t.Context(), "tools/call", params, client.CallOptions{}); err == nil || len(s.calls) != 4 {
		t.Errorf("got %v after %d calls", err, len(s.calls))
	}
}

func TestAListThatFailsDoesNotHoldBackTheCall(t *testing.T) {
	s := &plainServer{t: t, tools: []string{`{"broken`}}
	told := new(notices)
	c, _ := over(t, s, client.Options{Notice: told.take})
	if _, err := c.Request(t.Context(), "tools/call", client.CallParams("f", nil), client.CallOptions{}); err != nil || len(s.calls) != 1 {
		t.Errorf("got %v", err)
	}
	if len(told.texts) == 0 || !strings.Contains(told.texts[0], "could not be listed") {
		t.Errorf("told %q", told.texts)
	}
}

// A replay and lines typed by hand have no handshake; what a list says of header fields
// counts for them too. Their bytes stay as they are.
func TestTypedCallsHaveTheHeaderFieldsOfTypedLists(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, opt := range []client.Options{{NoHandshake: true, Protocol: "auto"}, {NoHandshake: true}, {}} {
		s := &plainServer{t: t, tools: []string{tool("f", marked)}}
		c, _ := over(t, s, opt)
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":"l","method":"tools/list","params":{` + meta + `}}`,
			`{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"f","arguments":{"region":"here"},` + meta + `}}`,
		} {
			_, p, err := c.SendRaw(t.Context(), []byte(line), wire.ByConsole, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(s.calls, "\n"); got != "Mcp-Param-Region=here" {
			t.Errorf("%+v: called with %q", opt, got)
		}
	}
}
