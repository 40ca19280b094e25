package script_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/client/mcp"
	"parley/script"
)

// world is what completion knows in tests.
type world struct{ tools []mcp.Tool }

func (w world) Tools() []mcp.Tool { return w.tools }
func (world) Resources() []mcp.Resource {
	return []mcp.Resource{{URI: "demo://status", Name: "status"}, {URI: "demo://a b", Name: "blank"}}
}
func (world) Templates() []mcp.Template {
	return []mcp.Template{{URITemplate: "note://{year}/{month,day}", Name: "note"}}
}
func (world) Prompts() []mcp.Prompt {
	return []mcp.Prompt{{Name: "greet", Arguments: []mcp.PromptArgument{{Name: "style"}, {Name: "name", Required: true, Description: "whom"}}}}
}
func (world) Servers() []string    { return []string{"notes", "my server"} }
func (world) Subscribed() []string { return []string{"demo://status", "demo://x"} }
func (world) Variables() []string  { return []string{"sum", "list"} }
func (w world) Value(name string) []byte {
	switch name {
	case "sum":
		return []byte(`{"content":[{"type":"text","text":"the sum is 5"},{"type":"image"}],"isError":false,
 "structuredContent":{"a b":{"deep":1},"ok":true,"long":"0123456789 0123456789 0123456789 0123456789"}}`)
	case "large":
		return []byte(`{"a":"` + strings.Repeat("x", 5<<20) + `"}`)
	case "many":
		return []byte(`{"tools":[` + strings.Repeat(`{"name":"tool","description":"does a thing"},`, 50_000) + `{}],"next":1}`)
	case "list":
		return []byte(`[{"name":"one"},{"name":"two"}]`)
	}
	return nil
}

var demoWorld = world{tools: []mcp.Tool{
	{Name: "echo", Description: "say it again\nand more", InputSchema: []byte(`{"type":"object","properties":{"text":{"type":"string","description":"what"}},"required":["text"]}`)},
	{Name: "weather", Title: "Weather", InputSchema: []byte(`{"type":"object","properties":{
 "days":{"type":"integer","default":3},"unit":{"enum":["metric","imperial"]},"city":{"type":"string"},"alerts":{"type":"boolean"},
 "tags":{"type":"array","items":{"enum":["a b","c"]}},"maybe":{"type":["boolean","null"]}},"required":["city"]}`)},
	{Name: "two words"},
}}

