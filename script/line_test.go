package script_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/script"
)

func TestLineOf(t *testing.T) {
	for name, c := range map[string]struct{ raw, want string }{
		"a call":            {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}`, "call echo text=hi"},
		"blanks and quotes": {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"my tool","arguments":{"a":"b c","d":"it's","e":"it's \"so\"\n"}}}`, `call 'my tool' a='b c' d=it's e="it's \"so\"\n"`},
		"numbers":           {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":9007199254740993,"b":1.0,"c":1e2}}}`, "call add a:=9007199254740993 b:=1.0 c:=1e2"},
		"like numbers":      {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e","arguments":{"a":"5","b":"true","c":"","d":"@ann","e":"[1]"}}}`, `call e a:="5" b:="true" c= d:="@ann" e:="[1]"`},
		"JSON":              {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e","arguments":{"a":{"b": [1, "x y"]},"c":null}}}`, `call e a:={"b":[1,"x y"]} c:=null`},
		"names that are paths": {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e","arguments":{"a.b":"c"}}}`,
			`call e {"a.b":"c"}`},
		"like a value":      {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e","arguments":{"a":"$x","b":"${x}","c":"5$","d":{"e":"${f}"}}}}`, `call e a='$x' b='${x}' c=5$ d:='{"e":"${f}"}'`},
		"no arguments":      {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e","arguments":{}}}`, "call e"},
		"without arguments": {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e"}}`, `request tools/call {"name":"e"}`},
		"a progress token":  {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e","arguments":{"a":"b"},"_meta":{"progressToken":3}}}`, "call e a=b"},
		"what is its own":   {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e","arguments":{"a":"b"},"_meta":{"mine":3}}}`, `request tools/call {"name":"e","arguments":{"a":"b"},"_meta":{"mine":3}}`},
		"a list":            {`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, "tools"},
		"templates":         {`{"jsonrpc":"2.0","id":3,"method":"resources/templates/list","params":{}}`, "templates"},
		"a page":            {`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"2"}}`, "tools --page 2"},
		"ping":              {`{"jsonrpc":"2.0","id":"a","method":"ping"}`, "ping"},
		"a resource":        {`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"a://b?c#d"}}`, "read a://b?c#d"},
		"a subscription":    {`{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"a://b c"}}`, "subscribe 'a://b c'"},
		"its end":           {`{"jsonrpc":"2.0","id":3,"method":"resources/unsubscribe","params":{"uri":"a://b"}}`, "unsubscribe a://b"},
		"a log level":       {`{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"debug"}}`, "set log-level debug"},
		"no log level":      {`{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"loud"}}`, `request logging/setLevel {"level":"loud"}`},
		"listening":         {`{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a://b","a://c"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, "listen tools resources a://b a://c"},
		"listening to all":  {`{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}}}`, "listen tools prompts resources"},
		"listening oddly":   {`{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"promptsListChanged":true,"toolsListChanged":true}}}`, `request subscriptions/listen {"notifications":{"promptsListChanged":true,"toolsListChanged":true}}`},
		"to false":          {`{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":false}}}`, `request subscriptions/listen {"notifications":{"toolsListChanged":false}}`},
		"to no URI":         {`{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["tools"]}}}`, `request subscriptions/listen {"notifications":{"resourceSubscriptions":["tools"]}}`},
		"to nothing":        {`{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{}}}`, `request subscriptions/listen {"notifications":{}}`},
		"a task":            {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e","arguments":{"a":"b"},"task":{"ttl":90000}}}`, "call --task --ttl 1m30s e a=b"},
		"a task for ever":   {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e","arguments":{},"task":{}}}`, "call --task e"},
		"another task":      {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"e","arguments":{},"task":{"ttl":1.5}}}`, `request tools/call {"name":"e","arguments":{},"task":{"ttl":1.5}}`},
		"a prompt":          {`{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"greet","arguments":{"n":"5"}}}`, "get greet n=5"},
		"a bare prompt":     {`{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"greet"}}`, "get greet"},
		"a prompt's number": {`{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"greet","arguments":{"n":5}}}`, `request prompts/get {"name":"greet","arguments":{"n":5}}`},
		"with others":       {`{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"n","value":""},"context":{"arguments":{"a":"b c"}}}}`, "complete greet n '' a='b c'"},
		"completion":        {`{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"n","value":"A"}}}`, "complete greet n A"},
		"of a template":     {`{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"a://{b}"},"argument":{"name":"b","value":""}}}`, "complete a://{b} b"},
		"anything":          {`{"jsonrpc":"2.0","id":3,"method":"x y","params":[1]}`, "request 'x y' [1]"},
		"a notification":    {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `notify notifications/cancelled {"requestId":1}`},
		"an answer":         {`{"jsonrpc":"2.0","id":3,"result":{}}`, `{"jsonrpc":"2.0","id":3,"result":{}}`},
		"another version":   {`{"jsonrpc":"1.0","id":3,"method":"ping"}`, `{"jsonrpc":"1.0","id":3,"method":"ping"}`},
		"more members":      {`{"jsonrpc":"2.0","id":3,"method":"ping","x":1}`, `{"jsonrpc":"2.0","id":3,"method":"ping","x":1}`},
		"a batch":           {`[]`, `[]`},
		"no JSON":           {"garbage \xff", "raw garbage \xff"},
		"a blank before":    {` {"jsonrpc":"2.0","id":3}`, `raw  {"jsonrpc":"2.0","id":3}`},
		"nothing":           {"", "raw "},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(script.LineOf([]byte(c.raw))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			resent(t, []byte(c.raw))
		})
	}
}

// resent checks that the line of a message sends the same params.
func resent(t *testing.T, raw []byte) {
	t.Helper()
	line := string(script.LineOf(raw))
	s, err := script.ParseLine(line)
	if err != nil || s == nil {
		t.Fatalf("%q of %q: %v", line, raw, err)
	}
	if s.Raw != nil {
		if string(s.Raw) != string(raw) {
			t.Errorf("%q of %q sends %q", line, raw, s.Raw)
		}
		return
	}
	sent := paramsOf(t, s)
	want, _ := rawjson.Get(raw, "params")
	if meta, ok := rawjson.Get(want, "_meta"); ok && !strings.Contains(line, "_meta") && len(meta) > 0 {
		want, _ = rawjson.Delete(want, "/_meta")
	}
	want, err = rawjson.Compact(nil, want)
	if s.Verb.Group == "list" && (err != nil || string(want) == "{}") {
		want = nil
	}
	if string(sent) != string(want) {
		t.Errorf("%q of %q sends %s, want %s", line, raw, sent, want)
	}
}

// paramsOf are the params that a step sends.
func paramsOf(t *testing.T, s *script.Step) []byte {
	t.Helper()
	none := func(*script.Expr) (json.RawMessage, error) { return nil, errors.New("there is no value here") }
	word := func(i int) string {
		text, err := s.Words[i].Text(none)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	switch s.Verb.Name {
	case "call", "get":
		args, err := script.Arguments(t.Context(), nil, s.Words[1:], none, nil)
		if err != nil {
			t.Fatal(err)
		}
		if args == nil && s.Verb.Name == "call" {
			args = json.RawMessage("{}")
		}
		params := client.CallParams(word(0), args)
		if _, ok := s.Flags["--task"]; ok {
			task := `,"task":{}}`
			if ttl, ok := s.Flags["--ttl"]; ok {
				text, _ := ttl.Text(none)
				d, err := script.ParseDuration(text)
				if err != nil {
					t.Fatal(err)
				}
				task = fmt.Sprintf(`,"task":{"ttl":%d}}`, d.Milliseconds())
			}
			params = append(params[:len(params)-1], task...)
		}
		return params
	case "read", "subscribe", "unsubscribe":
		return client.ReadParams(word(0))
	case "set":
		return append(rawjson.Quote([]byte(`{"level":`), word(1)), '}')
	case "listen":
		var f mcp.Filter
		for i := range s.Words {
			switch w := word(i); w {
			case "tools":
				f.Tools = true
			case "prompts":
				f.Prompts = true
			case "resources":
				f.Resources = true
			default:
				f.URIs = append(f.URIs, w)
			}
		}
		b, err := f.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		return append(append([]byte(`{"notifications":`), b...), '}')
	case "request", "notify":
		if len(s.Words) < 2 {
			return nil
		}
		raw, err := s.Words[1].JSON(none)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	case "complete":
		kind, key := "prompt", "name"
		if strings.ContainsAny(word(0), ":{") {
			kind, key = "resource", "uri"
		}
		value := ""
		if len(s.Words) > 2 {
			value = word(2)
		}
		b := append([]byte(`{"ref":{"type":"ref/`+kind+`","`+key+`":`), rawjson.Quote(nil, word(0))...)
		b = append(rawjson.Quote(append(b, `},"argument":{"name":`...), word(1)), `,"value":`...)
		b = append(rawjson.Quote(b, value), '}')
		if len(s.Words) > 3 {
			given, err := script.PromptArguments(t.Context(), s.Words[3:], none, nil)
			if err != nil {
				t.Fatal(err)
			}
			b = append(append(append(b, `,"context":{"arguments":`...), given...), '}')
		}
		return append(b, '}')
	}
	if page, ok := s.Flags["--page"]; ok {
		cursor, err := page.Text(none)
		if err != nil {
			t.Fatal(err)
		}
		return append(rawjson.Quote([]byte(`{"cursor":`), cursor), '}')
	}
	return nil
}

func FuzzLineOf(f *testing.F) {
	for _, params := range []string{`{"name":"echo","arguments":{"text":"hi"}}`, `{"name":"a b","arguments":{"a":"$x","b":{"c":"${d} it's"}}}`, `{"uri":"#a"}`, `{"name":"--json","arguments":{}}`,
		`{"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"b","value":""},"context":{"arguments":{"a.b":"c d"}}}`, `{"cursor":"--json"}`, `{"cursor":""}`,
		`{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a:b"]}}`, `{"level":"info"}`, `{"name":"a","arguments":{},"task":{"ttl":1}}`,
		`{"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"~ /b/","value":"c"}}`, ` { "a" : "\u0000" } `, "{\"a\":\"\xc5\"}"} {
		for i := range 9 {
			f.Add([]byte(params), uint8(i))
		}
	}
	methods := []string{"tools/call", "prompts/get", "resources/read", "completion/complete", "tools/list", "other",
		"resources/subscribe", "subscriptions/listen", "logging/setLevel"}
	f.Fuzz(func(t *testing.T, params []byte, which uint8) {
		if strings.ContainsAny(string(params), "\n\r") {
			t.Skip() // a message is one line
		}
		resent(t, []byte(`{"jsonrpc":"2.0","id":1,"method":"`+methods[int(which)%len(methods)]+`","params":`+string(params)+`}`))
		resent(t, params)
	})
}

// Whatever a name, a key and a text are, the line says the same.
func FuzzTexts(f *testing.F) {
	for _, text := range []string{"a", "$x", "${x}", "it's \"so\"", "~", "# a", "--json", "{a", "@f", "a.b", "a[]", "a:", "\x00", "\u00a0", "5", "!"} {
		f.Add("name", "key", text)
		f.Add(text, text, "text")
	}
	f.Fuzz(func(t *testing.T, name, key, text string) {
		b := rawjson.Quote([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":`), name)
		b = append(rawjson.Quote(append(b, `,"arguments":{`...), key), ':')
		resent(t, append(rawjson.Quote(b, text), "}}}"...))
	})
}

func TestShell(t *testing.T) {
	words := []string{"plain", "", "a b", "it's", "$HOME", "`x`", "a\nb", "~", "*", "!x", "[a]", "a=b", "é", "\\", "\"", "#", "--x"}
	if got, want := script.Shell("a", "b c", "it's"), `a 'b c' 'it'\''s'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	out, err := exec.Command(sh, "-c", "printf '<%s>' "+script.Shell(words...)).Output()
	if want := "<" + strings.Join(words, "><") + ">"; err != nil || string(out) != want {
		t.Errorf("got %q, %v, want %q", out, err, want)
	}
}

func TestShellOf(t *testing.T) {
	target := []string{"node", "my server.js"}
	for line, want := range map[string]string{
		"call echo text='a b'":          `parley call echo 'text=a b' -- node 'my server.js'`,
		`call echo n:=[1, "x"] --json`:  `parley call --json echo 'n:=[1, "x"]' -- node 'my server.js'`,
		"tools --jq '.tools[0]'":        `parley tools --jq '.tools[0]' -- node 'my server.js'`,
		"tools --page c2":               `parley tools --page=c2 -- node 'my server.js'`,
		"tools --page ''":               `parley tools --page -- node 'my server.js'`,
		"read demo://status --save out": `parley read --save out demo://status -- node 'my server.js'`,
		`{"jsonrpc":"2.0","id":1}`:      `printf '%s\n' '{"jsonrpc":"2.0","id":1}' | parley run - -- node 'my server.js'`,
		"notify notifications/x":        `printf '%s\n' 'notify notifications/x' | parley run - -- node 'my server.js'`,
		"tools --fresh":                 `parley tools --fresh -- node 'my server.js'`,
		"call --task --ttl 5m echo":     `parley call --task --ttl 5m echo -- node 'my server.js'`,
		"subscribe a://b":               `printf '%s\n' 'subscribe a://b' | parley run - -- node 'my server.js'`,
		"listen tools":                  `printf '%s\n' 'listen tools' | parley run - -- node 'my server.js'`,
		"set log-level debug":           "",
		"call echo text=$x":             "",
		"call echo text='$x'":           `parley call echo 'text=$x' -- node 'my server.js'`,
		"let x = ping":                  "",
		"! call echo":                   "",
		"sleep 5s":                      "",
		"set timeout 5s":                "",
		"expect 1 == 1":                 "",
		"":                              "",
		"nonsense":                      "",
	} {
		got, ok := script.ShellOf(line, target)
		if got != want || ok != (want != "") {
			t.Errorf("%s: %s, %v, want %s", line, got, ok, want)
		}
	}
	if got, _ := script.ShellOf("ping", []string{"-s", "notes"}); got != "parley ping -s notes" {
		t.Error(got)
	}
}
