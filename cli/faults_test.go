package cli_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/cli"
)

var update = flag.Bool("update", false, "write the tables of docs/transports.md")

// fault is something that a server, or the way to it, does wrong.
type fault struct {
	name  string
	serve func(p *peer) string // starts the server and gives its URL
	flags string               // of the command line, beside the header Authorization
	line  string               // what is asked; call add a=1 if empty
	code  int                  // the exit code
	// endless: the server sends what is not waited for, so that of it there may be the
	// beginning only.
	endless bool
	heavy   bool           // it takes its time: once is enough
	after   func(f *tried) // looks at more; may be nil
}

// faultGroup is a table of the document.
type faultGroup struct {
	title  string
	faults []fault
}

// tried is what came of a command line.
type tried struct {
	*testing.T
	peer    *peer
	how     string
	url     string
	out     outcome
	session []byte
}

// secret is in every header, session id and address that must not be shown.
const secret = "hunter2"

// TestFaultTable runs command lines against servers that do something wrong, and holds
// the tables of docs/transports.md, which have what was printed: as text, as a line of
// JSON, and at the prompt, where the session goes on. What the servers sent is in the
// session, and no secret is.
func TestFaultTable(t *testing.T) {
	dir := t.TempDir()
	for name, value := range map[string]string{"HOME": dir, "USERPROFILE": dir, "XDG_STATE_HOME": filepath.Join(dir, "state"), "XDG_CONFIG_HOME": filepath.Join(dir, "config"), "TZ": "UTC"} {
		t.Setenv(name, value)
	}
	nameServer(t)
	groups := []faultGroup{reachFaults(t), tlsFaults(t), statusFaults, answerFaults, streamFaults, cutFaults, sessionFaults, redirectFaults, oldFaults, eraFaults, socketFaults(t)}
	shown := make([][]string, len(groups))
	var running sync.WaitGroup
	atOnce := make(chan struct{}, 8)
	for g := range groups {
		shown[g] = make([]string, len(groups[g].faults))
		for i := range groups[g].faults {
			f := &groups[g].faults[i]
			running.Go(func() {
				atOnce <- struct{}{}
				defer func() { <-atOnce }()
				t.Run(groups[g].title+"/"+f.name, func(t *testing.T) { shown[g][i] = f.try(t) })
			})
		}
	}
	running.Wait()
	if t.Failed() || slices.ContainsFunc(shown, func(cells []string) bool { return slices.Contains(cells, "") }) {
		return // or only some were asked for
	}
	if runtime.GOOS != "linux" {
		t.Skip("the words of the operating system are others here: the document has those of Linux")
	}
	var b strings.Builder
	for g, group := range groups {
		fmt.Fprintf(&b, "\n### %s\n\n| what happens | what parley prints | exit |\n|---|---|---|\n", group.title)
		for i, f := range group.faults {
			fmt.Fprintf(&b, "| %s | %s | %d |\n", f.name, shown[g][i], f.code)
		}
	}
	b.WriteByte('\n')
	holdTables(t, b.String())
}

