package check_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/check"
	"parley/client/wire"
	"parley/history"
)

// record makes a log of lines: "> " toward the server, "< " from it, "! " on
// standard error, "* " for an event, "h " for a frame of HTTP that came. Before the
// mark may stand a via and a bar.
func record(t *testing.T, lines ...string) *history.Log {
	t.Helper()
	log, err := history.Create(history.Options{Spool: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	for _, line := range lines {
		via, rest, ok := strings.Cut(line, "|")
		if !ok || len(via) > 10 {
			via, rest = "", line
		}
		line = rest
		raw := []byte(line[2:])
		f := wire.Frame{Time: time.Unix(0, 0), Raw: raw, Size: int64(len(raw)), Via: via}
		switch line[:2] {
		case "> ", "< ":
			f.Dir = wire.Out
			if line[0] == '<' {
				f.Dir = wire.In
			}
			if f.Head = wire.Scan(raw); !f.Head.Form.IsMessage() {
				f.Kind = wire.Stray
			}
		case "! ":
			f.Dir, f.Kind = wire.In, wire.Stderr
		case "* ":
			f.Kind = wire.Event
		case "h ":
			f.Dir, f.Kind = wire.In, wire.HTTP
		default:
			t.Fatalf("%q begins with no mark", line)
		}
		log.Append([]wire.Frame{f})
	}
	return log
}

// findings applies a checker to a whole log.
func findings(log *history.Log) []check.Finding {
	var c check.Checker
	var out []check.Finding
	for seq := uint64(1); seq <= log.Len(); seq++ {
		r, _ := log.Record(seq)
		out = append(out, c.Apply(&r, log.Members(seq), func() []byte { raw, _ := log.Bytes(seq, 0, -1); return raw })...)
	}
	return out
}

// place gives a finding's place: the frame, or frame.member.
func place(f check.Finding) string {
	if f.Ref.Member == 0 {
		return fmt.Sprint(f.Ref.Seq)
	}
	return fmt.Sprintf("%d.%d", f.Ref.Seq, f.Ref.Member)
}

const (
	shake  = `> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`
	shaken = `< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`
	ping   = `> {"jsonrpc":"2.0","id":1,"method":"ping"}`
	pong   = `< {"jsonrpc":"2.0","id":1,"result":{}}`
)

// cases: for each, "place rule: part of the message" of every finding.
var cases = map[string]struct {
	lines []string
	want  []string
}{
	"nothing wrong": {[]string{`* {"event":"connected","epoch":1}`, shake, shaken, `> {"jsonrpc":"2.0","method":"notifications/initialized"}`, ping, pong,
		`! any text`, `< {"jsonrpc":"2.0","id":"a","method":"roots/list"}`, `> {"jsonrpc":"2.0","id":"a","result":{"roots":[]}}`,
		`* {"event":"exited","code":0}`}, nil},

	"text on stdout":     {[]string{`< listening`}, []string{"1 stray-stdout: on standard output: not JSON"}},
	"JSON on stdout":     {[]string{`< {"level":"info"}`}, []string{"1 stray-stdout: JSON, but no JSON-RPC message"}},
	"an empty line":      {[]string{`< `}, []string{"1 stray-stdout: an empty line"}},
	"our own stray line": {[]string{`> hello?`, `< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`}, nil},

	"an answer to nothing":             {[]string{ping, `< {"jsonrpc":"2.0","id":7,"result":{}}`}, []string{"2 answer-to-nothing: answers id 7, which nobody asked"}},
	"a second answer":                  {[]string{ping, pong, pong}, []string{"3 second-answer: answers id 1 again; the request is frame 1"}},
	"an id of another type":            {[]string{ping, `< {"jsonrpc":"2.0","id":"1","result":{}}`}, []string{`2 id-type: has id "1"; the request, frame 1, has the other type`}},
	"an id in flight":                  {[]string{ping, ping, pong}, []string{"2 id-in-flight: has id 1, as has frame 1, which is not answered yet"}},
	"ids begin anew with a connection": {[]string{`* {"event":"connected","epoch":1}`, ping, pong, `* {"event":"connected","epoch":2}`, ping, pong}, nil},
	"an answer is not carried over":    {[]string{`* {"event":"connected","epoch":1}`, ping, `* {"event":"connected","epoch":2}`, pong}, []string{"4 answer-to-nothing"}},

	"a notification with an id": {[]string{`> {"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`}, []string{"1 id-on-notification: notifications/initialized has id 1"}},
	"an unknown method":         {[]string{`> {"jsonrpc":"2.0","id":1,"method":"tool/list"}`}, []string{"1 undefined-method: tool/list: no version defines it"}},
	"an unknown notification":   {[]string{`< {"jsonrpc":"2.0","method":"initialized"}`}, []string{"1 undefined-method: initialized: no version defines it"}},

	"no jsonrpc":                {[]string{`> {"id":1,"method":"ping"}`}, []string{"1 no-jsonrpc-version"}},
	"another jsonrpc":           {[]string{`> {"jsonrpc":"1.0","id":1,"method":"ping"}`}, []string{"1 no-jsonrpc-version"}},
	"an id of null":             {[]string{`> {"jsonrpc":"2.0","id":null,"method":"ping"}`}, []string{"1 null-id"}},
	"an id of an array":         {[]string{`> {"jsonrpc":"2.0","id":[1],"method":"ping"}`}, []string{"1 odd-id"}},
	"an answer without id":      {[]string{`< {"jsonrpc":"2.0","result":{}}`}, []string{"1 no-id: a response without an id"}},
	"an error without id":       {[]string{`< {"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}`}, nil},
	"an error without id, then": {[]string{shake, shaken, `< {"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}`}, []string{"3 no-id: a response without an id"}},
	"an id and nothing":         {[]string{ping, `< {"jsonrpc":"2.0","id":1}`}, []string{"2 no-result"}},
	"a method of a number":      {[]string{`> {"jsonrpc":"2.0","id":1,"method":5}`}, []string{"1 method-type"}},
	"result and error":          {[]string{ping, `< {"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`}, []string{"2 result-and-error"}},
	"method and result":         {[]string{`> {"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`}, []string{"1 method-and-answer"}},
	"an error of text":          {[]string{ping, `< {"jsonrpc":"2.0","id":1,"error":"no"}`}, []string{"2 error-shape"}},
	"a code of text":            {[]string{ping, `< {"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"x"}}`}, []string{"2 error-shape"}},
	"params of text":            {[]string{`> {"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}`}, []string{"1 params-shape"}},
	"bytes, not UTF-8":          {[]string{"< {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"\xff\"}}"}, []string{"1 not-utf-8"}},
	"a key twice":               {[]string{`> {"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`}, []string{"1 duplicate-key"}},
	"two flaws at once":         {[]string{`> {"id":null,"method":"ping"}`}, []string{"1 no-jsonrpc-version", "1 null-id"}},
	"a stderr line is free":     {[]string{`! {"jsonrpc":"2.0","id":1}`}, nil},

	"a batch":                      {[]string{`> [{"jsonrpc":"2.0","id":1,"method":"ping"}]`}, []string{"1 batch: a batch of one message"}},
	"a batch in its age":           {[]string{shake, shaken, `> [{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `< [{"jsonrpc":"2.0","id":1,"result":{}}]`}, nil},
	"what is wrong inside a batch": {[]string{shake, shaken, `> [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"pong"}]`}, []string{"3.2 undefined-method: pong"}},

	"a malformed tool": {[]string{`> {"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":null}]}}`},
		[]string{"2 malformed-item: tools/list: item 2 b: inputSchema"}},
	"a malformed resource": {[]string{`> {"jsonrpc":"2.0","id":1,"method":"resources/list"}`, `< {"jsonrpc":"2.0","id":1,"result":{"resources":[{"name":"a"}]}}`},
		[]string{"2 malformed-item: resources/list: item 1 a"}},
	"a malformed template": {[]string{`> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`, `< {"jsonrpc":"2.0","id":1,"result":{"resourceTemplates":[7]}}`},
		[]string{"2 malformed-item: resources/templates/list: item 1"}},
	"a malformed prompt": {[]string{`> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, `< {"jsonrpc":"2.0","id":1,"result":{"prompts":[{}]}}`},
		[]string{"2 malformed-item: prompts/list: item 1"}},
	"a list that nobody asked for is not looked at": {[]string{ping, `< {"jsonrpc":"2.0","id":1,"result":{"tools":[{}]}}`}, nil},
	"an item in a batch": {[]string{shake, shaken, `> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, `< [{"jsonrpc":"2.0","id":1,"result":{"prompts":[{}]}}]`},
		[]string{"4.1 malformed-item: prompts/list: item 1"}},
}

func TestEveryRule(t *testing.T) {
	seen := map[string]bool{}
	all := maps.Clone(cases)
	maps.Copy(all, newerCases)
	if len(all) != len(cases)+len(newerCases) {
		t.Error("two cases have one name")
	}
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range findings(record(t, c.lines...)) {
				seen[f.Rule] = true
				got = append(got, fmt.Sprintf("%s %s: %s", place(f), f.Rule, f.Message))
				if f.Hint == "" || f.Reference == "" || f.Level == 0 {
					t.Errorf("%s has no hint, reference or level: %+v", f.Rule, f)
				}
			}
			if len(got) != len(c.want) {
				t.Fatalf("found %q, want %q", got, c.want)
			}
			for i := range got {
				if rule, part, _ := strings.Cut(c.want[i], ": "); !strings.HasPrefix(got[i], rule+": ") || !strings.Contains(got[i], part) {
					t.Errorf("found %q, want %q", got[i], c.want[i])
				}
			}
		})
	}
	for _, r := range check.Rules() {
		if !seen[r.ID] {
			t.Errorf("no case breaks the rule %s", r.ID)
		}
	}
}

func TestRulesAreUniqueAndDocumented(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range check.Rules() {
		if ids[r.ID] {
			t.Errorf("%s is there twice", r.ID)
		}
		ids[r.ID] = true
		if r.ID != strings.ToLower(r.ID) || strings.ContainsAny(r.ID, " _") {
			t.Errorf("%q: ids are lower case words with hyphens", r.ID)
		}
		if r.Title == "" || r.Hint == "" || r.Reference == "" {
			t.Errorf("%s is not documented: %+v", r.ID, r)
		}
		if r.Level != check.Error && r.Level != check.Warning {
			t.Errorf("%s has level %d", r.ID, r.Level)
		}
	}
}

func TestRulesIsACopy(t *testing.T) {
	check.Rules()[0].ID = "changed"
	if check.Rules()[0].ID == "changed" {
		t.Error("a caller can change the rules")
	}
}

func TestHintNamesTheMethodThatWasMeant(t *testing.T) {
	for method, want := range map[string]string{
		"initialized": "notifications/initialized", "tool/list": "tools/list", "notification/initialized": "notifications/initialized",
	} {
		found := findings(record(t, `> {"jsonrpc":"2.0","method":"`+method+`"}`))
		if len(found) != 1 || !strings.Contains(found[0].Hint, want) {
			t.Errorf("%s: %+v, want a hint at %s", method, found, want)
		}
	}
}

func TestPartsAreCheckedOnceTheyAreWhole(t *testing.T) {
	log := record(t)
	raw := []byte(`< {"jsonrpc":"2.0","id":9,"result":{}}`[2:])
	f := []wire.Frame{{Dir: wire.In, Raw: raw[:10], Size: 10, More: true}}
	log.Append(f)
	if found := findings(log); len(found) != 0 {
		t.Errorf("a frame whose end has not come: %+v", found)
	}
	f[0].Raw, f[0].Size, f[0].More, f[0].Head = raw[10:], int64(len(raw)), false, wire.Scan(raw)
	log.Append(f)
	if found := findings(log); len(found) != 1 || found[0].Rule != check.AnswerToNothing {
		t.Errorf("found %+v", found)
	}
}

func TestLevels(t *testing.T) {
	got := []string{check.Error.String(), check.Warning.String()}
	if want := []string{"error", "warning"}; !slices.Equal(got, want) {
		t.Errorf("levels are %q", got)
	}
}

// Once initialize was sent, raw is read only for answers to lists and to initialize,
// and of progress.
func TestBytesAreReadOnlyWhenNeeded(t *testing.T) {
	log := record(t, shake, ping, pong, `< text`)
	var c check.Checker
	for seq := uint64(1); seq <= log.Len(); seq++ {
		r, _ := log.Record(seq)
		c.Apply(&r, nil, func() []byte { t.Errorf("frame %d was read", seq); return nil })
	}
}

func BenchmarkApply(b *testing.B) {
	log, err := history.Create(history.Options{Spool: true})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	raw := []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
	log.Append([]wire.Frame{{Dir: wire.In, Raw: raw, Size: int64(len(raw)), Head: wire.Scan(raw)}})
	r, _ := log.Record(1)
	var c check.Checker
	b.ReportAllocs()
	for b.Loop() {
		c.Apply(&r, nil, func() []byte { return raw })
	}
}
