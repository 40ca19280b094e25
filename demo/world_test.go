package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// result decodes the result of an answer.
func result[T any](t *testing.T, line string) T {
	t.Helper()
	var m struct {
		Result T
		Error  json.RawMessage
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil || m.Error != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return m.Result
}

func calling(name, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, arguments)
}

func textOf(t *testing.T, line string) string {
	t.Helper()
	r := result[struct{ Content []struct{ Text string } }](t, line)
	if len(r.Content) != 1 {
		t.Fatalf("%s has not one content", line)
	}
	return r.Content[0].Text
}

func TestWorldFiles(t *testing.T) {
	for _, name := range Worlds() {
		w, err := openWorld(Options{As: name, Now: fixedTime}, io.Discard)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, raw := range slices.Concat(w.Tools, w.Unlisted.Tools) {
			if tool := stringIn(raw, "name"); tools[tool].run == nil {
				t.Errorf("%s: tool %q does nothing", name, tool)
			}
		}
		for _, raw := range slices.Concat(w.Tools, w.Unlisted.Tools, w.Resources, w.Unlisted.Resources, w.Templates, w.Prompts) {
			if strings.ContainsAny(string(raw), "\n\t") {
				t.Errorf("%s: %s is not compact", name, raw)
			}
		}
	}
}

func TestDemoHasWhatItShows(t *testing.T) {
	p := start(t, Options{})
	list := result[struct {
		Tools []struct {
			Name        string
			Description string
			Annotations struct{ ReadOnlyHint *bool }
		}
	}](t, p.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Annotations.ReadOnlyHint == nil || tool.Description == "" {
			t.Errorf("%s has no hint or no description", tool.Name)
		}
	}
	want := []string{"get_alerts", "get_forecast", "get_weather", "weather", "calculator", "text_processor", "write_file", "read_file",
		"echo", "slow", "fail", "large", "crash", "toggle_tool", "ask", "sample_llm", "show_roots", "book_trip", "picture", "link"}
	if !slices.Equal(names, want) {
		t.Errorf("tools are %v\nwant %v", names, want)
	}
}

func TestPages(t *testing.T) {
	p := start(t, Options{})
	var uris []string
	var sizes []int
	params := `{}`
	for {
		page := result[struct {
			Resources  []struct{ URI string }
			NextCursor string
		}](t, p.ask(`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":`+params+`}`))
		sizes = append(sizes, len(page.Resources))
		for _, r := range page.Resources {
			uris = append(uris, r.URI)
		}
		if page.NextCursor == "" {
			break
		}
		params = `{"cursor":"` + page.NextCursor + `"}`
	}
	if !slices.Equal(sizes, []int{10, 10, 10}) || uris[0] != "useful://system-info" || uris[1] != "useful://date-time" || uris[29] != "demo://page/25" {
		t.Errorf("pages of %v: %v", sizes, uris)
	}
	for _, uri := range append(uris, "weather://北京", "weather://%E5%8C%97%E4%BA%AC", "weather://New York", "memory:///path/to/file.txt") {
		line := p.ask(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"` + uri + `"}}`)
		read := result[struct {
			Contents []struct{ URI, MIMEType, Text, Blob string }
		}](t, line)
		if c := read.Contents; len(c) != 1 || c[0].URI != uri || c[0].MIMEType == "" || (c[0].Text == "") == (c[0].Blob == "") {
			t.Errorf("%s: %s", uri, line)
		}
	}
}

func TestArguments(t *testing.T) {
	p := start(t, Options{})
	for _, c := range []struct{ tool, arguments, details string }{
		{"read_file", `{}`, "参数 path 是必需的"},
		{"read_file", `null`, "参数 path 是必需的"},
		{"read_file", `[]`, "参数 arguments 必须是 object"},
		{"read_file", `{"path":5}`, "参数 path 必须是 string"},
		{"calculator", `{"operation":"power","a":1,"b":2}`, `参数 operation 必须是 \"add\", \"subtract\", \"multiply\", \"divide\" 之一`},
		{"calculator", `{"operation":"add","a":"1","b":2}`, "参数 a 必须是 number"},
		{"slow", `{"steps":1.5}`, "参数 steps 必须是 integer"},
		{"slow", `{"steps":0}`, "参数 steps 不能小于 1"},
		{"slow", `{"seconds":1e9}`, "参数 seconds 不能大于 3600"},
		{"book_trip", `{"traveler":"","date":"2026-12-01","currency":"CNY"}`, "参数 traveler 至少要有 1 个字符"},
		{"book_trip", `{"traveler":"` + strings.Repeat("北", 61) + `","date":"2026-12-01","currency":"CNY"}`, "参数 traveler 最多只能有 60 个字符"},
		{"book_trip", `{"traveler":"A","date":"2026-12-01","currency":"EUR"}`, `参数 currency 必须是 \"CNY\" 之一`},
		{"book_trip", `{"traveler":"A","date":"2026-12-01","currency":"CNY","class":"third"}`, `参数 class 必须是 \"economy\", \"business\", \"first\" 之一`},
		{"book_trip", `{"traveler":"A","date":"2026-12-01","currency":"CNY","companion":1}`, "参数 companion 必须是 string 或 null"},
		{"book_trip", `{"traveler":"A","date":"2026-12-01","currency":"CNY","budget":0}`, "参数 budget 必须大于 0"},
		{"book_trip", `{"traveler":"A","date":"2026-12-01","currency":"CNY","window":"yes"}`, "参数 window 必须是 boolean"},
		{"book_trip", `{"traveler":"A","date":"2026-12-01","currency":"CNY","meal":1}`, "参数 meal 不存在"},
	} {
		want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params","data":{"details":"` + c.details + `"}}}`
		if got := p.ask(calling(c.tool, c.arguments)); got != want {
			t.Errorf("%s %s\ngot  %s\nwant %s", c.tool, c.arguments, got, want)
		}
	}
	want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params","data":{"details":"参数 code 是必需的"}}}`
	if got := p.ask(`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"code_review"}}`); got != want {
		t.Error(got)
	}
}