func TestComplete(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("PARLEY_COMPLETED", "a value")
	for _, name := range []string{"login.mcp", ".hidden", "two words.txt", "sub/inner.json"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct{ line, want string }{ // | is the cursor; what line becomes, each
		"a command":                  {"too|", "tools"},
		"commands whatever the case": {"TOO|", "tools"},
		"a command inside":           {"ca|", "call"},
		"further inside":             {"nec|", "connect; disconnect"},
		"behind !":                   {"! cal|", "! call"},
		"at !":                       {"!cal|", "!call"},
		"behind -":                   {"- sch|", "- schema"},
		"a tool":                     {"call ec|", "call echo"},
		"a tool with blanks":         {"schema two|", "schema 'two words'"},
		"in the middle of a word":    {"call e|x text=a", "call echo text=a"},
		"arguments":                  {"call weather |", "call weather city=; call weather days=; call weather unit=; call weather alerts=; call weather tags:=; call weather maybe=; call weather --force; call weather --offline; call weather --save; call weather --jq; call weather --json; call weather --task; call weather --ttl"},
		"arguments that are left":    {"call weather city='New York' days:=3 un|", "call weather city='New York' days:=3 unit="},
		"an argument in the middle":  {"call weather un|=metric", "call weather unit=metric"},
		"a choice":                   {"call weather unit=|", "call weather unit=metric; call weather unit=imperial"},
		"a choice begun":             {"call weather unit=im|", "call weather unit=imperial"},
		"a choice as JSON":           {"call weather unit:=|", `call weather unit:="metric"; call weather unit:="imperial"`},
		"a boolean":                  {"call weather alerts=|", "call weather alerts=true; call weather alerts=false"},
		"null":                       {"call weather maybe=n|", "call weather maybe=null"},
		"a default":                  {"call weather days=|", "call weather days=3"},
		"an element":                 {"call weather tags[]=|", "call weather tags[]='a b'; call weather tags[]=c"},
		"flags":                      {"call echo --f|", "call echo --force"},
		"flags that are left":        {"call --json echo text=a --j|", "call --json echo text=a --jq"},
		"a file behind a flag":       {"call echo --save lo|", "call echo --save login.mcp"},
		"a file in a flag":           {"call echo --save=lo|", "call echo --save=login.mcp"},
		"a file of an argument":      {"call echo text=@tw|", "call echo text=@'two words.txt'"},
		"a directory":                {"include s|", "include sub/"},
		"a file further down":        {"include sub/|", "include sub/inner.json"},
		"hidden files":               {"include .|", "include .hidden"},
		"a resource":                 {"read demo://s|", "read demo://status"},
		"a template":                 {"read no|", "read note://"},
		"resources to subscribe to":  {"subscribe |", "subscribe demo://status; subscribe 'demo://a b'"},
		"another resource":           {"subscribe demo://status |", "subscribe demo://status 'demo://a b'"},
		"what was subscribed to":     {"unsubscribe demo://x |", "unsubscribe demo://x demo://status"},
		"what to listen to":          {"listen prompts |", "listen prompts tools; listen prompts prompts; listen prompts resources; listen prompts demo://status; listen prompts 'demo://a b'; listen prompts --json"},
		"a resource to listen to":    {"listen demo|", "listen demo://status; listen 'demo://a b'"},
		"asking again":               {"tools --fr|", "tools --fresh"},
		"a log level":                {"set log-level e|", "set log-level error; set log-level emergency"},
		"a protocol":                 {"set protocol |", "set protocol auto; set protocol legacy; set protocol modern; set protocol 2026-07-28; set protocol 2025-11-25; set protocol 2025-06-18; set protocol 2025-03-26; set protocol 2024-11-05"},
		"a transport":                {"set transport s|", "set transport sse"},
		"an extension":               {"set extension |", "set extension io.modelcontextprotocol/tasks"},
		"a header":                   {"set header |", `set header "Authorization: Bearer ${env.TOKEN}"`},
		"a prompt":                   {"get |", "get greet; get --force; get --offline; get --save; get --jq; get --json"},
		"arguments of a prompt":      {"get greet n|", "get greet name="},
		"a reference":                {"complete no|", "complete note://{year}/{month,day}"},
		"what it has":                {"complete note://{year}/{month,day} |", "complete note://{year}/{month,day} year; complete note://{year}/{month,day} month; complete note://{year}/{month,day} day; complete note://{year}/{month,day} --force; complete note://{year}/{month,day} --offline; complete note://{year}/{month,day} --jq; complete note://{year}/{month,day} --json"},
		"what a prompt has":          {"complete greet na|", "complete greet name"},
		"a method":                   {"request tools/c|", "request tools/call"},
		"a notification":             {"notify notifications/roots|", "notify notifications/roots/list_changed"},
		"what a server sends":        {"wait notifications/tools|", "wait notifications/tools/list_changed"},
		"a configured server":        {"connect |", "connect notes; connect 'my server'"},
		"a setting":                  {"set client-v|", "set client-version"},
		"its value":                  {"set force o|", "set force on; set force off"},
		"a variable":                 {"call echo text=$s|", "call echo text=$sum"},
		"a variable in braces":       {`call echo text="the ${l|`, `call echo text="the ${list}`},
		"the environment":            {"$e|", "$env"},
		"none in quotes":             {"call echo text='$s|", ""},
		"inside of a path":           {"$sum.co|", "$sum.content; $sum.structuredContent"},
		"a path, from its dot":       {"$sum.|", "$sum.content; $sum.isError; $sum.structuredContent"},
		"in a list":                  {"$sum.content[|", "$sum.content[0]; $sum.content[1]; $sum.content[]"},
		"a list behind a dot":        {"$sum.content.|", "$sum.content[0]; $sum.content[1]; $sum.content[]"},
		"an element's member":        {"$sum.content[0].te|", "$sum.content[0].text"},
		"of any element":             {"$sum.content[].|", "$sum.content[].type; $sum.content[].text"},
		"behind a dot and a bracket": {"$sum.content.[1].|", "$sum.content.[1].type"},
		"a key that needs quotes":    {"$sum.structuredContent.a|", `$sum.structuredContent["a b"]`},
		"behind such a key":          {`$sum.structuredContent["a b"].|`, `$sum.structuredContent["a b"].deep`},
		"such a key begun":           {`$sum.structuredContent["a|`, `$sum.structuredContent["a b"]`},
		"a list that is a variable":  {"$list[1].|", "$list[1].name"},
		"what is not there":          {"$sum.nothing.|", ""},
		"of a variable that is not":  {"$no.|", ""},
		"of a number":                {`$sum.structuredContent["a b"].deep.|`, ""},
		"behind an index too large":  {"$list[7].|", ""},
		"a path in an argument":      {"call echo text=$sum.content[0].ty|", "call echo text=$sum.content[0].type"},
		"a path in braces":           {`call echo text="is ${sum.is|}"`, `call echo text="is ${sum.isError}"`},
		"a path to be expected":      {"expect $sum.isE|", "expect $sum.isError"},
		"a path in duration":         {"expect duration($su|", "expect duration($sum"},
		"in the middle of a path":    {"$sum.con|tent[0]", "$sum.content[0]; $sum.structuredContent[0]"},
		"a path that jq makes":       {"$sum.content[0:1].|", ""},
		"of a large value":           {"$large.|", ""},
		"the environment's names":    {"$env.PARLEY_COMPLE|", "$env.PARLEY_COMPLETED"},
		"behind let":                 {"let x = ca|", "let x = call"},
		"in let":                     {"let x = call ec|", "let x = call echo"},
		"JSON with a variable":       {"let x := $su|", "let x := $sum"},
		"a loop's list":              {"for t in $li|", "for t in $list"},
		"a loop's in":                {"for t |", "for t in"},
		"a loop's step":              {"for t in $list.tools : cal|", "for t in $list.tools : call"},
		"in a loop's step":           {"for t in $list.tools: call ech|", "for t in $list.tools: call echo"},
		"an operator":                {"expect $sum.x star|", "expect $sum.x startsWith"},
		"help":                       {"help quo|", "help quoting"},
		"a raw line":                 {`{"too|`, ""},
		"raw":                        {"raw too|", ""},
		"a comment":                  {"# too|", ""},
		"no such command":            {"nothing x|", ""},
	} {
		t.Run(name, func(t *testing.T) {
			before, after, _ := strings.Cut(c.line, "|")
			from, to, list := script.Complete(before+after, len(before), demoWorld)
			var got []string
			for _, one := range list {
				got = append(got, (before + after)[:from]+one.Text+(before + after)[to:])
			}
			if s := strings.Join(got, "; "); s != c.want {
				t.Errorf("%s gives\n%s\nwant\n%s", c.line, s, c.want)
			}
		})
	}
}

func TestCompleteTellsMore(t *testing.T) {
	for line, want := range map[string]string{
		"call ec":                   "say it again",
		"call weather ci":           "string, required",
		"call weather un":           "metric|imperial",
		"call weather ta":           "array of choices",
		"get greet na":              "required, whom",
		"tool":                      "list the tools",
		"call echo te":              "string, required: what",
		"$sum.is":                   "false",
		"$sum.con":                  "array",
		"$env.PATH":                 "",
		"$sum.structuredContent.lo": `"0123456789 0123456789 0123456789 012345…`,
	} {
		_, _, list := script.Complete(line, len(line), demoWorld)
		if len(list) == 0 || list[0].Info != want {
			t.Errorf("%s: %+v, want %q", line, list, want)
		}
	}
}

func TestCompleteWithoutASource(t *testing.T) {
	for _, line := range []string{"", "call ", "call x ", "read ", "connect ", "complete a ", "$", "get a b"} {
		script.Complete(line, len(line), nil)
	}
	if _, _, list := script.Complete("", 0, nil); len(list) != len(script.Commands()) {
		t.Errorf("%d of the commands", len(list))
	}
}

func FuzzComplete(f *testing.F) {
	for _, line := range []string{"call echo te", "let x = $", "for a in b : call", `call "`, "set x ", "--", "expect $x ", "${", "complete {a "} {
		f.Add(line, len(line))
	}
	f.Fuzz(func(t *testing.T, line string, at int) {
		if strings.ContainsAny(line, "@/") { // directories of this machine
			t.Skip()
		}
		from, to, list := script.Complete(line, at, demoWorld)
		if from < 0 || to < from || to > len(line) {
			t.Fatalf("%q: [%d:%d]", line, from, to)
		}
		if slices.ContainsFunc(list, func(c script.Completion) bool { return c.Text == "" }) {
			t.Errorf("%q: nothing to put there: %v", line, list)
		}
	})
}

func BenchmarkComplete(b *testing.B) {
	var many world
	for i := range 5000 {
		tool := demoWorld.tools[1]
		tool.Name = fmt.Sprintf("tool_%04d_does_something", i)
		tool.Description = "does a thing.\nAt length."
		many.tools = append(many.tools, tool)
	}
	for name, line := range map[string]string{"tools": "call ", "one": "call tool_49", "inside": "call thing", "arguments": "call tool_4999_does_something ", "members": "$many."} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				script.Complete(line, len(line), many)
			}
		})
	}
}
