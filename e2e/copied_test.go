package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sentLast gives the last message of the user's in a session, without what the
// client numbers by itself.
func sentLast(t *testing.T, p *place) string {
	t.Helper()
	files := p.sessionFiles(t)
	frames := readSession(t, files[len(files)-1]).frames
	for i := len(frames) - 1; i >= 0; i-- {
		f := frames[i]
		if f.D != ">" || f.By == "auto" || f.Message.Method == "tools/list" && f.By != "console" {
			continue
		}
		var m map[string]json.RawMessage
		if json.Unmarshal(f.Bytes, &m) != nil {
			return string(f.Bytes)
		}
		var params map[string]json.RawMessage
		if json.Unmarshal(m["params"], &params) == nil && params["_meta"] != nil {
			delete(params, "_meta")
			m["params"], _ = json.Marshal(params)
		}
		if f.K == "" && !strings.Contains(string(m["id"]), `"`) {
			delete(m, "id")
		}
		out, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	t.Fatal("nothing was sent")
	return ""
}

// TestCopiedCommandsSendTheSame copies lines of the console as commands and gives
// them to a shell.
func TestCopiedCommandsSendTheSame(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	bin := parley(t)
	for name, line := range map[string]string{
		"quotes":                  `call echo text='it is $HOME "q" %s \n 天🎉'`,
		"an object":               `call echo {"text": "a\nb's"}`,
		"numbers as they are":     `call calculator operation=add a:=1.0 b:=1e2`,
		"a resource":              `read demo://readme`,
		"a prompt":                `get plan_trip city='New York' days=3`,
		"a completion":            `complete plan_trip city O`,
		"a request":               `request tools/call {"name":"echo","arguments":{"text":"it's"}}`,
		"a raw request":           `{"jsonrpc":"2.0","id":"x 'y'","method":"ping"}`,
		"bytes that are no JSON":  `raw not json 'single' "double" \ %d $HOME`,
		"a notification":          `notify notifications/roots/list_changed`,
		"an argument like a flag": `call echo text=--json`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			term := p.open(t, 80, 24, bin, "-e", "A=b c", "--", bin, "demo", "--stdio")
			term.command("set-option", "-s", "set-clipboard", "on")
			term.wait("● ready", "calculator")
			term.keys("5")
			term.typed(line)
			term.keys("C-y")
			term.wait("as a shell command")
			term.keys("c")
			copied := ""
			term.poll("the clipboard", func() (ok bool, err error) {
				copied, err = term.try("show-buffer")
				return err == nil, nil
			})
			term.keys("Enter")
			term.match(`^ +(ok|sent|would|✗)|^ ← `)
			term.leave()
			want := sentLast(t, p)

			file := filepath.Join(p.work, "copied.sh")
			if err := os.WriteFile(file, []byte(copied), 0o600); err != nil {
				t.Fatal(err)
			}
			q := newPlace(t)
			cmd := exec.Command(sh, file)
			cmd.Env = append(q.environ(), "PATH="+filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
			cmd.Dir = q.work
			var errs bytes.Buffer
			cmd.Stderr = &errs
			if err := cmd.Run(); err != nil {
				t.Errorf("%s: %v\n%s", copied, err, errs.String())
			}
			if got := sentLast(t, q); got != want {
				t.Errorf("%s\nsent %s\nwant %s", copied, got, want)
			}
		})
	}
}