// The arguments come back byte by byte, but for spaces between tokens.
func TestBookTripKeepsBytes(t *testing.T) {
	p := start(t, Options{})
	const sent = `{"traveler":"<Ann & \u5317>","date":"2026-12-01","currency":"CNY","nights":2.0,"budget":12345678901234567.890,"companion":null,"notes":"a\nb"}`
	p.send(calling("book_trip", sent))
	p.expect(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + string(plainJSON(sent)) + `}],"structuredContent":` + sent + `,"isError":false}}`)
}

func TestTools(t *testing.T) {
	p := start(t, Options{})
	for _, c := range []struct{ tool, arguments, want string }{
		{"calculator", `{"operation":"divide","a":1,"b":3}`, "计算结果: 1.0 除法 3.0 = 0.3333333333333333"},
		{"calculator", `{"operation":"multiply","a":1e6,"b":1e6}`, "计算结果: 1000000.0 乘法 1000000.0 = 1.0E12"},
		{"calculator", `{"operation":"subtract","a":1,"b":2.5}`, "计算结果: 1.0 减法 2.5 = -1.5"},
		{"calculator", `{"operation":"divide","a":1,"b":0}`, "错误: 除数不能为零"},
		{"text_processor", `{"text":"Hello 北京","action":"uppercase"}`, "处理结果: HELLO 北京"},
		{"text_processor", `{"text":"Hello","action":"lowercase"}`, "处理结果: hello"},
		{"text_processor", `{"text":"ab北京","action":"reverse"}`, "处理结果: 京北ba"},
		{"text_processor", `{"text":"two words\n北京","action":"count"}`, "字符数: 12\n单词数: 3\n行数: 2"},
		{"write_file", `{"path":"a.txt","content":"北京 <&>"}`, "Successfully wrote 10 bytes to a.txt"},
		{"read_file", `{"path":"a.txt"}`, "北京 <&>"},
		{"write_file", `{"path":"empty"}`, "Successfully wrote 0 bytes to empty"},
		{"read_file", `{"path":"nope"}`, "文件不存在: nope"},
		{"echo", `{"text":"hi %d ☀"}`, "hi %d ☀"},
		{"fail", `{}`, "the demo was asked to fail"},
		{"fail", `{"message":"%d"}`, "%d"},
		{"get_alerts", `{"state":"California"}`, `"California" is no state: use its two letters, such as CA`},
		{"get_forecast", `{"latitude":91,"longitude":0}`, "Unable to fetch forecast data for this location."},
		{"surprise", `{}`, ""},
	} {
		got := p.ask(calling(c.tool, c.arguments))
		if c.want == "" {
			if !strings.Contains(got, `unknown tool`) {
				t.Errorf("%s: %s", c.tool, got)
			}
			continue
		}
		if text := textOf(t, got); text != c.want {
			t.Errorf("%s %s: %q, want %q", c.tool, c.arguments, text, c.want)
		}
	}
	if got := p.ask(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"memory://empty"}}`); !strings.Contains(got, `"text":""`) {
		t.Errorf("an empty file is read as %s", got)
	}
}

// The same question has the same answer on every run, whatever was asked before.
func TestWeatherIsDeterministic(t *testing.T) {
	a, b := start(t, Options{}), start(t, Options{})
	b.ask(calling("weather", `{"city":"Paris"}`))
	for _, c := range []string{
		calling("weather", `{"city":"上海"}`), calling("get_weather", `{"city":"上海"}`), calling("get_alerts", `{"state":"CA"}`),
		calling("get_forecast", `{"latitude":52.52,"longitude":13.4}`), calling("picture", `{"color":"red"}`),
	} {
		if x, y := a.ask(c), b.ask(c); x != y || strings.Contains(x, `"isError":true`) {
			t.Errorf("%s\n%s\n%s", c, x, y)
		}
	}
}

func TestLarge(t *testing.T) {
	p := start(t, Options{})
	if text := textOf(t, p.ask(calling("large", `{"kilobytes":64}`))); len(text) != 64*1024 || !strings.HasSuffix(text, "\n") || strings.Count(text, "\n") != 1024 {
		t.Errorf("%d bytes", len(text))
	}
}

func TestProgressAndLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{})
		p.shake()
		from := time.Now()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"seconds":4,"steps":2},"_meta":{"progressToken":"t"}}}`,
			`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		p.expect(`{"jsonrpc":"2.0","id":2,"result":{}}`)
		if time.Since(from) != 0 {
			t.Error("ping waited for the slow call")
		}
		p.expect(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","message":"step 1 of 2","progress":1,"total":2}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"step 1 of 2","level":"info","logger":"slow"}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","message":"step 2 of 2","progress":2,"total":2}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"step 2 of 2","level":"info","logger":"slow"}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"finished step 2 of 2 after 4 s"}],"isError":false}}`)
		if took := time.Since(from); took != 4*time.Second {
			t.Errorf("took %v", took)
		}
		p.send(`{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"error"}}`, calling("slow", `{"steps":1}`))
		p.expect(`{"jsonrpc":"2.0","id":3,"result":{}}`, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"finished step 1 of 1 after 3 s"}],"isError":false}}`)
		_, _ = p.end()
	})
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{Grace: time.Hour})
		p.shake()
		const slow = `"method":"tools/call","params":{"name":"slow","arguments":{"seconds":1000,"steps":1}}}`
		p.send(`{"jsonrpc":"2.0","id":1,`+slow, `{"jsonrpc":"2.0","id":"1",`+slow)
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.0,"reason":"enough"}}`)
		p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		p.expect(`{"jsonrpc":"2.0","id":2,"result":{}}`)
		from := time.Now()
		rest, err := p.end() // waits for the one that is left
		if took := time.Since(from); err != nil || took != 1000*time.Second || len(rest) != 2 || !strings.Contains(rest[1], `"id":"1","result"`) {
			t.Errorf("after %v: %q, %v", took, rest, err)
		}
	})
}