// holdTables compares what stands between the marks of the document, or writes it.
func holdTables(t *testing.T, want string) {
	t.Helper()
	const path, begin, end = "../docs/transports.md", "-update -->\n", "<!-- faults:end -->"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(strings.ReplaceAll(string(raw), "\r\n", "\n"), begin)
	got, tail, ok2 := strings.Cut(rest, end)
	switch {
	case !ok || !ok2:
		t.Fatal("docs/transports.md has lost the marks of its tables")
	case got == want:
	case *update:
		if err := os.WriteFile(path, []byte(head+begin+want+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("docs/transports.md is not what is printed: go test ./cli -run FaultTable -update\n%s", difference(got, want))
	}
}

// difference lists the lines that one of two texts has alone.
func difference(got, want string) string {
	var b strings.Builder
	a, c := strings.Split(got, "\n"), strings.Split(want, "\n")
	for _, l := range a {
		if !slices.Contains(c, l) {
			b.WriteString("- " + l + "\n")
		}
	}
	for _, l := range c {
		if !slices.Contains(a, l) {
			b.WriteString("+ " + l + "\n")
		}
	}
	return b.String()
}

// try runs the command line of a fault in three ways and gives what it prints as a cell
// of the table.
func (f *fault) try(t *testing.T) string {
	text := f.run(t, "text")
	words := f.stable(text)
	if !f.heavy {
		machine := f.run(t, "json")
		if f.code != 0 {
			checkJSON(machine, words)
		}
		f.checkPrompt(f.run(t, "prompt"), words)
	}
	var lines []string
	for _, l := range words {
		if l = strings.ReplaceAll(strings.TrimSpace(l), "|", `\|`); l != "" {
			lines = append(lines, "`"+l+"`")
		}
	}
	if f.code == 0 {
		lines = append(lines, "the answer")
	}
	return strings.Join(lines, "<br>")
}

// run starts the server and runs the command line against it.
func (f *fault) run(t *testing.T, how string) *tried {
	t.Helper()
	p := &peer{t: t, on: map[string]func(*visit){}, over: make(chan struct{})}
	r := &tried{T: t, peer: p, how: how, url: f.serve(p)}
	line := f.line
	if line == "" {
		line = "call add a=1"
	}
	var args []string
	stdin := ""
	switch how {
	case "prompt":
		args = []string{"repl"}
		stdin = line + "\necho still here\n"
	case "json":
		args = append([]string{"--json"}, strings.Fields(line)...)
	default:
		args = strings.Fields(line)
	}
	args = append(args, strings.Fields(f.flags)...)
	if strings.HasPrefix(r.url, "http") || strings.HasPrefix(r.url, "ws") {
		args = append(args, "-H", "Authorization: Bearer "+secret+secret+secret)
	}
	var out, errs bytes.Buffer
	r.out.code = cli.Main(t.Context(), append(args, "--url", r.url), cli.Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs})
	r.out.out, r.out.err = out.String(), errs.String()
	if r.out.code != f.code {
		t.Errorf("%s: exits %d, want %d: %s%s", how, r.out.code, f.code, r.out.out, r.out.err)
	}
	if f.code == 0 && !strings.Contains(r.out.out, "done") {
		t.Errorf("%s: printed %q, want the answer", how, r.out.out)
	}
	harmless(t, how, r.out.err)
	r.session = sessionOf(r)
	// A port is used again before long: what is remembered of its server is another's.
	_ = os.Remove(filepath.Join(os.Getenv("XDG_STATE_HOME"), "parley", "eras.json"))
	checkSession(r, f.endless)
	for what, text := range map[string]string{"standard output": r.out.out, "standard error": r.out.err, "the session": string(r.session)} {
		if strings.Contains(text, secret) {
			t.Errorf("%s: %s has a secret: %s", how, what, text)
		}
	}
	if f.after != nil {
		f.after(r)
	}
	return r
}

var (
	ports  = regexp.MustCompile(`127\.0\.0\.1:(\d+)`)
	frames = regexp.MustCompile(`\bframe \d+`)
	vias   = regexp.MustCompile(`\b(POST|GET|DELETE) \d+`)
	folder = regexp.MustCompile(`/[^\s/]+(/[^\s/]+)*/parley-faults\d+`)
)

// stable gives the lines on standard error with words in the place of what is another
// each time.
func (f *fault) stable(r *tried) []string {
	known := map[string]string{}
	if own := ports.FindStringSubmatch(r.url); own != nil {
		known[own[1]] = "PORT"
	}
	text := ports.ReplaceAllStringFunc(r.out.err, func(host string) string {
		port := strings.TrimPrefix(host, "127.0.0.1:")
		if known[port] == "" {
			known[port] = "OTHER"
		}
		return "127.0.0.1:" + known[port]
	})
	text = frames.ReplaceAllString(text, "frame N")
	text = vias.ReplaceAllString(text, "$1 N")
	text = folder.ReplaceAllString(text, "/run")
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// failureOf finds the message and the hint among what is printed.
func failureOf(lines []string) (message, hint string) {
	for _, l := range lines {
		if m, ok := strings.CutPrefix(l, "parley: "); ok {
			message = m
		}
		if h, ok := strings.CutPrefix(l, "hint: "); ok {
			hint = h
		}
	}
	return message, hint
}

// noise is what programs say of themselves, not to people.
var noise = regexp.MustCompile(`failed to|\b(goroutine|panic|syscall|dial tcp|net/http|context deadline|context canceled|unexpected EOF|0x[0-9a-f]{4})|%!|<nil>|x509:|tls:|Post "|Get "|\bEOF\b`)

// checkJSON compares the error for machines with the one for people.
func checkJSON(r *tried, words []string) {
	lines := strings.Split(strings.TrimSuffix(r.out.err, "\n"), "\n")
	var line struct {
		Error struct{ Code, Message, Hint string }
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &line); err != nil || len(lines) != 1 {
		r.Errorf("no line of JSON: %v in %q", err, r.out.err)
		return
	}
	message, hint := failureOf(words)
	if line.Error.Message == "" || line.Error.Hint == "" || line.Error.Code == "" || line.Error.Code == "error" {
		r.Errorf("the JSON line has %+v", line.Error)
	}
	if noise.MatchString(message) || noise.MatchString(hint) || strings.HasSuffix(message, ".") || message == "" || hint == "" {
		r.Errorf("not for people: %q, %q", message, hint)
	}
}

// checkPrompt looks whether a session of typed lines goes on after the fault, which is
// told in the same words.
func (f *fault) checkPrompt(r *tried, words []string) {
	if !strings.Contains(r.out.out, "still here") {
		r.Errorf("the session did not go on: %s%s", r.out.out, r.out.err)
	}
	message, _ := failureOf(words)
	if f.code != 0 && !slices.Contains(f.stable(r), "parley: stdin:1:1: "+message) {
		r.Errorf("at the prompt it says\n%swant %q", r.out.err, message)
	}
}

// carries reports whether a header has the secret.
func carries(header http.Header) bool {
	for _, values := range header {
		if strings.Contains(strings.Join(values, ","), secret) {
			return true
		}
	}
	return false
}
