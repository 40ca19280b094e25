package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// slowest is how long any one-shot command may take on a real server. The
// slowest of them needs 2 s, on a busy machine with cold files 9 s; some wait
// 60 s for an answer that a careless client never gives them.
const slowest = 25 * time.Second

// declared are the flags under which expect.tsv was measured.
var declared = []string{"--root", ".", "--sample", "decline", "--elicit", "decline"}

// lists are the one-shot list commands: the column of expect.tsv, the method
// and the member of the result that holds the items.
var lists = []struct{ command, method, key string }{
	{"tools", "tools/list", "tools"},
	{"resources", "resources/list", "resources"},
	{"templates", "resources/templates/list", "resourceTemplates"},
	{"prompts", "prompts/list", "prompts"},
}

// table reads a tab-separated file of testdata/zoo: a map a row, by column.
func table(t *testing.T, name string) []map[string]string {
	t.Helper()
	raw, err := os.ReadFile(testdata(t, "zoo/"+name))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimRight(string(raw), "\n"), "\n")
	columns := strings.Split(rows[0], "\t")
	var all []map[string]string
	for i, row := range rows[1:] {
		cells := strings.Split(row, "\t")
		if len(cells) != len(columns) {
			t.Fatalf("%s:%d has %d cells, want %d", name, i+2, len(cells), len(columns))
		}
		m := map[string]string{}
		for j, c := range columns {
			m[c] = cells[j]
		}
		all = append(all, m)
	}
	return all
}

// named returns the flags that name a server of a configuration of testdata/zoo.
func named(t testing.TB, config, name string) []string {
	t.Helper()
	return []string{"-s", name, "--config", testdata(t, "zoo/"+config)}
}

func zooPlace(t testing.TB, dir string) *place {
	p := newPlace(t)
	p.env = []string{"ZOO=" + dir}
	return p
}

// TestZoo checks that every published server answers with the protocol and the
// lists that a prober which is not parley measured.
func TestZoo(t *testing.T) {
	dir := zoo(t)
	rows := table(t, "expect.tsv")
	if len(rows) < 27 {
		t.Fatalf("only %d servers in expect.tsv", len(rows))
	}
	if isolation() == nil {
		t.Log("no way to take the network away on this machine: servers run with it")
	}
	for _, row := range rows {
		t.Run(row["name"], func(t *testing.T) {
			t.Parallel()
			flags := append(named(t, "mcp.json", row["name"]), declared...)
			var walls []string
			p := zooPlace(t, dir)
			info := p.want(t, 0, append([]string{"info", "--json"}, flags...)...)
			if got := text(t, info.Stdout, "protocolVersion"); got != row["protocol"] {
				t.Errorf("protocol %s, want %s", got, row["protocol"])
			}
			p.sameBytes(t, p.session(t), "initialize", info.Stdout)
			walls = append(walls, inTime(t, info))
			for _, l := range lists {
				want, ok := row[l.command]
				if !ok {
					t.Fatalf("expect.tsv has no column %s", l.command)
				}
				walls = append(walls, listOf(t, zooPlace(t, dir), flags, l.command, l.method, l.key, want))
			}
			t.Logf("info, tools, resources, templates, prompts in %s", strings.Join(walls, ", "))
		})
	}
}

// listOf runs one list command and compares it with the number in the table,
// where - is the error -32601. It returns how long it took.
func listOf(t *testing.T, p *place, flags []string, command, method, key, want string) string {
	t.Helper()
	args := append([]string{command, "--json"}, flags...)
	if want == "-" {
		o := p.want(t, 5, args...)
		if e := failure(t, o); e.RPCCode != -32601 || e.Code != "rpc" {
			t.Errorf("%s: error %+v, want rpc -32601\n%v", command, e, o)
		}
		return inTime(t, o)
	}
	o := p.want(t, 0, args...)
	n := 0
	for i, page := range bytes.Split(bytes.TrimSuffix(o.Stdout, []byte("\n")), []byte("\n")) {
		var result map[string]json.RawMessage
		var items []json.RawMessage
		if err := json.Unmarshal(page, &result); err != nil {
			t.Fatalf("%s: page %d: %v\n%v", command, i+1, err, o)
		}
		if err := json.Unmarshal(result[key], &items); err != nil {
			t.Fatalf("%s: page %d: %s: %v\n%v", command, i+1, key, err, o)
		}
		n += len(items)
	}
	if strconv.Itoa(n) != want {
		t.Errorf("%s: %d items, want %s\n%v", command, n, want, o)
	}
	s := p.session(t)
	s.event(t, "connected")
	s.event(t, "exited")
	if bytes.Count(o.Stdout, []byte("\n")) == 1 {
		p.sameBytes(t, s, method, o.Stdout)
	}
	shown := p.want(t, 0, "show", s.path)
	for _, word := range []string{`"method":"initialize"`, `"method":"notifications/initialized"`, `"method":"` + method + `"`} {
		if !bytes.Contains(shown.Stdout, []byte(word)) {
			t.Errorf("show has no %s\n%v", word, shown)
		}
	}
	return inTime(t, o)
}

