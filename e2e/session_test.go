package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// line is a line of a session file, read here a second time, independently of
// the program, as docs/session-format.md describes it.
type line struct {
	Parley  string          `json:"parley"`
	Target  json.RawMessage `json:"target"`
	N       int             `json:"n"`
	T       string          `json:"t"`
	D       string          `json:"d"`
	K       string          `json:"k"`
	By      string          `json:"by"`
	EOL     string          `json:"eol"`
	Raw     *string         `json:"raw"`
	B64     *string         `json:"b64"`
	Part    *int            `json:"part"`
	End     bool            `json:"end"`
	Message message         `json:"-"`
	Bytes   []byte          `json:"-"`
}

// message is what the tests look at in a JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code int `json:"code"`
	} `json:"error"`
}

// session is a recorded session.
type session struct {
	path   string
	header line
	frames []line // in the order of their numbers, parts joined
}

// sessionFiles lists the session files of a place, the oldest first.
func (p *place) sessionFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(p.state, "parley", "sessions", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// session reads the only session of a place.
func (p *place) session(t testing.TB) *session {
	t.Helper()
	files := p.sessionFiles(t)
	if len(files) != 1 {
		t.Fatalf("%d sessions recorded, want 1: %v", len(files), files)
	}
	return readSession(t, files[0])
}

func readSession(t testing.TB, path string) *session {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if keeping && info.Mode().Perm() != 0o600 {
		t.Errorf("%s has mode %o, want 600", path, info.Mode().Perm())
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{path: path}
	byNumber := map[int]int{}
	for i, text := range bytes.Split(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n")) {
		if len(text) == 0 {
			continue
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatalf("%s:%d: %v", path, i+1, err)
		}
		if i == 0 {
			if l.Parley != "session/1" {
				t.Fatalf("%s begins with %s", path, clip(text))
			}
			s.header = l
			continue
		}
		switch {
		case l.Raw != nil:
			l.Bytes = []byte(*l.Raw)
		case l.B64 != nil:
			if l.Bytes, err = base64.StdEncoding.DecodeString(*l.B64); err != nil {
				t.Fatalf("%s:%d: %v", path, i+1, err)
			}
		default:
			t.Fatalf("%s:%d has neither raw nor b64", path, i+1)
		}
		if at, ok := byNumber[l.N]; ok {
			s.frames[at].Bytes = append(s.frames[at].Bytes, l.Bytes...)
			continue
		}
		byNumber[l.N] = len(s.frames)
		s.frames = append(s.frames, l)
		if l.N != len(s.frames) {
			t.Fatalf("%s:%d is frame %d, want %d", path, i+1, l.N, len(s.frames))
		}
	}
	for i := range s.frames {
		if f := &s.frames[i]; f.K == "" || f.K == "message" {
			_ = json.Unmarshal(f.Bytes, &f.Message)
		}
	}
	return s
}

// answer returns the frames of the last request of ours with the method and of
// the response to it.
func (s *session) answer(t testing.TB, method string) (request, response line) {
	t.Helper()
	for _, f := range s.frames {
		switch {
		case f.D == ">" && f.Message.Method == method:
			request, response = f, line{}
		case f.D == "<" && f.Message.Method == "" && request.N > 0 && response.N == 0 &&
			len(f.Message.ID) > 0 && bytes.Equal(f.Message.ID, request.Message.ID):
			response = f
		}
	}
	if request.N == 0 || response.N == 0 {
		t.Fatalf("%s has no answered %s (request %d, response %d)", s.path, method, request.N, response.N)
	}
	return request, response
}

// event returns the last event with the name.
func (s *session) event(t testing.TB, name string) json.RawMessage {
	t.Helper()
	for i := len(s.frames) - 1; i >= 0; i-- {
		var e struct {
			Event string `json:"event"`
		}
		if s.frames[i].K == "event" && json.Unmarshal(s.frames[i].Bytes, &e) == nil && e.Event == name {
			return s.frames[i].Bytes
		}
	}
	t.Fatalf("%s has no event %s", s.path, name)
	return nil
}

// sameBytes checks that a recorded answer is what the program printed: frame N
// of show is the exact frame, and its result is the printed line.
func (p *place) sameBytes(t testing.TB, s *session, method string, printed []byte) {
	t.Helper()
	_, response := s.answer(t, method)
	if got := append([]byte(response.Message.Result), '\n'); !bytes.Equal(got, printed) {
		t.Errorf("%s printed %s\nrecorded result: %s", method, clip(printed), clip(got))
	}
	shown := p.want(t, 0, "show", s.path, strconv.Itoa(response.N))
	if want := append(bytes.Clone(response.Bytes), '\n'); !bytes.Equal(shown.Stdout, want) {
		t.Errorf("show %d printed %s\nrecorded: %s", response.N, clip(shown.Stdout), clip(want))
	}
}
