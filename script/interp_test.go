package script_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/wire"
	"parley/history"
	"parley/script"
)

// typed gives an interpreter its lines, as a console does.
func typed(t *testing.T, in *script.Interp, lines ...string) (last *script.Outcome, err error) {
	t.Helper()
	for _, line := range lines {
		step, wrong := script.ParseLine(line)
		if wrong != nil {
			t.Fatal(wrong)
		}
		if last, err = in.Do(t.Context(), step); err != nil {
			return last, err
		}
	}
	return last, nil
}

// open connects to a scripted server without the interpreter.
func open(t *testing.T, server string) *script.Link {
	t.Helper()
	log, err := history.Create(history.Options{Spool: true})
	if err != nil {
		t.Fatal(err)
	}
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		return clienttest.Connect(t, shakes+server, sink, epoch), nil
	}, client.Options{Name: "parley", Version: "1"})
	if err := c.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close(context.Background())
		_ = log.Close()
	})
	return &script.Link{Client: c, Log: log}
}

func TestLinkOfTheHostIsUsedAndKept(t *testing.T) {
	l := open(t, "on ping {}\n")
	h := &testHost{t: t}
	in := script.New(script.Options{Host: h, Link: l, By: wire.ByConsole})
	o, err := typed(t, in, "ping")
	if err != nil || o.Link != l || in.Link() != l {
		t.Fatalf("outcome %+v, %v", o, err)
	}
	if r, _ := l.Log.Record(o.Answers[0].Request.Seq); r.By != wire.ByConsole || o.From != r.Seq {
		t.Errorf("by %v, from %d of %d", r.By, o.From, r.Seq)
	}
	if err := in.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := l.Client.Err(); err != nil {
		t.Errorf("the connection was ended: %v", err)
	}
}

