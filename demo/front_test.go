package demo

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestRequestsBeforeInitialize(t *testing.T) {
	p := start(t, Options{})
	for _, request := range []string{
		`"method":"ping"`,
		`"method":"tools/list"`,
		`"method":"resources/list","params":{}`,
		`"method":"resources/templates/list"`,
		`"method":"prompts/list"`,
		`"method":"resources/read","params":{"uri":"useful://system-info"}`,
		`"method":"prompts/get","params":{"name":"code_review","arguments":{"code":"x"}}`,
		`"method":"tools/call","params":{"name":"weather","arguments":{"city":"北京"}}`,
		`"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"plan_trip"},"argument":{"name":"city","value":"北"}}`,
	} {
		if got := p.ask(`{"jsonrpc":"2.0","id":"early",` + request + `}`); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":"early","result":{`) {
			t.Errorf("%s: %s", request, got)
		}
	}
	p.shake() // and the handshake is still to be had
	if got := p.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail"}}`); !strings.Contains(got, `"isError":true`) {
		t.Error(got)
	}
}

const invalidRequest = `"error":{"code":-32600,"message":"Invalid Request","data":{"details":"`

func TestWrongMessages(t *testing.T) {
	p := start(t, Options{})
	for _, c := range []struct{ line, want string }{
		{`hello?`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} x`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
		{"\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
		{`[1,2`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
		{`null`, `{"jsonrpc":"2.0","id":null,` + invalidRequest + `a message is an object"}}}`},
		{`"text"`, `{"jsonrpc":"2.0","id":null,` + invalidRequest + `a message is an object"}}}`},
		{`{}`, `{"jsonrpc":"2.0","id":null,` + invalidRequest + `jsonrpc must be \"2.0\""}}}`},
		{`{"id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,` + invalidRequest + `jsonrpc must be \"2.0\""}}}`},
		{`{"jsonrpc":2.0,"id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,` + invalidRequest + `jsonrpc must be \"2.0\""}}}`},
		{`{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"2.0","id":1,` + invalidRequest + `method, result or error is missing"}}}`},
		{`{"jsonrpc":"2.0","id":1,"Method":"ping"}`, `{"jsonrpc":"2.0","id":1,` + invalidRequest + `method, result or error is missing"}}}`},
		{`{"jsonrpc":"2.0","id":1,"method":7}`, `{"jsonrpc":"2.0","id":1,` + invalidRequest + `method must be a text"}}}`},
		{`{"jsonrpc":"2.0","id":1,"method":""}`, `{"jsonrpc":"2.0","id":1,` + invalidRequest + `method must be a text"}}}`},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,` + invalidRequest + `id must be a text or a number"}}}`},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":null,` + invalidRequest + `id must be a text or a number"}}}`},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,` + invalidRequest + `id must be a text or a number"}}}`},
		{`{"jsonrpc":"2.0","id":2,"method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":2,` + invalidRequest + `notifications/initialized is a notification and takes no id"}}}`},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":[]}`, `{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Invalid params","data":{"details":"params must be an object"}}}`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/nope"}`, `{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found"}}`},
		{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"nope"}}`, `{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"unknown tool \"nope\""}}`},
		{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"Name":"echo"}}`, `{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"unknown tool \"\""}}`},
		{`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"memory://%E5"}}`, `{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Resource not found","data":{"uri":"memory://%E5"}}}`},
		{`{"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"loud"}}`, `{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Invalid params","data":{"details":"level must be one of debug, info, notice, warning, error, critical, alert, emergency"}}}`},
		{`{"jsonrpc":"2.0","id":6,"method":"resources/list","params":{"cursor":"nope"}}`, `{"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"unknown cursor \"nope\""}}`},
	} {
		if got := p.ask(c.line); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.line, got, c.want)
		}
	}
}

