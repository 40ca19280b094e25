package e2e

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// demo is the embedded server as a target, the program under test itself.
func demo(t testing.TB) []string { return []string{"--", parley(t), "demo", "--stdio"} }

var demoDeeds = map[string]deed{
	"forecast":  {args: []string{"call", "get_forecast", "latitude=40.7128", "longitude=-74.0060"}, method: "tools/call", sent: `{"latitude":40.7128,"longitude":-74.0060}`, got: "Temperature"},
	"utf-8":     {args: []string{"call", "weather", "city=北京"}, method: "tools/call", sent: `{"city":"北京"}`, got: "北京"},
	"isError":   {args: []string{"call", "fail", "message=because"}, code: 5, method: "tools/call", got: "because", fail: failed{Code: "tool", Message: "fail"}},
	"exited":    {args: []string{"call", "crash", "code=9"}, code: 4, fail: failed{Code: "exited", Message: "exited 9"}, also: crashed(9, "")},
	"killed":    {args: []string{"call", "crash", "signal=SIGKILL"}, code: 4, fail: failed{Code: "killed", Message: "SIGKILL"}, also: crashed(0, "SIGKILL")},
	"timeout":   {args: []string{"call", "slow", "seconds=30", "steps=30", "--timeout", "300ms"}, code: 4, fail: failed{Code: "timeout", Message: "300ms"}, also: cancelled},
	"progress":  {args: []string{"call", "slow", "seconds=0.2", "steps=4"}, method: "tools/call", sent: `"progressToken":`, also: progressed(4)},
	"large":     {args: []string{"call", "large", "kilobytes=3072"}, method: "tools/call", got: "isError"},
	"no such":   {args: []string{"read", "demo://nope"}, code: 5, method: "resources/read", fail: failed{Code: "rpc", RPCCode: -32602}},
	"not sent":  {args: []string{"call", "calculator", "operation=power", "a=1", "b=2"}, code: 2, fail: failed{Code: "usage", Message: "operation"}},
	"no method": {args: []string{"request", "nope"}, code: 5, method: "nope", fail: failed{Code: "rpc", RPCCode: -32601}},
}

// crashed returns a check that the recording says how the process ended. The
// call that ended it was sent, although nothing answered it.
func crashed(code int, signal string) func(*testing.T, outcome, *session) {
	return func(t *testing.T, o outcome, s *session) {
		t.Helper()
		e := failure(t, o)
		if e.Signal != signal || (signal == "" && (e.Exit == nil || *e.Exit != code)) || len(e.Stderr) == 0 {
			t.Errorf("error %+v, want exit %d, signal %q and the last lines of stderr", e, code, signal)
		}
		want := fmt.Sprintf(`"code":%d`, code)
		if signal != "" {
			want = `"signal":"` + signal + `"`
		}
		if event := s.event(t, "exited"); !bytes.Contains(event, []byte(want)) {
			t.Errorf("recorded %s, want in it %s", event, want)
		}
		if !slices.ContainsFunc(s.frames, func(f line) bool { return f.D == ">" && f.Message.Method == "tools/call" }) {
			t.Error("the call is not in the recording")
		}
	}
}

// cancelled checks that a call which took too long was taken back.
func cancelled(t *testing.T, _ outcome, s *session) {
	t.Helper()
	if !slices.ContainsFunc(s.frames, func(f line) bool { return f.D == ">" && f.Message.Method == "notifications/cancelled" }) {
		t.Error("no notifications/cancelled was sent")
	}
}

// TestDemo needs nothing but the program.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	target := demo(t)
	deeds(t, demoDeeds, func(*place) []string { return target })
}
