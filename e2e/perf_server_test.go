package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// rolePerfServer is a server that costs next to nothing, so that what is
// measured is the client; rolePerfPipe talks to one over a bare pipe.
const (
	rolePerfServer = "perf-server"
	rolePerfPipe   = "perf-pipe"
)

// load says what the server of the benchmarks does beside answering.
type load struct {
	tools int           // how many tools it lists
	early int           // notifications before the answer to tools/list
	keep  bool          // make these, but do not send them
	rate  int           // notifications a second from the handshake on; 0: as many as the pipe takes
	total int           // how many of these; 0: none
	text  int           // the length of the text that a call returns
	wrap  bool          // the text has lines
	wait  time.Duration // before the notifications begin
	echo  bool          // it has the tool echo, which answers with a short text
}

func (l load) args() []string {
	return []string{
		"-tools=" + strconv.Itoa(l.tools), "-early=" + strconv.Itoa(l.early), "-keep=" + strconv.FormatBool(l.keep), "-rate=" + strconv.Itoa(l.rate),
		"-total=" + strconv.Itoa(l.total), "-text=" + strconv.Itoa(l.text), "-wrap=" + strconv.FormatBool(l.wrap),
		"-wait=" + l.wait.String(), "-echo=" + strconv.FormatBool(l.echo),
	}
}

// perfServer is the role: it reads requests until its input ends.
func perfServer(args []string) int {
	var l load
	flags := flag.NewFlagSet(rolePerfServer, flag.ContinueOnError)
	flags.IntVar(&l.tools, "tools", 0, "")
	flags.IntVar(&l.early, "early", 0, "")
	flags.BoolVar(&l.keep, "keep", false, "")
	flags.IntVar(&l.rate, "rate", 0, "")
	flags.IntVar(&l.total, "total", 0, "")
	flags.IntVar(&l.text, "text", 0, "")
	flags.BoolVar(&l.wrap, "wrap", false, "")
	flags.DurationVar(&l.wait, "wait", 0, "")
	flags.BoolVar(&l.echo, "echo", false, "")
	if flags.Parse(args) != nil {
		return 2
	}
	s := &perfPeer{load: l, early: notifications(0, l.early)}
	if l.keep {
		s.early = nil
	}
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return 0
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(line, &m) == nil {
			s.take(m.ID, m.Method)
		}
	}
}

// perfPeer writes whole lines to standard output from two goroutines.
type perfPeer struct {
	load
	early []byte // what is sent before the answer to tools/list
	mu    sync.Mutex
}

func (s *perfPeer) write(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = os.Stdout.Write(b)
}

func (s *perfPeer) take(id json.RawMessage, method string) {
	result := ""
	switch method {
	case "initialize":
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"perf","version":"1"}}`
	case "notifications/initialized":
		if s.total > 0 {
			go s.notify()
		}
		return
	case "tools/list":
		s.write(s.early)
		result = s.list()
	case "tools/call":
		if s.echo {
			s.echoes(id)
		} else {
			s.answer(id)
		}
		return
	default:
		if id == nil {
			return
		}
		result = `{}`
	}
	s.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result))
}

func (s *perfPeer) list() string {
	if s.echo {
		return `{"tools":[{"name":"echo","description":"says what it is told","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]}`
	}
	b := []byte(`{"tools":[`)
	for i := range max(1, s.tools) {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"name":"tool_%03d","description":"what tool %d does","inputSchema":{"type":"object"}}`, i, i)
	}
	return string(append(b, `]}`...))
}

// answer writes a result whose text begins with "beginning" and ends with "ending".
func (s *perfPeer) answer(id json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := bufio.NewWriterSize(os.Stdout, 64<<10)
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"beginning`, id)
	line := bytes.Repeat([]byte("0123456789abcdef"), 4)
	if s.wrap {
		line = append(line, `\n`...)
	}
	for n := 0; n < s.text; n += len(line) {
		_, _ = w.Write(line)
	}
	_, _ = io.WriteString(w, `ending"}]}}`+"\n")
	_ = w.Flush()
}

// loadOver is in the last notification. It is one character that nothing else
// shows: of a row that changed, only what differs is painted.
const loadOver = "§"

// notify sends the notifications, a hundredth of a second's worth at a time.
func (s *perfPeer) notify() {
	<-time.After(s.wait)
	step := 400
	if s.rate > 0 {
		step = max(1, s.rate/100)
	}
	start := time.Now()
	for n := 0; n < s.total; n += step {
		s.write(notifications(n, min(step, s.total-n)))
		if s.rate > 0 {
			<-time.After(time.Until(start.Add(time.Duration(n+step) * time.Second / time.Duration(s.rate))))
		}
	}
	s.write([]byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + loadOver + `"}}` + "\n"))
}

// notifications makes n log messages of 149 bytes, numbered from first on, with
// as little work as it takes.
func notifications(first, n int) []byte {
	const before = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"load","data":"message number `
	const after = `........................."}}` + "\n"
	b := make([]byte, 0, n*(len(before)+7+len(after)))
	for i := first; i < first+n; i++ {
		b = append(b, before...)
		for unit := 1_000_000; unit > 0; unit /= 10 {
			b = append(b, byte('0'+i/unit%10))
		}
		b = append(b, after...)
	}
	return b
}

// perfPipe is the role: it says to a server what parley tools says to it, and
// waits for what it waits for; nothing is parsed or kept. It prints how many
// lines came.
func perfPipe(argv []string) int {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), envRole+"="+rolePerfServer) // in case it is this program
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil || cmd.Start() != nil {
		return 1
	}
	r := bufio.NewReaderSize(out, 64<<10)
	lines := 0
	for id, message := range []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"parley","version":"0"}}}` + "\n",
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n",
	} {
		if _, err := io.WriteString(in, message); err != nil {
			return 1
		}
		want := fmt.Appendf(nil, `"id":%d`, id)
		for {
			line, err := r.ReadSlice('\n')
			if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
				return 1
			}
			if err == nil {
				lines++
			}
			if !bytes.HasPrefix(line, []byte(`{"jsonrpc":"2.0","method"`)) && bytes.Contains(line, want) {
				break
			}
		}
	}
	_ = in.Close()
	_, _ = io.Copy(io.Discard, r)
	fmt.Println(lines)
	if cmd.Wait() != nil {
		return 1
	}
	return 0
}
