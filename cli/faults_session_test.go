package cli_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// recordedFrame is a line of a session file, its parts joined.
type recordedFrame struct {
	N     uint64
	D, K  string
	Via   string
	Raw   *string
	B64   *string
	EOL   string
	Part  int
	bytes []byte
}

// sessionOf takes the file of the session with a peer away, whose address is its own.
func sessionOf(r *tried) []byte {
	r.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv("XDG_STATE_HOME"), "parley", "sessions", "*.jsonl"))
	if err != nil {
		r.Fatal(err)
	}
	address := r.url
	if _, host, ok := strings.Cut(address, "://"); ok {
		address, _, _ = strings.Cut(host, "?")
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			continue // another's, taken away
		}
		head, _, _ := bytes.Cut(raw, []byte("\n"))
		if bytes.Contains(head, []byte(address)) {
			if err := os.Remove(f); err != nil {
				r.Error(err)
			}
			return raw
		}
	}
	r.Errorf("%s: there is no session of %s", r.how, r.url)
	return nil
}

// framesOf reads a session file.
func framesOf(r *tried) (all []recordedFrame) {
	at := map[uint64]int{}
	for i, line := range bytes.Split(bytes.TrimSuffix(r.session, []byte("\n")), []byte("\n")) {
		var f recordedFrame
		if err := json.Unmarshal(line, &f); err != nil {
			r.Errorf("%s: line %d of the session: %v", r.how, i+1, err)
		}
		switch {
		case f.Raw != nil:
			f.bytes = []byte(*f.Raw)
		case f.B64 != nil:
			f.bytes, _ = base64.StdEncoding.DecodeString(*f.B64)
		}
		if f.N == 0 {
			continue
		}
		if first, ok := at[f.N]; ok {
			all[first].bytes = append(all[first].bytes, f.bytes...)
			all[first].EOL = f.EOL
			if f.K != "" {
				all[first].K = f.K
			}
			continue
		}
		at[f.N] = len(all)
		all = append(all, f)
	}
	return all
}

// checkSession looks whether everything is in the session that the server sent.
func checkSession(r *tried, endless bool) {
	r.Helper()
	recorded := bodiesOf(framesOf(r))
	for _, sent := range r.peer.bodies() {
		found := -1
		for i, b := range recorded {
			if bytes.Equal(b, sent) || endless && len(b) > 0 && bytes.HasPrefix(sent, b) {
				found = i
				break
			}
		}
		if found < 0 {
			if !endless {
				r.Errorf("%s: the session has lost %.300q", r.how, sent)
			}
			continue
		}
		recorded = append(recorded[:found], recorded[found+1:]...)
	}
}

// bodiesOf puts together what was received, by HTTP request, connection or message.
func bodiesOf(frames []recordedFrame) (bodies [][]byte) {
	at := map[string]int{} // by via
	streams := map[string]bool{}
	last := map[string]recordedFrame{}
	for _, f := range frames {
		head := f.K == "http" && strings.HasPrefix(string(f.bytes), "HTTP/")
		switch {
		case f.K == "event" && strings.Contains(string(f.bytes), `"connected"`):
			clear(at)
			clear(streams)
			clear(last)
			continue
		case f.D != "<":
			continue
		case head:
			streams[f.Via] = strings.Contains(strings.ToLower(string(f.bytes)), "content-type: text/event-stream")
			continue
		case f.Via == "ws":
			bodies = append(bodies, f.bytes)
			continue
		case streams[f.Via] && f.K == "": // it stands in its event
			last[f.Via] = f
			continue
		case streams[f.Via] && f.K == "stray" && last[f.Via].K == "http" && bytes.Contains(last[f.Via].bytes, f.bytes):
			continue
		}
		last[f.Via] = f
		i, ok := at[f.Via]
		if !ok {
			i = len(bodies)
			at[f.Via] = i
			bodies = append(bodies, nil)
		}
		bodies[i] = append(bodies[i], f.bytes...)
		if f.Via == "tcp" || f.Via == "unix" {
			bodies[i] = append(bodies[i], map[string]string{"": "\n", "lf": "\n", "crlf": "\r\n"}[f.EOL]...)
		}
	}
	return bodies
}
