package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// deed is one operation on a server, and what has to come of it.
type deed struct {
	args   []string
	code   int
	method string // the request that has to be recorded with its answer; "" is none
	sent   string // bytes that have to be in that request, exactly
	got    string // bytes that have to be in what is printed
	fail   failed // what has to be in the error line, where it is set
	// also looks at whatever else matters.
	also func(t *testing.T, o outcome, s *session)
}

// do runs a deed with --json on a target given by flags, and checks that the
// recording and the output are the same bytes.
func (d deed) do(t *testing.T, p *place, target ...string) {
	t.Helper()
	args := append([]string{d.args[0], "--json"}, d.args[1:]...)
	o := p.want(t, d.code, append(args, target...)...)
	files := p.sessionFiles(t)
	if len(files) == 0 {
		t.Fatalf("nothing was recorded\n%v", o)
	}
	s := readSession(t, files[len(files)-1])
	d.recorded(t, p, o, s)
	if !bytes.Contains(o.Stdout, []byte(d.got)) {
		t.Errorf("printed %s\nwant in it: %s", clip(o.Stdout), d.got)
	}
	if d.code != 0 {
		e := failure(t, o)
		if e.Code != d.fail.Code || e.RPCCode != d.fail.RPCCode || !strings.Contains(e.Message, d.fail.Message) {
			t.Errorf("error %+v, want %+v", e, d.fail)
		}
	}
	if d.also != nil {
		d.also(t, o, s)
	}
}

// recorded checks the request of a deed and the answer to it.
func (d deed) recorded(t *testing.T, p *place, o outcome, s *session) {
	t.Helper()
	if d.method == "" {
		for _, f := range s.frames {
			if d.code == 2 && f.D == ">" && f.Message.Method == "tools/call" {
				t.Errorf("sent %s", f.Bytes)
			}
		}
		return
	}
	request, response := s.answer(t, d.method)
	if !bytes.Contains(request.Bytes, []byte(d.sent)) {
		t.Errorf("sent %s\nwant in it: %s", request.Bytes, d.sent)
	}
	if response.Message.Error == nil {
		p.sameBytes(t, s, d.method, o.Stdout)
	}
}

// asked returns a check that the server asked a question and got an answer with
// the given bytes.
func asked(method, reply string) func(*testing.T, outcome, *session) {
	return func(t *testing.T, _ outcome, s *session) {
		t.Helper()
		for _, f := range s.frames {
			if f.D != "<" || f.Message.Method != method {
				continue
			}
			for _, a := range s.frames {
				if a.D == ">" && a.Message.Method == "" && bytes.Equal(a.Message.ID, f.Message.ID) {
					if !bytes.Contains(a.Bytes, []byte(reply)) {
						t.Errorf("%s was answered by %s, want in it: %s", method, a.Bytes, reply)
					}
					return
				}
			}
			t.Fatalf("%s was not answered", f.Bytes)
		}
		t.Errorf("the server did not send %s", method)
	}
}

// progressed returns a check that n progress notifications came for the call.
func progressed(n int) func(*testing.T, outcome, *session) {
	return func(t *testing.T, _ outcome, s *session) {
		t.Helper()
		got := 0
		for _, f := range s.frames {
			if f.D == "<" && f.Message.Method == "notifications/progress" {
				got++
			}
		}
		if got != n {
			t.Errorf("%d progress notifications recorded, want %d", got, n)
		}
	}
}

