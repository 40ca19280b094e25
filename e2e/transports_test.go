package e2e

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The versions that begin with a handshake, the modern one, and the choice of one.
var (
	allLegacy  = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}
	modern     = []string{"2026-07-28", "auto"}
	everyThing = append(slices.Clone(allLegacy), modern...)
)

// way is a transport over which a server can be had, and the versions that it
// speaks there.
type way struct {
	name     string
	versions []string
	open     func(t *testing.T) (target []string)
}

// freePort is a port of the loopback interface on which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// served starts a server that listens on a port of its own, and waits until it does.
func served(t *testing.T, env []string, command ...string) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), env...), &said, &said
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if t.Failed() {
			t.Logf("%s said: %s", command[0], clip(said.Bytes()))
		}
	})
}

// answering waits until something answers at a URL.
func answering(t *testing.T, url string) {
	t.Helper()
	limit := time.Now().Add(30 * time.Second)
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		r, err := http.Head(url)
		if err == nil {
			_ = r.Body.Close()
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("nothing answers at %s: %v", url, err)
		}
		time.Sleep(pause) // a port tells nobody that it is open
	}
}

// bridged are the ways in which a command can be had that speaks over stdio.
func bridged(versions, command []string) []way {
	b := func() *bridge { return &bridge{command: command} }
	return []way{
		{"stdio", versions, func(*testing.T) []string { return append([]string{"--"}, command...) }},
		{"tcp", versions, func(t *testing.T) []string { return []string{b().listen(t, "tcp")} }},
		{"unix", versions, func(t *testing.T) []string { return []string{b().listen(t, "unix")} }},
		{"ws", versions, func(t *testing.T) []string { return []string{b().webSocket(t)} }},
	}
}

func goWays(dir string) []way {
	server := dir + "/go-sdk/everything-server"
	over := func(stateless string) func(t *testing.T) []string {
		return func(t *testing.T) []string {
			address := "127.0.0.1:" + freePort(t)
			served(t, nil, server, "-http="+address, "-stateless="+stateless)
			url := "http://" + address + "/mcp"
			answering(t, url)
			return []string{url}
		}
	}
	return append(bridged(everyThing, []string{server}),
		way{"http with sessions", append(slices.Clone(allLegacy[1:]), "legacy"), over("false")},
		way{"http without sessions", modern, over("true")},
	)
}

func everythingWays(dir string) []way {
	server := []string{"node", dir + "/node_modules/@modelcontextprotocol/server-everything/dist/index.js"}
	over := func(mode, path string) func(t *testing.T) []string {
		return func(t *testing.T) []string {
			port := freePort(t)
			served(t, []string{"PORT=" + port}, append(slices.Clone(server), mode)...)
			url := "http://127.0.0.1:" + port + path
			answering(t, "http://127.0.0.1:"+port+"/nothing")
			return []string{url}
		}
	}
	return append(bridged(allLegacy, append(server, "stdio")),
		way{"http", append(slices.Clone(allLegacy[1:]), "auto"), over("streamableHttp", "/mcp")},
		way{"http+sse", []string{"2024-11-05", "2025-11-25", "auto"}, over("sse", "/sse")},
	)
}

// conversation is a script, the servers that can hold it, and over which ways.
type conversation struct {
	script   string
	ways     func(dir string) []way
	versions []string // of each way, those that have what the script is about; nil: all
}

var conversations = []conversation{
	{script: "go-sdk", ways: goWays},
	{script: "go-sdk-legacy", ways: goWays, versions: []string{"2025-11-25", "2025-06-18", "legacy"}},
	{script: "go-sdk-modern", ways: goWays, versions: modern},
	{script: "everything", ways: everythingWays},
}

// TestTransports runs scripts over every transport and with every version that a
// server offers: each has to give what stdio gives.
func TestTransports(t *testing.T) {
	dir := zoo(t)
	for _, c := range conversations {
		t.Run(c.script, func(t *testing.T) {
			t.Parallel()
			file, err := filepath.Abs("../testdata/transports/" + c.script + ".mcp")
			if err != nil {
				t.Fatal(err)
			}
			ways := c.ways(dir)
			ran := 0
			var want []byte
			for i, w := range ways {
				versions := w.versions
				if c.versions != nil {
					versions = slices.DeleteFunc(slices.Clone(versions), func(v string) bool { return !slices.Contains(c.versions, v) })
				}
				if i == 0 { // over stdio, which is what the others are compared with
					want = conversed(t, file, versions[len(versions)-1], w.open(t))
				}
				if len(versions) == 0 {
					continue
				}
				ran += len(versions)
				t.Run(w.name, func(t *testing.T) {
					t.Parallel()
					target := w.open(t)
					for _, version := range versions {
						t.Run(version, func(t *testing.T) {
							if got := conversed(t, file, version, target); !bytes.Equal(got, want) {
								t.Errorf("over %s with %s:\n%s", w.name, version, firstDifference(got, want))
							}
						})
					}
				})
			}
			t.Logf("%d transports, %d runs", len(ways), ran)
		})
	}
}

// conversed runs the script and gives what it prints.
func conversed(t *testing.T, file, version string, target []string) []byte {
	t.Helper()
	p := newPlace(t)
	p.network = true
	return p.want(t, 0, append([]string{"run", "--protocol", version, file}, target...)...).Stdout
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(got, want []byte) string {
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: %s\nwant:    %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