// inTime checks that a run was not kept waiting, and returns its time.
func inTime(t *testing.T, o outcome) string {
	t.Helper()
	if o.Wall > slowest {
		t.Errorf("took %s, more than %s\n%v", o.Wall.Round(time.Millisecond), slowest, o)
	}
	return fmt.Sprint(o.Wall.Round(time.Millisecond))
}

// failed is the error line of --json.
type failed struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Hint    string   `json:"hint"`
	Exit    *int     `json:"exit"`
	Signal  string   `json:"signal"`
	Stderr  []string `json:"stderr"`
	RPCCode int      `json:"rpcCode"`
}

// failure reads the error line of a run with --json: the last line of stderr.
func failure(t testing.TB, o outcome) failed {
	t.Helper()
	lines := bytes.Split(bytes.TrimSuffix(o.Stderr, []byte("\n")), []byte("\n"))
	var e struct{ Error failed }
	if err := json.Unmarshal(lines[len(lines)-1], &e); err != nil || e.Error.Code == "" {
		t.Fatalf("no error line on stderr (%v)\n%v", err, o)
	}
	return e.Error
}

// text returns a string member of a JSON object.
func text(t testing.TB, object []byte, key string) string {
	t.Helper()
	var m map[string]json.RawMessage
	var s string
	if err := json.Unmarshal(object, &m); err != nil {
		t.Fatalf("%v in %s", err, clip(object))
	}
	if err := json.Unmarshal(m[key], &s); err != nil {
		t.Fatalf("%s: %v in %s", key, err, clip(object))
	}
	return s
}

// TestZooFailing checks that a server which cannot be used is said to be so,
// with the reason that it gave.
func TestZooFailing(t *testing.T) {
	dir := zoo(t)
	cases := map[string]func(t *testing.T, flags []string){
		"heroku": func(t *testing.T, flags []string) {
			o := zooPlace(t, dir).want(t, 4, append([]string{"tools"}, flags...)...)
			says(t, o, "exited 1", "Cannot find module", "hint: ")
			o = zooPlace(t, dir).want(t, 4, append([]string{"tools", "--json"}, flags...)...)
			e := failure(t, o)
			if e.Code != "exited" || e.Exit == nil || *e.Exit != 1 || len(e.Stderr) == 0 {
				t.Errorf("error %+v, want exited with 1 and the last lines of stderr", e)
			}
		},
		"redis": func(t *testing.T, flags []string) {
			p := zooPlace(t, dir)
			o := p.want(t, 4, append([]string{"tools", "--timeout", "2s", "--json"}, flags...)...)
			if e := failure(t, o); e.Code != "timeout" || !strings.Contains(e.Message, "initialize") || !strings.Contains(e.Message, "2s") {
				t.Errorf("error %+v, want a timeout of initialize that says 2s", e)
			}
			if o.Wall > 2*time.Second+slowest/2 {
				t.Errorf("--timeout 2s took %s", o.Wall)
			}
			o = zooPlace(t, dir).want(t, 4, append([]string{"tools"}, flags...)...)
			says(t, o, "exited 1", "ECONNREFUSED")
		},
		"supabase": func(t *testing.T, flags []string) {
			o := zooPlace(t, dir).want(t, 0, append([]string{"info", "--json"}, flags...)...)
			if v := text(t, o.Stdout, "protocolVersion"); v != "2025-11-25" {
				t.Errorf("protocol %s", v)
			}
			o = zooPlace(t, dir).want(t, 5, append([]string{"tools"}, flags...)...)
			says(t, o, "-32603", "fetch failed")
			o = zooPlace(t, dir).want(t, 5, append([]string{"tools", "--json"}, flags...)...)
			if e := failure(t, o); e.RPCCode != -32603 || !strings.Contains(e.Message, "fetch failed") {
				t.Errorf("error %+v, want -32603 fetch failed", e)
			}
		},
	}
	rows := table(t, "failing.tsv")
	if len(rows) != len(cases) {
		t.Errorf("failing.tsv has %d servers, the test knows %d", len(rows), len(cases))
	}
	for _, row := range rows {
		t.Run(row["name"], func(t *testing.T) {
			t.Parallel()
			check, ok := cases[row["name"]]
			if !ok {
				t.Fatalf("failing.tsv names %s: %s", row["name"], row["outcome"])
			}
			check(t, append(named(t, "failing.json", row["name"]), declared...))
		})
	}
}

// says checks that stderr holds each of the words.
func says(t *testing.T, o outcome, words ...string) {
	t.Helper()
	for _, w := range words {
		if !bytes.Contains(o.Stderr, []byte(w)) {
			t.Errorf("stderr does not say %q\n%v", w, o)
		}
	}
}