// Ids come back as they were spelled, also when two calls share one.
func TestIDsKeepTheirSpelling(t *testing.T) {
	p := start(t, Options{})
	for _, id := range []string{`0`, `-1`, `1.0`, `1e2`, `9007199254740993`, `"1"`, `""`, `"\u5317"`, `"<&>"`, `123456789012345678901234567890`} {
		p.send(`{"jsonrpc":"2.0", "id" : ` + id + ` , "method":"ping"}`)
		p.expect(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
	}
}

func TestMessagesWithoutAnAnswer(t *testing.T) {
	p := start(t, Options{})
	p.shake()
	p.send("", "   ", "\t\r",
		`{"jsonrpc":"2.0","method":"notifications/unknown"}`,
		`{"jsonrpc":"2.0","method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":[1]}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","id":77,"result":{}}`,
		`{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"x"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
		`{"id":3,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\r")
	p.expect(`{"jsonrpc":"2.0","id":1,"result":{}}`)
}

func TestLastLineNeedsNoLineEnd(t *testing.T) {
	server := process(t, "weather")
	server.Stdin = strings.NewReader("\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	got, err := server.Output()
	if err != nil || string(got) != `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestLongLine(t *testing.T) {
	p := start(t, Options{})
	long := strings.Repeat("北京", 3<<20/6)
	got := p.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"text_processor","arguments":{"action":"count","text":"` + long + `"}}}`)
	if want := `字符数: 1048576\n`; !strings.Contains(got, want) {
		t.Errorf("%.200s", got)
	}
}

func TestBatches(t *testing.T) {
	const line = `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},5,{"jsonrpc":"2.0","id":2,"method":"nope"},{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}]`
	const answers = `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":null,` + invalidRequest + `a message is an object"}}},{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}},{"jsonrpc":"2.0","id":3,` + invalidRequest + `initialize must not be part of a batch"}}}]`
	p := start(t, Options{})
	p.send(line)
	p.expect(answers)
	p.send(`[]`)
	p.expect(`{"jsonrpc":"2.0","id":null,` + invalidRequest + `a batch has at least one message"}}}`)
	p.send(strings.Replace(handshake, "2025-11-25", "2025-03-26", 1))
	p.next()
	p.send(line)
	p.expect(answers)
	p.send(`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`) // no answer at all
	p.send(handshake)
	p.next()
	p.send(line)
	p.expect(`{"jsonrpc":"2.0","id":null,` + invalidRequest + `protocol 2025-11-25 has no batches"}}}`)
}

// A slow call in a batch holds its answers, and nothing else.
func TestSlowCallInABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{})
		p.send(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"steps":1}}},{"jsonrpc":"2.0","id":2,"method":"ping"}]`,
			`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
		p.expect(`{"jsonrpc":"2.0","id":3,"result":{}}`)
		p.expect(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"step 1 of 1","level":"info","logger":"slow"}}`)
		p.expect(`[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"finished step 1 of 1 after 3 s"}],"isError":false}}]`)
		_, _ = p.end()
	})
}

func TestAnswersKeepTheOrderOfRequests(t *testing.T) {
	p := start(t, Options{})
	var lines, want []string
	for i, method := range []string{"tools/list", "ping", "resources/list", "nope", "prompts/list", "ping", "initialize", "ping"} {
		id := string(rune('a' + i))
		lines = append(lines, `{"jsonrpc":"2.0","id":"`+id+`","method":"`+method+`"}`, "junk")
		want = append(want, `"id":"`+id+`"`, `"id":null`)
	}
	p.send(lines...)
	for _, w := range want {
		if got := p.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0",`+w) {
			t.Errorf("%.100s where %s was due", got, w)
		}
	}
}

func TestVersions(t *testing.T) {
	for offered, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25", "": "2025-11-25",
	} {
		p := start(t, Options{})
		got := p.ask(strings.Replace(handshake, "2025-11-25", offered, 1))
		if !strings.Contains(got, `"result":{"protocolVersion":"`+want+`"`) {
			t.Errorf("offered %q: %s", offered, got)
		}
	}
}