func TestToggle(t *testing.T) {
	p := start(t, Options{})
	p.shake()
	const changed = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	p.send(calling("toggle_tool", `{}`))
	p.expect(changed, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"added the tool surprise"}],"isError":false}}`)
	if got := p.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); !strings.Contains(got, `"surprise"`) {
		t.Error("the list has no surprise")
	}
	if got := textOf(t, p.ask(calling("surprise", `{}`))); got != "🎉" {
		t.Error(got)
	}
	p.send(calling("toggle_tool", `{}`))
	p.expect(changed, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"removed the tool surprise"}],"isError":false}}`)
	if got := p.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); strings.Contains(got, `"surprise"`) {
		t.Error("the surprise is still there")
	}
	if got := p.ask(calling("surprise", `{}`)); !strings.Contains(got, `unknown tool`) {
		t.Error(got)
	}
}

func TestSubscription(t *testing.T) {
	p := start(t, Options{})
	p.shake()
	p.ask(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"memory://a"}}`)
	p.send(calling("write_file", `{"path":"b"}`), calling("write_file", `{"path":"a"}`))
	p.expect(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Successfully wrote 0 bytes to b"}],"isError":false}}`,
		`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"memory://a"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Successfully wrote 0 bytes to a"}],"isError":false}}`)
}

func TestJavaDouble(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0.0", 1: "1.0", -2.5: "-2.5", 0.001: "0.001", 0.0001: "1.0E-4", 9999999: "9999999.0", 1e7: "1.0E7", 12345678.9: "1.23456789E7",
		1e21: "1.0E21", 0.1: "0.1", math.Inf(1): "Infinity", math.Inf(-1): "-Infinity", 1.0 / 3: "0.3333333333333333", 5e-324: "5.0E-324",
	} {
		if got := javaDouble(f); got != want {
			t.Errorf("%g is spelled %s, want %s", f, got, want)
		}
	}
}

func BenchmarkOpenWorld(b *testing.B) {
	for b.Loop() {
		if _, err := openWorld(Options{}, io.Discard); err == nil {
			b.Fatal("a world without a name")
		}
		if _, err := openWorld(Options{As: "demo", Now: fixedTime}, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
