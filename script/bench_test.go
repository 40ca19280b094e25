package script_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/client"
	"parley/client/wire"
	"parley/demo"
	"parley/history"
	"parley/script"
)

// envBenchServer makes the test binary a server: "echo", which does the least that a
// server can do, or "demo".
const envBenchServer = "PARLEY_BENCH_SERVER"

func TestMain(m *testing.M) {
	switch os.Getenv(envBenchServer) {
	case "echo":
		echoServer(os.Stdin, os.Stdout)
		os.Exit(0)
	case "demo":
		if err := demo.Serve(context.Background(), os.Stdin, os.Stdout, os.Stderr, demo.Options{}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const echoTools = `{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]}`

// echoServer answers a line with a line.
func echoServer(in io.Reader, out io.Writer) {
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return
		}
		_, rest, ok := bytes.Cut(line, []byte(`"id":`))
		if !ok {
			continue
		}
		id, _, _ := bytes.Cut(rest, []byte{','})
		result := `{"content":[{"type":"text","text":"hi"}]}`
		switch {
		case bytes.Contains(line, []byte(`"initialize"`)):
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}`
		case bytes.Contains(line, []byte(`"tools/list"`)):
			result = echoTools
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
	}
}

// calls is how many steps the script has.
const calls = 10_000

// BenchmarkCalls compares a script of 10,000 calls, recorded, with the same frames
// sent in lockstep by the smallest client: it writes a line and reads a line.
func BenchmarkCalls(b *testing.B) {
	for _, server := range []string{"echo", "demo"} {
		b.Run(server+"/lockstep", func(b *testing.B) {
			for range b.N {
				lockstep(b, server)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/calls, "µs/call")
		})
		b.Run(server+"/script", func(b *testing.B) {
			s, err := script.Parse("bench", []byte(strings.Repeat("call echo text=hi\n", calls)))
			if err != nil {
				b.Fatal(err)
			}
			for range b.N {
				runScript(b, server, s)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/calls, "µs/call")
		})
	}
}

func lockstep(b *testing.B, server string) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envBenchServer+"="+server)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	r := bufio.NewReaderSize(out, 1<<20)
	ask := func(line string) {
		if _, err := io.WriteString(in, line); err != nil {
			b.Fatal(err)
		}
		if _, err := r.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"parley","version":"1"}}}` + "\n")
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		b.Fatal(err)
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n")
	for id := 2; id < calls+2; id++ {
		ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"},"_meta":{"progressToken":%[1]d}}}`+"\n", id))
	}
	_ = in.Close()
	_ = cmd.Wait()
}

// benchHost runs scripts over a process, recorded in a file.
type benchHost struct {
	server string
	dir    string
	shown  int
}

func (h *benchHost) Connect(ctx context.Context, _ []string, _ *script.Settings) (*script.Link, error) {
	log, err := history.Create(history.Options{Path: filepath.Join(h.dir, "session.jsonl")})
	if err != nil {
		return nil, err
	}
	command := wire.Command{Args: []string{os.Args[0]}, Env: []string{envBenchServer + "=" + h.server}}
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		return wire.StartStdio(command, sink, wire.StdioOptions{Epoch: epoch})
	}, client.Options{Name: "parley", Version: "1"})
	if err := c.Connect(ctx); err != nil {
		return nil, err
	}
	return &script.Link{Client: c, Log: log, Close: func(ctx context.Context) error {
		_ = c.Close(ctx)
		return log.Close()
	}}, nil
}

func (h *benchHost) Show(o *script.Outcome) error {
	raw, err := o.Bytes()
	h.shown += len(raw)
	return err
}

func (h *benchHost) Note(string, string) {}
func (h *benchHost) Stdin() io.Reader    { return strings.NewReader("") }

func runScript(b *testing.B, server string, s *script.Script) {
	h := &benchHost{server: server, dir: b.TempDir()}
	in := script.New(script.Options{Host: h})
	if err := in.Run(b.Context(), s, script.RunOptions{}); err != nil {
		b.Fatal(err)
	}
	if err := in.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
	if h.shown == 0 {
		b.Fatal("nothing was shown")
	}
}
