//go:build !windows

package script

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/client"
)

func TestAnswersByCommand(t *testing.T) {
	const params = "{\n \"message\": \"?\"\n}"
	message := func(text string) string {
		return `{"role":"assistant","content":{"type":"text","text":` + text + `},"model":"parley","stopReason":"endTurn"}`
	}
	for _, c := range []struct{ name, method, command, want string }{
		{"a result", methodElicit, `printf '{"action": "cancel"}'`, `{"action":"cancel"}`},
		{"a result with content", methodElicit, `printf '{"content":{"a":1.0},"action":"accept"}\n'`, `{"content":{"a":1.0},"action":"accept"}`},
		{"content", methodElicit, `printf '{"a": 9007199254740993}'`, `{"action":"accept","content":{"a":9007199254740993}}`},
		{"content with an action of its own", methodElicit, `printf '{"action":"accept","why":1}'`, `{"action":"accept","content":{"action":"accept","why":1}}`},
		{"content with another action", methodElicit, `printf '{"action":"run"}'`, `{"action":"accept","content":{"action":"run"}}`},
		{"params on one line", methodElicit, `read -r line; printf '{"got":%s}' "$line"`, `{"action":"accept","content":{"got":{"message":"?"}}}`},
		{"input unread", methodElicit, `printf '{}'`, `{"action":"accept","content":{}}`},
		{"several lines", methodElicit, `printf '{\n  "a": 1 // comment\n}\n'`, `{"action":"accept","content":{"a":1}}`},
		{"fails", methodElicit, `echo why >&2; exit 3`, `the answering command echo why >&2; exit 3: exit status 3: why`},
		{"prints nothing", methodElicit, `true`, `the answering command true: it printed nothing`},
		{"prints no JSON", methodElicit, `echo hello`, `the answering command echo hello: it did not print JSON: "hello" is not JSON at byte 0`},
		{"prints no object", methodElicit, `echo 12`, `the answering command echo 12: expected an object, it printed a number`},
		{"is not there", methodElicit, `exec /nonexistent/program`, `the answering command exec /nonexistent/program: exit status`},
		{"plain text", methodSample, `printf 'two\nlines\n'`, message(`"two\nlines"`)},
		{"JSON that is no result", methodSample, `printf '{"a":1}'`, message(`"{\"a\":1}"`)},
		{"a result of sampling", methodSample, `printf '{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}'`,
			`{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`},
		{"nothing for sampling", methodSample, `echo`, `the answering command echo: it printed nothing`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := result(answerByCommand(t.Context(), c.method, c.command, json.RawMessage(params)))
			if got != c.want && (strings.HasPrefix(c.want, "{") || !strings.HasPrefix(got, c.want)) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestCommandThatPrintsTooMuch(t *testing.T) {
	_, err := answerByCommand(t.Context(), methodSample, "head -c 20000000 /dev/zero", nil)
	if err == nil || !strings.Contains(err.Error(), "more than 16 MiB") {
		t.Error(err)
	}
}

func TestCommandThatNeverEndsIsKilledWithItsChildren(t *testing.T) {
	var told notes
	pids := filepath.Join(t.TempDir(), "pids")
	respond, err := ParseElicit("exec:sleep 1000 & echo $! > "+pids+"; wait", told.deps())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := respond(ctx, nil)
		ended <- err
	}()
	child := 0
	waitFor(t, func() bool {
		select {
		case err := <-ended:
			t.Fatalf("it ended by itself: %v", err)
		default:
		}
		raw, _ := os.ReadFile(pids)
		if pid, whole := strings.CutSuffix(string(raw), "\n"); whole {
			child, _ = strconv.Atoi(pid)
		}
		return child > 0
	})
	cancel(client.ErrWithdrawn)
	if err := <-ended; !errors.Is(err, client.ErrWithdrawn) {
		t.Errorf("it ended with %v", err)
	}
	if len(told) != 1 || told[0] != "elicitation/create: not answered, the server cancelled its request" {
		t.Errorf("notes %q", []string(told))
	}
	waitFor(t, func() bool { return gone(child) })
}

// gone reports whether a process has ended; one that nobody has waited for has.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if ok() {
			return
		}
		if t.Context().Err() != nil {
			t.Fatal("it did not come")
		}
	}
}