// Every initialize begins anew; what went before is still answered.
func TestSecondInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{})
		p.send(`{"jsonrpc":"2.0","id":"early","method":"tools/call","params":{"name":"slow","arguments":{"seconds":1,"steps":1}}}`)
		p.shake()
		p.send(`{"jsonrpc":"2.0","id":"first","method":"tools/call","params":{"name":"slow","arguments":{"seconds":2,"steps":1}}}`)
		p.shake()
		const log = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"step 1 of 1","level":"info","logger":"slow"}}`
		p.expect(log, `{"jsonrpc":"2.0","id":"early","result":{"content":[{"type":"text","text":"finished step 1 of 1 after 1 s"}],"isError":false}}`)
		p.expect(log, `{"jsonrpc":"2.0","id":"first","result":{"content":[{"type":"text","text":"finished step 1 of 1 after 2 s"}],"isError":false}}`)
		if rest, err := p.end(); err != nil || len(rest) > 0 {
			t.Errorf("%q, %v", rest, err)
		}
	})
}

func TestUnknownWorld(t *testing.T) {
	err := Serve(t.Context(), nil, nil, nil, Options{As: "nope"})
	var unknown *UnknownWorldError
	if !errors.As(err, &unknown) || unknown.Error() != `the demo has no world "nope"` || !strings.Contains(unknown.Hint(), "weather") || unknown.Word() != "usage" {
		t.Errorf("%v", err)
	}
}

func TestCrashEndsTheProcess(t *testing.T) {
	for _, c := range []struct{ arguments, want string }{
		{`{}`, "exit status 7"},
		{`{"code":0}`, "exit status 0"},
		{`{"code":42}`, "exit status 42"},
		{`{"signal":"SIGKILL"}`, "signal: killed"},
		{`{"signal":"SIGTERM"}`, "signal: terminated"},
	} {
		if strings.Contains(c.arguments, "signal") && runtime.GOOS == "windows" {
			continue
		}
		server := process(t, "demo")
		server.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"crash","arguments":` + c.arguments + "}}\n" +
			`{"jsonrpc":"2.0","id":3,"method":"ping"}` + "\n")
		var stderr strings.Builder
		server.Stderr = &stderr
		got, err := server.Output()
		if string(got) != `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n" {
			t.Errorf("%s: %s", c.arguments, got)
		}
		if server.ProcessState.String() != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.arguments, server.ProcessState, c.want, err)
		}
		if !strings.Contains(stderr.String(), "fatal: the demo was asked to") {
			t.Errorf("%s: stderr %q", c.arguments, stderr.String())
		}
	}
}

func TestCrashIsAnErrorOfServe(t *testing.T) {
	p := start(t, Options{})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"crash","arguments":{"code":9}}}`)
	err := <-p.ended
	var exit *Exit
	if !errors.As(err, &exit) || exit.Code != 9 {
		t.Errorf("%v", err)
	}
}

// A client that goes away must not keep the server.
func TestClientStopsReading(t *testing.T) {
	server := process(t, "demo")
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	_, _ = in.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"))
	var exit *exec.ExitError
	if err := server.Wait(); !errors.As(err, &exit) {
		t.Errorf("the server ended with %v", err)
	} else if status, ok := exit.Sys().(syscall.WaitStatus); ok && !status.Signaled() && exit.ExitCode() != 1 {
		t.Errorf("the server ended with %v", err)
	}
}

func TestCallsInFlightAtTheEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{Grace: 2 * time.Second})
		p.shake()
		p.send(`{"jsonrpc":"2.0","id":"quick","method":"tools/call","params":{"name":"slow","arguments":{"seconds":1,"steps":1}}}`,
			`{"jsonrpc":"2.0","id":"late","method":"tools/call","params":{"name":"slow","arguments":{"seconds":9,"steps":1}}}`,
			`{"jsonrpc":"2.0","id":"asks","method":"tools/call","params":{"name":"ask"}}`)
		from := time.Now()
		rest, err := p.end()
		if took := time.Since(from); err != nil || took != 2*time.Second {
			t.Errorf("ended after %v with %v", took, err)
		}
		all := strings.Join(rest, "\n")
		for part, want := range map[string]bool{`"id":"quick","result"`: true, `"id":"late"`: false, `"id":"asks","error":{"code":-32603`: true} {
			if strings.Contains(all, part) != want {
				t.Errorf("%s is said: %v\n%s", part, !want, all)
			}
		}
	})
}

// A client that does not read must not keep the server from ending.
func TestEndsWhileAWriteIsBlocked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe() // read by nobody
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, inR, outW, io.Discard, Options{}) }()
	if _, err := io.WriteString(inW, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	_, _ = inW.Close(), outR.Close()
}

func TestNoCallInFlightNoGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{Grace: time.Hour})
		p.shake()
		from := time.Now()
		if _, err := p.end(); err != nil || time.Since(from) != 0 {
			t.Errorf("%v after %v", err, time.Since(from))
		}
	})
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"junk", `{}`, `[]`, `[{}]`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":"\ud800","method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, bad := open(line)
		if bad == nil {
			if e.method != "" && e.id != nil && !json.Valid(answer(e.id, "result", []byte(`{}`))) {
				t.Errorf("the answer to %q is no JSON", line)
			}
			return
		}
		raw := answer(bad.id, "error", plainJSON(rpcError{Code: bad.code, Message: standard[bad.code], Data: plainJSON(bad.details)}))
		if !json.Valid(raw) {
			t.Errorf("%q is answered with %s", line, raw)
		}
	})
}
