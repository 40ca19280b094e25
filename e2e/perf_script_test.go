package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// rolePerfLockstep is the smallest client of a script of calls.
const rolePerfLockstep = "perf-lockstep"

// perfLockstep is the role: N NAME ARGUMENTS SERVER … sends a server what parley
// run sends it for N calls of a tool, each line when the one before was answered.
// Nothing is parsed or kept.
func perfLockstep(args []string) int {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return 2
	}
	params := `,"method":"tools/call","params":{"name":"` + args[1] + `","arguments":` + args[2] + `,"_meta":{"progressToken":`
	cmd := exec.Command(args[3], args[4:]...)
	cmd.Env = append(os.Environ(), envRole+"="+rolePerfServer) // in case it is this program
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil || cmd.Start() != nil {
		return 1
	}
	r := bufio.NewReaderSize(out, 64<<10)
	ask := func(line []byte) bool {
		if _, err := in.Write(line); err != nil {
			return false
		}
		_, err := r.ReadSlice('\n')
		return err == nil
	}
	ok := ask([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"parley","version":"0"}}}` + "\n"))
	ok = ok && ask([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n"))
	var line []byte
	for id := 2; ok && id < n+2; id++ {
		line = append(line[:0], `{"jsonrpc":"2.0","id":`...)
		line = strconv.AppendInt(line, int64(id), 10)
		line = append(line, params...)
		line = strconv.AppendInt(line, int64(id), 10)
		line = append(line, "}}}\n"...)
		ok = ask(line)
	}
	_ = in.Close()
	_, _ = io.Copy(io.Discard, r)
	if cmd.Wait() != nil || !ok {
		return 1
	}
	return 0
}

// BenchmarkPerfScript compares a script of 10,000 calls with the smallest client
// that sends the same lines in lockstep. The server of the benchmarks does next to
// nothing, so all that is measured is the client; the demo does what servers do.
func BenchmarkPerfScript(b *testing.B) {
	const steps = 10_000
	flags, perf := load{echo: true}.server(b)
	for _, s := range []struct {
		name  string
		flags []string
		argv  []string
	}{
		{"bare", flags, perf},
		{"demo", nil, []string{parley(b), "demo", "--stdio"}},
	} {
		b.Run(s.name, func(b *testing.B) {
			p := newPlace(b)
			file := filepath.Join(p.work, "calls.mcp")
			if err := os.WriteFile(file, bytes.Repeat([]byte("call echo text=hi\n"), steps), 0o600); err != nil {
				b.Fatal(err)
			}
			smallest := append([]string{self(b), strconv.Itoa(steps), "echo", `{"text":"hi"}`}, s.argv...)
			script := append(append([]string{parley(b), "run", "-q"}, s.flags...), file, "--")
			script = append(script, s.argv...)
			told := append(append([]string{parley(b), "run"}, s.flags...), file, "--")
			told = append(told, s.argv...)
			var bare, ours, lines samples
			for b.Loop() {
				took, _ := timed(b, p, smallest, envRole+"="+rolePerfLockstep)
				bare = append(bare, took)
				took, out := timed(b, p, script)
				ours = append(ours, took)
				if n := bytes.Count([]byte(out), []byte("\n")); n != steps {
					b.Fatalf("%d lines were printed, want %d", n, steps)
				}
				took, _ = timed(b, p, told)
				lines = append(lines, took)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(bare.median()), "smallest-ms")
			b.ReportMetric(milliseconds(ours.median()), "parley-ms")
			b.ReportMetric(float64(ours.median())/float64(bare.median()), "ratio")
			b.ReportMetric(float64(lines.median())/float64(bare.median()), "ratio-with-step-lines")
			b.ReportMetric(float64((ours.median()-bare.median())/steps)/float64(time.Microsecond), "added-µs/step")
		})
	}
}

// echoes answers a call with a short text.
func (s *perfPeer) echoes(id []byte) {
	s.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"hi"}]}}`+"\n", id))
}