var everythingDeeds = map[string]deed{
	"text":        {args: []string{"call", "echo", "message=hé <&> \u2028"}, method: "tools/call", sent: `"arguments":{"message":"hé <&> ` + "\u2028" + `"}`, got: "Echo: hé <&> "},
	"spelling":    {args: []string{"call", "get-sum", "a=2", "b=3.50"}, method: "tools/call", sent: `"arguments":{"a":2,"b":3.50}`, got: "is 5.5."},
	"object":      {args: []string{"call", "get-sum", `{"b": 1e2, "a": -0.0}`}, method: "tools/call", sent: `"b":1e2`, got: "100"},
	"structured":  {args: []string{"call", "get-structured-content", "location=New York"}, method: "tools/call", got: `"structuredContent":{`},
	"progress":    {args: []string{"call", "trigger-long-running-operation", "duration=0.3", "steps=3"}, method: "tools/call", sent: `"progressToken":`, got: "completed", also: progressed(3)},
	"no tool":     {args: []string{"call", "ecko", "message=x"}, code: 2, fail: failed{Code: "usage", Message: `"ecko"`}},
	"forced tool": {args: []string{"call", "ecko", "--force", "message=x"}, code: 5, method: "tools/call", got: "not found", fail: failed{Code: "tool"}},
	"no number":   {args: []string{"call", "get-sum", "a=x", "b=1"}, code: 2, fail: failed{Code: "usage", Message: "a"}},
	"wrong type":  {args: []string{"call", "get-sum", `{"a":"x","b":1}`}, code: 2, fail: failed{Code: "arguments", Message: "a: expected a number"}},
	"sent anyway": {args: []string{"call", "get-sum", "--force", `{"a":"x","b":1}`}, code: 5, method: "tools/call", sent: `{"a":"x","b":1}`, got: "isError", fail: failed{Code: "tool"}},
	"missing":     {args: []string{"call", "echo"}, code: 2, fail: failed{Code: "arguments", Message: "message"}},
	"read":        {args: []string{"read", "demo://resource/dynamic/text/1"}, method: "resources/read", got: "Resource 1:"},
	"no resource": {args: []string{"read", "demo://nope"}, code: 5, method: "resources/read", fail: failed{Code: "rpc", RPCCode: -32602}},
	"prompt":      {args: []string{"get", "args-prompt", "city=Bern"}, method: "prompts/get", sent: `"arguments":{"city":"Bern"}`, got: "Bern"},
	"request":     {args: []string{"request", "completion/complete", `{"ref": {"type": "ref/prompt", "name": "completable-prompt"}, "argument": {"name": "department", "value": "E"}}`}, method: "completion/complete", got: "Engineering"},
	"roots":       {args: append([]string{"call", "get-roots-list"}, declared...), method: "tools/call", got: "file://", also: asked("roots/list", `"uri":"file://`)},
	"sampling":    {args: append([]string{"call", "trigger-sampling-request", "prompt=hi"}, declared...), code: 5, method: "tools/call", fail: failed{Code: "tool"}, also: asked("sampling/createMessage", `"error":`)},
	"elicitation": {args: append([]string{"call", "trigger-elicitation-request"}, declared...), method: "tools/call", got: "decline", also: asked("elicitation/create", `"action":"decline"`)},
}

var conformanceDeeds = map[string]deed{
	"text":       {args: []string{"call", "test_simple_text"}, method: "tools/call", sent: `"arguments":{}`, got: "simple text response"},
	"isError":    {args: []string{"call", "test_error_handling"}, code: 5, method: "tools/call", got: `"isError":true`, fail: failed{Code: "tool", Message: "test_error_handling"}},
	"progress":   {args: []string{"call", "test_tool_with_progress"}, method: "tools/call", sent: `"progressToken":`, also: progressed(3)},
	"image":      {args: []string{"call", "test_image_content"}, method: "tools/call", got: `"type":"image"`},
	"sampling":   {args: append([]string{"call", "test_sampling", "prompt=hi"}, declared...), code: 5, method: "tools/call", fail: failed{Code: "tool"}, also: asked("sampling/createMessage", `"error":`)},
	"elicit":     {args: append([]string{"call", "test_elicitation", "message=hi"}, declared...), method: "tools/call", got: "decline", also: asked("elicitation/create", `"action":"decline"`)},
	"read":       {args: []string{"read", "test://static-text"}, method: "resources/read", got: "static text resource"},
	"prompt":     {args: []string{"get", "test_prompt_with_arguments", "arg1=a b", "arg2=c=d"}, method: "prompts/get", sent: `"arguments":{"arg1":"a b","arg2":"c=d"}`, got: "c=d"},
	"no prompt":  {args: []string{"get", "nope"}, code: 5, method: "prompts/get", fail: failed{Code: "rpc", RPCCode: -32602}},
	"no method":  {args: []string{"request", "zoo/unknown"}, code: 5, method: "zoo/unknown", fail: failed{Code: "rpc", RPCCode: -32601}},
	"completion": {args: []string{"request", "completion/complete", `{"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},"argument":{"name":"arg1","value":"p"}}`}, method: "completion/complete", got: `"values":[`},
	"ping":       {args: []string{"ping"}, method: "ping", got: "{}"},
}

// deeds runs a table of deeds, each in a place of its own.
func deeds(t *testing.T, table map[string]deed, where func(p *place) []string) {
	for name, d := range table {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			d.do(t, p, where(p)...)
		})
	}
}

func TestServerEverything(t *testing.T) {
	dir := zoo(t)
	deeds(t, everythingDeeds, func(p *place) []string {
		p.env = []string{"ZOO=" + dir}
		return named(t, "mcp.json", "everything")
	})
}

