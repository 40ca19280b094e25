package wire

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// at gives the span of part in raw.
func at(raw, part string) Span {
	return Span{int64(strings.LastIndex(raw, part)), int64(len(part))}
}

// scanTests say what a frame is; spans are left to the comparison with a
// reference, see FuzzScan.
var scanTests = []struct {
	raw  string
	want Head
}{
	{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, Head{Form: Request, ID: Int(1), Method: "ping"}},
	{` {"jsonrpc" : "2.0" , "id" : "1" , "method":"ping" } ` + "\r\n", Head{Form: Request, ID: Str("1"), Method: "ping"}},
	{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, Head{Form: Notification, Method: "notifications/initialized"}},
	{`{"jsonrpc":"2.0","method":"a","id":null}`, Head{Form: Request, ID: ID{Type: NullID}, Method: "a", Flaws: FlawNullID}},
	{`{"result":{},"id":-3,"jsonrpc":"2.0"}`, Head{Form: Result, ID: Int(-3)}},
	{`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`, Head{Form: Failure, ID: Int(1), Code: -32601}},
	{`{"jsonrpc":"2.0","id":1,"error":{"code":-3.2e3,"message":"no"}}`, Head{Form: Failure, ID: Int(1), Code: -3200}},
	{`{"jsonrpc":"2.0","id":1,"error":{"code":"-1","message":"no"}}`, Head{Form: Failure, ID: Int(1), Flaws: FlawErrorShape}},
	{`{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"no"}}`, Head{Form: Failure, ID: Int(1), Flaws: FlawErrorShape}},
	{`{"jsonrpc":"2.0","id":1,"error":{"code":-5}}`, Head{Form: Failure, ID: Int(1), Code: -5, Flaws: FlawErrorShape}},
	{`{"jsonrpc":"2.0","id":1,"error":"no"}`, Head{Form: Failure, ID: Int(1), Flaws: FlawErrorShape}},
	{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}`, Head{Form: Failure, ID: ID{Type: NullID}, Code: -32700, Flaws: FlawNullID}},

	// ids
	{`{"jsonrpc":"2.0","id":1.0,"result":1}`, Head{Form: Result, ID: Int(1)}},
	{`{"jsonrpc":"2.0","id":10e-1,"result":1}`, Head{Form: Result, ID: Int(1)}},
	{`{"jsonrpc":"2.0","id":0.1E+1,"result":1}`, Head{Form: Result, ID: Int(1)}},
	{`{"jsonrpc":"2.0","id":-0.0e99999999999999999999,"result":1}`, Head{Form: Result, ID: Int(0)}},
	{`{"jsonrpc":"2.0","id":9223372036854775807,"result":1}`, Head{Form: Result, ID: Int(9223372036854775807)}},
	{`{"jsonrpc":"2.0","id":-9223372036854775808,"result":1}`, Head{Form: Result, ID: Int(-9223372036854775808)}},
	{`{"jsonrpc":"2.0","id":9223372036854775808,"result":1}`, Head{Form: Result, ID: ID{Type: NumberID, Text: "9223372036854775808"}}},
	{`{"jsonrpc":"2.0","id":1.50,"result":1}`, Head{Form: Result, ID: ID{Type: NumberID, Text: "1.50"}}},
	{`{"jsonrpc":"2.0","id":1e400,"result":1}`, Head{Form: Result, ID: ID{Type: NumberID, Text: "1e400"}}},
	{`{"jsonrpc":"2.0","id":"\u0061\ud83d\ude00\ud800","result":1}`, Head{Form: Result, ID: Str("a😀\uFFFD")}},
	{`{"jsonrpc":"2.0","id":{ "id": ["x\n"] },"result":1}`, Head{Form: Result, ID: ID{Type: OtherID, Text: `{ "id": ["x\n"] }`}, Flaws: FlawOddID}},
	{`{"jsonrpc":"2.0","id":true,"result":1}`, Head{Form: Result, ID: ID{Type: OtherID, Text: "true"}, Flaws: FlawOddID}},

	// what counts as a message
	{`{"id":1,"result":null}`, Head{Form: Result, ID: Int(1), Flaws: FlawNoVersion}},
	{`{"id":1,"method":"x"}`, Head{Form: Request, ID: Int(1), Method: "x", Flaws: FlawNoVersion}},
	{`{"params":{},"method":"x"}`, Head{Form: Notification, Method: "x", Flaws: FlawNoVersion}},
	{`{"jsonrpc":"1.0","method":"x"}`, Head{Form: Notification, Method: "x", Flaws: FlawNoVersion}},
	{`{"jsonrpc":2.0,"method":"x"}`, Head{Form: Notification, Method: "x", Flaws: FlawNoVersion}},
	{`{"jsonrpc":"2.0","method":7,"id":1}`, Head{Form: Request, ID: Int(1), Flaws: FlawMethod}},
	{`{"jsonrpc":"2.0","id":1}`, Head{Form: Result, ID: Int(1), Flaws: FlawNoResult}},
	{`{"jsonrpc":"2.0","result":1}`, Head{Form: Result, Flaws: FlawNoID}},
	{`{"jsonrpc":"2.0"}`, Head{Form: Value}},
	{`{"method":"x"}`, Head{Form: Value}},
	{`{"method":7,"id":1}`, Head{Form: Value}},
	{`{"level":"info","id":1,"msg":"x"}`, Head{Form: Value}},
	{`{"result":1}`, Head{Form: Value}},
	{`{"x":{"jsonrpc":"2.0","id":1,"method":"ping"}}`, Head{Form: Value}},
	{`{}`, Head{Form: Value}},
	{` "text" `, Head{Form: Value}},
	{`12`, Head{Form: Value}},
	{`-1.5e+7 `, Head{Form: Value}},
	{`null`, Head{Form: Value}},

	// flaws
	{`{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}`, Head{Form: Failure, ID: Int(1), Code: 1, Flaws: FlawBoth}},
	{`{"jsonrpc":"2.0","id":1,"result":1,"error":null}`, Head{Form: Result, ID: Int(1), Flaws: FlawBoth | FlawErrorShape}},
	{`{"jsonrpc":"2.0","id":1,"method":"x","result":1}`, Head{Form: Request, ID: Int(1), Method: "x", Flaws: FlawExtra}},
	{`{"jsonrpc":"2.0","id":1,"method":"x","params":3}`, Head{Form: Request, ID: Int(1), Method: "x", Flaws: FlawParams}},
	{`{"jsonrpc":"2.0","id":1,"method":"x","params":[3]}`, Head{Form: Request, ID: Int(1), Method: "x"}},
	{`{"jsonrpc":"2.0","id":[],"id":2,"method":"x","m\u0065thod":"y"}`, Head{Form: Request, ID: Int(2), Method: "y", Flaws: FlawDuplicate}},
	{`{"jsonrpc":"2.0","method":"x","params":{"name":"a","cursor":"b"},"params":{}}`, Head{Form: Notification, Method: "x", Flaws: FlawDuplicate}},
	{`{"jsonrpc":"2.0","method":"x","params":3,"params":[]}`, Head{Form: Notification, Method: "x", Flaws: FlawDuplicate}},
	{`{"jsonrpc":"2.0","method":"x","method":null}`, Head{Form: Notification, Flaws: FlawDuplicate | FlawMethod}},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}", Head{Form: Result, ID: Int(1), Flaws: FlawUTF8}},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xe3\x81\"}", Head{Form: Result, ID: Int(1), Flaws: FlawUTF8}},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xe3\x81\\n\x82\"}", Head{Form: Result, ID: Int(1), Flaws: FlawUTF8}},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"あ😀é\\nあ\"}", Head{Form: Result, ID: Int(1)}},

	// inner fields
	{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"t"},"name":"echo","arguments":{"name":"x","progressToken":4}}}`,
		Head{Form: Request, ID: Int(1), Method: "tools/call", Name: "echo", Token: Str("t")}},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":1},"_meta":{}}}`,
		Head{Form: Request, ID: Int(1), Method: "tools/call"}},
	{`{"params":{"requestId":8,"progressToken":{"a":[1]},"_meta":{"progressToken":9}},"method":"notifications/progress","jsonrpc":"2.0"}`,
		Head{Form: Notification, Method: "notifications/progress", Token: ID{Type: OtherID, Text: `{"a":[1]}`}}},
	{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8,"progressToken":1}}`,
		Head{Form: Notification, Method: "notifications/cancelled", Token: Int(8)}},
	{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"progressToken":1}}`,
		Head{Form: Notification, Method: "notifications/cancelled"}},
	{`{"jsonrpc":"2.0","method":"other","params":{"requestId":8,"progressToken":1,"_meta":{"progressToken":9}}}`,
		Head{Form: Notification, Method: "other"}},
	{`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:\/\/\/a"}}`,
		Head{Form: Request, ID: Int(1), Method: "resources/read", Name: "file:///a"}},
	{`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"n"}}}`,
		Head{Form: Request, ID: Int(1), Method: "completion/complete", Name: "p"}},
	{`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"uri":"u"},"name":3}}`,
		Head{Form: Request, ID: Int(1), Method: "completion/complete", Name: "u"}},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}`,
		Head{Form: Request, ID: Int(1), Method: "tools/list", Cursor: true}},
	{`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"nextCursor":"no"}],"nextCursor":""}}`, Head{Form: Result, ID: Int(1), Next: true}},
	{`{"jsonrpc":"2.0","id":1,"result":{"nextCursor":null,"isError":true}}`, Head{Form: Result, ID: Int(1), IsError: true}},
	{`{"jsonrpc":"2.0","id":1,"result":{"isError":"true","nextCursor":{"nextCursor":"x"}}}`, Head{Form: Result, ID: Int(1)}},
	{`{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t1"}}`,
		Head{Form: Request, ID: Int(1), Method: "tasks/get", Name: "t1"}},
	{`{"taskId":"top","jsonrpc":"2.0","id":1,"method":"tools/call","params":{"taskId":"t1","ref":{"uri":"u"}}}`,
		Head{Form: Request, ID: Int(1), Method: "tools/call", Name: "u"}},

	// what the versions without sessions add
	{`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}`, Head{Form: Result, ID: Int(1)}},
	{`{"jsonrpc":"2.0","result":{"inputRequests":{"resultType":"task"},"resultType":"input_required"},"id":1}`, Head{Form: Result, ID: Int(1), Type: ResultInput}},
	{`{"jsonrpc":"2.0","id":1,"result":{"result\u0054ype":"\u0074ask"}}`, Head{Form: Result, ID: Int(1), Type: ResultTask}},
	{`{"jsonrpc":"2.0","id":1,"result":{"resultType":"Task"}}`, Head{Form: Result, ID: Int(1), Type: ResultOther}},
	{`{"jsonrpc":"2.0","id":1,"result":{"resultType":null}}`, Head{Form: Result, ID: Int(1), Type: ResultOther}},
	{`{"jsonrpc":"2.0","id":1,"result":{"resultType":{"resultType":"task"}}}`, Head{Form: Result, ID: Int(1), Type: ResultOther}},
	{`{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","resultType":"complete"}}`, Head{Form: Result, ID: Int(1)}},
	{`{"jsonrpc":"2.0","id":1,"result":{"resultType":"task"},"result":{}}`, Head{Form: Result, ID: Int(1), Flaws: FlawDuplicate}},
	{`{"jsonrpc":"2.0","id":1,"resultType":"task","result":{}}`, Head{Form: Result, ID: Int(1)}},
	{`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""},"result":{"resultType":"task"}}`, Head{Form: Failure, ID: Int(1), Code: 1, Flaws: FlawBoth}},
	{`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"u","_meta":{"io.modelcontextprotocol/subscriptionId":"7"}}}`,
		Head{Form: Notification, Method: "notifications/resources/updated", Name: "u", Token: Str("7")}},
	{`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol\/subscriptionId":7}}}`,
		Head{Form: Notification, Method: "notifications/subscriptions/acknowledged", Token: Int(7)}},
	{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`,
		Head{Form: Notification, Method: "notifications/progress", Token: Int(1)}},
	{`{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`,
		Head{Form: Request, ID: Int(1), Method: "x"}},

	// batches
	{`[]`, Head{Form: Value}},
	{`[1,{"a":2},[{"jsonrpc":"2.0","id":1,"method":"ping"}]]`, Head{Form: Value}},
	{`[ 7, {"jsonrpc":"2.0","id":1,"method":"ping"} , {"jsonrpc":"2.0","id":1,"result":2},"x",[],{}]`, Head{Form: Batch, Members: []Head{
		{Form: Value}, {Form: Request, ID: Int(1), Method: "ping"}, {Form: Result, ID: Int(1)},
		{Form: Value}, {Form: Value}, {Form: Value}}}},
	{"[\"\xff\",{\"jsonrpc\":\"2.0\",\"method\":\"a\"}]", Head{Form: Batch, Flaws: FlawUTF8, Members: []Head{
		{Form: Value, Flaws: FlawUTF8}, {Form: Notification, Method: "a"}}}},

	// not JSON
	{"", Head{Form: Garbage}},
	{"  ", Head{Form: Garbage, At: 2}},
	{"\ufeff{}", Head{Form: Garbage}},
	{"DEBUG: ready", Head{Form: Garbage}},
	{`{"jsonrpc":"2.0","id":1,"result":{}} x`, Head{Form: Garbage, At: 37}},
	{`{"jsonrpc":"2.0","id":1,"result":{}`, Head{Form: Garbage, At: 35}},
	{`{} {}`, Head{Form: Garbage, At: 3}},
	{`[1,]`, Head{Form: Garbage, At: 3}},
	{`{"a":1,}`, Head{Form: Garbage, At: 7}},
	{`{"a" 1}`, Head{Form: Garbage, At: 5}},
	{`{1:1}`, Head{Form: Garbage, At: 1}},
	{`[1}`, Head{Form: Garbage, At: 2}},
	{`{"a":[}`, Head{Form: Garbage, At: 6}},
	{`01`, Head{Form: Garbage, At: 1}},
	{`[-]`, Head{Form: Garbage, At: 2}},
	{`-`, Head{Form: Garbage, At: 1}},
	{`1.`, Head{Form: Garbage, At: 2}},
	{`1.e1`, Head{Form: Garbage, At: 2}},
	{`1e+`, Head{Form: Garbage, At: 3}},
	{`+1`, Head{Form: Garbage}},
	{`nul`, Head{Form: Garbage, At: 3}},
	{`truth`, Head{Form: Garbage, At: 3}},
	{`"a`, Head{Form: Garbage, At: 2}},
	{"\"a\tb\"", Head{Form: Garbage, At: 2}},
	{"\"a long text and then\x00b\"", Head{Form: Garbage, At: 21}},
	{`"\x"`, Head{Form: Garbage, At: 2}},
	{`"\u12g4"`, Head{Form: Garbage, At: 5}},
	{`"\u`, Head{Form: Garbage, At: 3}},
	{`[NaN]`, Head{Form: Garbage, At: 1}},
	{`['a']`, Head{Form: Garbage, At: 1}},
	{"[\xe3\x81\x82]", Head{Form: Garbage, At: 1}},
}

// noSpans clears the spans of a head and its members.
func noSpans(h Head) Head {
	h.Params, h.Result, h.Error, h.Span = Span{}, Span{}, Span{}, Span{}
	var members []Head
	for _, m := range h.Members {
		members = append(members, noSpans(m))
	}
	h.Members = members
	return h
}

func TestScan(t *testing.T) {
	for _, tt := range scanTests {
		if got := noSpans(Scan([]byte(tt.raw))); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Scan(%s)\n got %+v\nwant %+v", tt.raw, got, tt.want)
		}
	}
}

func TestScanSpans(t *testing.T) {
	raw := `[ {"result": {"a":[1]} ,"id":1}, {"jsonrpc":"2.0","method":"m","params":[ 1 ]} ,{"id":2,"error": "e" }]`
	h := Scan([]byte(raw))
	if h.Form != Batch || len(h.Members) != 3 || h.Span != at(raw, raw) {
		t.Fatalf("%+v", h)
	}
	for _, tt := range []struct {
		got  Span
		want string
	}{
		{h.Members[0].Span, `{"result": {"a":[1]} ,"id":1}`},
		{h.Members[0].Result, `{"a":[1]}`},
		{h.Members[1].Span, `{"jsonrpc":"2.0","method":"m","params":[ 1 ]}`},
		{h.Members[1].Params, `[ 1 ]`},
		{h.Members[2].Error, `"e"`},
	} {
		if tt.got != at(raw, tt.want) {
			t.Errorf("span %v, want that of %s", tt.got, tt.want)
		}
	}
}

// The bytes may be split anywhere, into any number of pieces, and the pieces
// may be overwritten afterwards.
func TestScanSplit(t *testing.T) {
	var s Scanner
	write := func(raw []byte) {
		p := bytes.Clone(raw)
		s.Write(p)
		for i := range p {
			p[i] = '"'
		}
	}
	for _, tt := range scanTests {
		raw := []byte(tt.raw)
		want := Scan(raw)
		for i := range len(raw) + 1 {
			s.Reset()
			write(raw[:i])
			if got, cut := s.Head(), Scan(raw[:i]); !reflect.DeepEqual(got, cut) {
				t.Errorf("%s at %d: %+v, want %+v", raw, i, got, cut)
			}
			write(raw[i:])
			if got := s.Head(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s split at %d:\n got %+v\nwant %+v", raw, i, got, want)
			}
		}
		s.Reset()
		for i := range raw {
			write(raw[i : i+1])
		}
		if got := s.Head(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s by bytes:\n got %+v\nwant %+v", raw, got, want)
		}
	}
}

func TestScanPartial(t *testing.T) {
	for _, tt := range []struct {
		raw  string
		want Head
	}{
		{``, Head{}},
		{`{"jsonrpc":"2.0","id":7`, Head{}},
		{`{"jsonrpc":"2.0","id":7,"result":{"content":[{"text":"abc`, Head{Form: Result, ID: Int(7)}},
		{`{"jsonrpc":"2.0","result":{"isError":true,`, Head{Form: Result, IsError: true}},
		{`{"jsonrpc":"2.0","method":"m","params":{"name":"n","arguments":{"a":"`, Head{Form: Notification, Method: "m", Name: "n"}},
		{`{"id":1,"error":{`, Head{Form: Failure, ID: Int(1)}},
		{`[1,`, Head{}},
		{`[{"jsonrpc":"2.0","id":7,"method":"m"},{"a`, Head{Form: Batch, Members: []Head{{Form: Request, ID: Int(7), Method: "m"}}}},
		{`{"jsonrpc":"2.0","id":7,"result":{}}`, Head{Form: Result, ID: Int(7)}},
		{`{"jsonrpc":"2.0","id":7,"result":nil`, Head{Form: Garbage, At: 34}},
	} {
		var s Scanner
		s.Write([]byte(tt.raw))
		if got := noSpans(s.Partial()); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Partial of %s\n got %+v\nwant %+v", tt.raw, got, tt.want)
		}
	}
}

func TestScanLongNames(t *testing.T) {
	pad := strings.Repeat("é", 3000)
	escaped := strings.Repeat(`\u00e9`, 5000)
	for _, tt := range []struct{ raw, id, method string }{
		{fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","method":"m"}`, pad), pad[:4096], "m"},
		{fmt.Sprintf(`{"jsonrpc":"2.0","id":"x%s","method":"m"}`, pad), "x" + pad[:4094], "m"},
		{fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"%s"}`, escaped), "i", pad[:4096]},
		{fmt.Sprintf(`{"jsonrpc":"2.0","id":1%s,"method":"m"}`, strings.Repeat("0", 5000)), "1" + strings.Repeat("0", 4095), "m"},
		{fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","method":"m"}`, strings.Repeat("y", 1<<20)), strings.Repeat("y", 4096), "m"},
	} {
		want := Scan([]byte(tt.raw))
		if want.Flaws != FlawLongName || want.ID.Text != tt.id || want.Method != tt.method || !utf8.ValidString(want.ID.Text) {
			t.Errorf("%.60s…: flaws %b, id of %d bytes, method of %d", tt.raw, want.Flaws, len(want.ID.Text), len(want.Method))
		}
		for _, size := range []int{1000, 4096, 24577} {
			var s Scanner
			for p := range slices.Chunk([]byte(tt.raw), size) {
				s.Write(p)
			}
			if got := s.Head(); !reflect.DeepEqual(got, want) {
				t.Errorf("%.60s… in writes of %d differs", tt.raw, size)
			}
		}
	}
}