func TestToolsThatWereListedAreNotListedAgain(t *testing.T) {
	l := open(t, `> tools/list
answer {"tools":[{"name":"a","inputSchema":{"type":"object"}}]}
> tools/call
answer {"content":[]}
`)
	if _, err := l.Client.List(t.Context(), "tools/list", client.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	in := script.New(script.Options{Host: &testHost{t: t}, Link: l})
	if _, err := typed(t, in, "call a"); err != nil {
		t.Error(err)
	}
}

func TestOutcomes(t *testing.T) {
	l := open(t, `on tools/list {"tools":[{"name":"a","inputSchema":{"type":"object"}}]}
> custom/a
sleep 20ms
answer {"n": 1.0}
`)
	in := script.New(script.Options{Host: &testHost{t: t}, Link: l, Vars: map[string]json.RawMessage{"y": json.RawMessage(`[1.0]`)}})
	o, err := typed(t, in, "request custom/a")
	if err != nil || o.Verb != "request" || o.Name != "custom/a" || o.Value != nil || o.Took < 20*time.Millisecond {
		t.Errorf("%+v, %v", o, err)
	}
	if raw, err := o.Bytes(); err != nil || string(raw) != `{"n": 1.0}` {
		t.Errorf("bytes %s, %v", raw, err)
	}
	o, err = typed(t, in, "let x = $y[0]")
	if err != nil || string(o.Value) != "1.0" || !slices.Equal(in.Vars(), []string{"x", "y"}) {
		t.Errorf("%+v, %v, variables %v", o, err, in.Vars())
	}
	if raw, ok := in.Value("x"); !ok || string(raw) != "1.0" {
		t.Errorf("x is %s, %v", raw, ok)
	}
	if _, ok := in.Value("nosuch"); ok {
		t.Error("there is a variable nosuch")
	}
	if _, err = typed(t, in, "set timeout 7s"); err != nil || in.Settings().Timeout != 7*time.Second || l.Client.Timeout() != 7*time.Second {
		t.Errorf("timeout %v of %v, %v", l.Client.Timeout(), in.Settings().Timeout, err)
	}
	_, err = typed(t, in, "$nosuch")
	var unknown *script.VariableError
	if !errors.As(err, &unknown) || unknown.Name != "$nosuch" {
		t.Errorf("error %v", err)
	}
}

func TestSource(t *testing.T) {
	l := open(t, `on tools/list {"tools":[{"name":"a"},{"name":"b"}]}
on prompts/list {"prompts":[{"name":"p"}]}
on resources/list {"resources":[{"uri":"r","name":"r"}]}
on resources/templates/list {"resourceTemplates":[{"uriTemplate":"t","name":"t"}]}
`)
	in := script.New(script.Options{Host: &testHost{t: t}, Link: l, Servers: []string{"notes"}})
	src := in.Source()
	if src.Tools() != nil || src.Variables() != nil {
		t.Errorf("before anything was listed: %v, %v", src.Tools(), src.Variables())
	}
	done := make(chan struct{})
	go func() { // while steps run
		defer close(done)
		for range 100 {
			_, _ = src.Tools(), src.Variables()
		}
	}()
	if _, err := typed(t, in, "let x = tools", "prompts", "resources", "templates"); err != nil {
		t.Fatal(err)
	}
	<-done
	if len(src.Tools()) != 2 || len(src.Prompts()) != 1 || len(src.Resources()) != 1 || len(src.Templates()) != 1 {
		t.Errorf("%v %v %v %v", src.Tools(), src.Prompts(), src.Resources(), src.Templates())
	}
	if !slices.Equal(src.Variables(), []string{"x"}) || !slices.Equal(src.Servers(), []string{"notes"}) {
		t.Errorf("%v, %v", src.Variables(), src.Servers())
	}
	if script.New(script.Options{Host: &testHost{t: t}}).Source().Tools() != nil {
		t.Error("without a connection there are tools")
	}
}

func TestOfflineWithoutATarget(t *testing.T) {
	h := &testHost{t: t, parts: map[string]string{"handshake": "exit 3\n"}}
	defer h.end()
	in := script.New(script.Options{Host: h})
	o, err := typed(t, in, "call add a=1 --offline")
	if want := `"arguments":{"a":"1"}`; err != nil || !strings.Contains(string(o.Sent), want) {
		t.Errorf("%+v, %v", o, err)
	}
	if note := h.notes.String(); !strings.HasPrefix(note, "▲ without the tool's schema every key=value is text: ") {
		t.Errorf("note %q", note)
	}
}

func TestUnreachableServerIsTriedOnce(t *testing.T) {
	h := &testHost{t: t, parts: map[string]string{"handshake": "exit 3\n"}}
	defer h.end()
	s, err := script.Parse("s", []byte("ping\n! ping\n- tools\necho on\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	in := script.New(script.Options{Host: h})
	err = in.Run(t.Context(), s, script.RunOptions{KeepGoing: true, Finished: func(r script.Result) { got = append(got, r.Status.String()) }})
	var place *script.StepError
	if !errors.As(err, &place) || place.Pos.Line != 1 || !slices.Equal(got, []string{"failed", "failed", "failed", "passed"}) || len(h.logs) != 1 {
		t.Errorf("%v, %v, %d connections", err, got, len(h.logs))
	}
}

func TestInterruptIsNoExpectedFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := script.New(script.Options{Host: &testHost{t: t}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for _, line := range []string{"sleep 1h", "! sleep 1h", "- sleep 1h"} {
			s, err := script.Parse("s", []byte(line+"\necho on\n"))
			if err != nil {
				t.Fatal(err)
			}
			if err := in.Run(ctx, s, script.RunOptions{KeepGoing: true}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", line, err)
			}
		}
	})
}

// Steps that wait for nothing end with their context, too.
func TestInterruptEndsALoopOfQuickSteps(t *testing.T) {
	in := script.New(script.Options{Host: &testHost{t: t}, Vars: map[string]json.RawMessage{"list": json.RawMessage(`[1,2,3]`)}})
	s, err := script.Parse("s", []byte("for n in $list : expect $n > 0\necho on\n"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err = in.Run(ctx, s, script.RunOptions{KeepGoing: true, Finished: func(r script.Result) {
		if n++; n == 2 {
			cancel()
		}
	}})
	var at *script.StepError
	if n != 3 || !errors.Is(err, context.Canceled) || !errors.As(err, &at) || at.Pos.Line != 1 {
		t.Errorf("%d steps, %v", n, err)
	}
}

func TestWrongScriptsAreNotBegun(t *testing.T) {
	h := &testHost{t: t}
	s, err := script.Parse("s", []byte("echo begins\necho $nosuch\n"))
	if err != nil {
		t.Fatal(err)
	}
	err = script.New(script.Options{Host: h}).Run(t.Context(), s, script.RunOptions{})
	var syntax *script.SyntaxError
	if !errors.As(err, &syntax) || h.out.Len() > 0 {
		t.Errorf("error %v, printed %q", err, h.out.String())
	}
}

// Of a name there is one header; an empty one takes back what the host would send.
func TestHeaders(t *testing.T) {
	var s script.Settings
	for _, line := range []string{"X-One: 1", "x-one:  2 ", "Authorization: a", "X-Two:", "X-Three: a:b"} {
		if err := script.SetOption(&s, "header", line, nil); err != nil {
			t.Fatal(err)
		}
	}
	h := http.Header{"X-Two": {"host"}, "X-Four": {"host"}}
	s.ApplyHeader(h)
	want := http.Header{"X-One": {"2"}, "Authorization": {"a"}, "X-Three": {"a:b"}, "X-Four": {"host"}}
	if !reflect.DeepEqual(h, want) {
		t.Errorf("%v, want %v", h, want)
	}
}

// What a header may keep secret is in no error, no step and no note.
func TestHeadersAreNotEchoed(t *testing.T) {
	for _, line := range []string{
		"set header 'Authorization: Bearer sesame'", `set header "Authorization: sesame"`, "set header Authorization: Bearer sesame",
		"set header Authorization: Bearer sesame # why", "! set header 'Authorization: Bearer sesame' ~ /x/", "- set header sesame", "set header 'sesame'",
		"set header 'Authorization: Bearer' sesame", "set header 'a b: sesame'", "set header 'Authorization: sesame\x01'",
		"for x in $l : set header 'Authorization: sesame'", "for x in $l : for y in $l : set header X: sesame # z",
	} {
		s, err := script.Parse("s", []byte(line+"\n"))
		if err != nil {
			if strings.Contains(err.Error(), "sesame") {
				t.Errorf("%s: error %v", line, err)
			}
			continue
		}
		for step := s.Steps[0]; ; step = step.Body[0] {
			if strings.Contains(step.Source, "sesame") || !strings.Contains(step.Source, ": …'") {
				t.Errorf("%s is shown as %s", line, step.Source)
			}
			if len(step.Body) == 0 {
				break
			}
		}
	}
	for line, want := range map[string]string{
		"set header 'X: sesame' # one":  "set header 'X: …' # one",
		"set header X: sesame":          "set header 'X: …'",
		"set header 'X: sesame":         "set header …",
		"! set header 'X: sesame' y":    "! set header 'X: …' y",
		"for x in $l : set header X: s": "for x in $l : set header 'X: …'",
		`set header "X: ${env.TOKEN}"`:  `set header "X: ${env.TOKEN}"`,
		"echo set header now":           "echo set header now",
		`{"set header":1`:               `{"set header":1`,
		"set timeout 5s":                "set timeout 5s",
	} {
		if got := script.WithoutSecrets(line); got != want {
			t.Errorf("%s is kept as %s, want %s", line, got, want)
		}
	}
	step, err := script.StepOf("set", []string{"header", "X-Key: sesame"}, nil)
	if err != nil || step.Source != "set header 'X-Key: …'" {
		t.Errorf("%+v, %v", step, err)
	}
	s, err := script.Parse("s", []byte(`set header "Authorization: Bearer ${env.TOKEN}"`))
	if err != nil || s.Steps[0].Source != `set header "Authorization: Bearer ${env.TOKEN}"` {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSetOption(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, value, want string }{
		{"timeout", "20s", ""}, {"timeout", "20", "bare number"}, {"timeout", "-1s", "expected a duration"}, {"timeout", "0s", "longer than 0"}, {"timeout", "", "takes a value"},
		{"force", "", ""}, {"force", "off", ""}, {"force", "maybe", "expected on or off"},
		{"protocol", "2024-11-05", ""}, {"protocol", "auto", ""}, {"protocol", "modern", ""}, {"protocol", "DRAFT-2027-v1", ""}, {"protocol", "modren", "expected auto, legacy"},
		{"transport", "sse", ""}, {"transport", "ws", "expected auto, http or sse"}, {"log-level", "warning", ""}, {"log-level", "warn", "expected a level"},
		{"extension", "com.example/x", ""}, {"extension", "tasks", "with a prefix"},
		{"header", "X-Key: sesame", ""}, {"header", "X-Key:", ""}, {"header", "sesame", "no colon"}, {"header", "ses ame: a", "no header's name"}, {"header", "X-Key: ses\name", "X-Key has a control character"},
		{"root", dir, ""}, {"root", dir + "/no", "does not exist"},
		{"elicit", "decline", ""}, {"elicit", "dcline", "no such policy"}, {"sample", "text:hi", ""}, {"sample", "accept", "no such policy"},
		{"client-name", "x y", ""}, {"client-version", "1", ""}, {"tmeout", "1s", "no such setting"},
	} {
		var s script.Settings
		err := script.SetOption(&s, c.name, c.value, nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s %s: %v", c.name, c.value, err)
		}
		var hint interface {
			Hint() string
			Word() string
		}
		if c.want != "" && (!errors.As(err, &hint) || hint.Hint() == "" || hint.Word() != "usage") {
			t.Errorf("%s %s: no hint", c.name, c.value)
		}
	}
	var s script.Settings
	for range 2 {
		if err := script.SetOption(&s, "root", os.TempDir(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.Roots) != 2 {
		t.Errorf("roots %v", s.Roots)
	}
	for _, row := range script.AllSettings() {
		if row.Name == "" || row.Form == "" || row.Short == "" {
			t.Errorf("row %+v", row)
		}
	}
}