func TestServerConformance(t *testing.T) {
	dir := zoo(t)
	deeds(t, conformanceDeeds, func(*place) []string { return []string{"--", dir + "/go-sdk/everything-server"} })
}

// TestServerFilesystem writes and reads a file through a server whose folder is
// the root that parley declares.
func TestServerFilesystem(t *testing.T) {
	dir := zoo(t)
	p := newPlace(t)
	target := []string{"--root", p.work, "--", dir + "/node_modules/.bin/mcp-server-filesystem", p.work}
	content := "first\nsecond \"quoted\" <&>\n天气\n"
	if err := os.WriteFile(filepath.Join(p.work, "source"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(p.work, "written")
	deed{args: []string{"call", "write_file", "path=" + path, "content=@source"}, method: "tools/call", got: "Success",
		also: asked("roots/list", `"uri":"file://`)}.do(t, p, target...)
	if got, err := os.ReadFile(path); err != nil || string(got) != content {
		t.Errorf("the server wrote %q (%v), want %q", got, err, content)
	}
	read := p.want(t, 0, append([]string{"call", "read_text_file", "path=" + path}, target...)...)
	if string(read.Stdout) != content {
		t.Errorf("printed %q, want the text as it is, %q", read.Stdout, content)
	}
	deed{args: []string{"call", "read_multiple_files", "paths:=" + `["` + path + `"]`}, method: "tools/call", got: "second"}.do(t, p, target...)
	deed{args: []string{"call", "read_text_file", "path=/etc/hostname"}, code: 5, method: "tools/call", got: "denied", fail: failed{Code: "tool"}}.do(t, p, target...)
}

// TestServerMemory keeps a graph over two runs of the server.
func TestServerMemory(t *testing.T) {
	dir := zoo(t)
	p := newPlace(t)
	target := []string{"-e", "MEMORY_FILE_PATH=" + filepath.Join(p.home, "graph"), "--", dir + "/node_modules/.bin/mcp-server-memory"}
	entities := `[{"name":"Ada","entityType":"person","observations":["9007199254740993","天"]}]`
	deed{args: []string{"call", "create_entities", "entities:=" + entities}, method: "tools/call", sent: `{"entities":` + entities + `}`, got: "Ada"}.do(t, p, target...)
	deed{args: []string{"call", "search_nodes", "query=Ada"}, method: "tools/call", got: "9007199254740993"}.do(t, p, target...)
	deed{args: []string{"read", "memory://knowledge-graph"}, method: "resources/read", got: "Ada"}.do(t, p, target...)
	deed{args: []string{"call", "create_entities", `entities:=[{"name":"Bob"}]`}, code: 2, fail: failed{Code: "arguments", Message: "entityType"}}.do(t, p, target...)
}

// TestServerRaw sends lines to a server and gets its bytes, without a handshake
// or anything else of parley's own.
func TestServerRaw(t *testing.T) {
	dir := zoo(t)
	p := newPlace(t)
	p.stdin = `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"hand","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"echo","arguments":{"message":"x"}}}
`
	o := p.want(t, 0, "raw", dir+"/node_modules/.bin/mcp-server-everything", "stdio")
	s := p.session(t)
	var sent, received []byte
	for _, f := range s.frames {
		switch {
		case f.D == ">":
			sent = append(append(sent, f.Bytes...), '\n')
		case f.D == "<" && f.K != "stderr":
			received = append(append(received, f.Bytes...), '\n')
		}
	}
	if string(sent) != p.stdin {
		t.Errorf("sent %s\nwant %s", sent, p.stdin)
	}
	if !bytes.Equal(received, o.Stdout) || !bytes.Contains(received, []byte("Echo: x")) {
		t.Errorf("printed %s\nreceived %s", clip(o.Stdout), clip(received))
	}
}

// TestServerReplay sends what was recorded again: the same server answers the
// same, another one does not.
func TestServerReplay(t *testing.T) {
	dir := zoo(t)
	p := newPlace(t)
	server := dir + "/go-sdk/everything-server"
	p.want(t, 0, "call", "test_simple_text", "--", server)
	file := p.session(t).path
	same := p.want(t, 0, "replay", "--yes", file, "--", server)
	if !bytes.Contains(same.Stdout, []byte("3 same, 0 differ, 0 missing")) {
		t.Errorf("%v", same)
	}
	other := p.want(t, 6, "replay", "--yes", "--json", file, "--", dir+"/go-sdk/memory")
	for _, line := range bytes.Split(bytes.TrimSpace(other.Stdout), []byte("\n")) {
		if !json.Valid(line) {
			t.Errorf("replay --json printed %s", line)
		}
	}
}