func TestScanDeep(t *testing.T) {
	const n = 1 << 20
	for _, tt := range []struct{ open, inside, close string }{
		{"[", "", "]"},
		{`{"a":`, "1", "}"},
		{`[{"a":[`, "1", `]}]`},
	} {
		raw := []byte(`{"jsonrpc":"2.0","result":` + strings.Repeat(tt.open, n) + tt.inside + strings.Repeat(tt.close, n) + `,"id":1}`)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		h := Scan(raw)
		runtime.ReadMemStats(&after)
		if h.Form != Result || h.ID != Int(1) {
			t.Errorf("%s…: %+v", tt.open, h)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > uint64(len(raw)/2) {
			t.Errorf("%s…: %d bytes allocated", tt.open, used)
		}
		raw[len(raw)/2+1] = '}'
		raw[len(raw)/2+2] = ']'
		if h := Scan(raw); h.Form != Garbage {
			t.Errorf("%s… broken: %+v", tt.open, h)
		}
	}
}

func TestScanLongBatch(t *testing.T) {
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for n, long := range map[int]bool{MaxMembers: false, MaxMembers + 1: true} {
		h := Scan([]byte("[" + ping + strings.Repeat(","+ping, n-1) + "]"))
		if h.Form != Batch || len(h.Members) != MaxMembers || (h.Flaws == FlawLongBatch) != long {
			t.Errorf("%d members: form %d, flaws %b, %d kept", n, h.Form, h.Flaws, len(h.Members))
		}
	}
	numbers := strings.Repeat("1,", MaxMembers) + ping
	if h := Scan([]byte("[" + numbers + "]")); h.Form != Value {
		t.Errorf("a message after MaxMembers others: form %d", h.Form)
	}
}

func TestScanAllocations(t *testing.T) {
	raw := []byte(`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"search_files","_meta":{"progressToken":12}}}`)
	var s Scanner
	if n := testing.AllocsPerRun(100, func() {
		s.Reset()
		s.Write(raw)
		s.Head()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
