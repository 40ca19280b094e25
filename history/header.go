package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/client/rawjson"
)

// Format is what the header's "parley" key says in files written here.
const Format = "session/1"

const formatMajor = 1

// Header is the first line of a session file.
type Header struct {
	Parley  string    // the format: "session/1"
	Started time.Time // to the millisecond, UTC
	Target  Target
	Client  string                     // who recorded: "parley 0.1.0"
	Extra   map[string]json.RawMessage // keys that are not known here, as they were
}

// Target says what a session was connected to: a command or a URL, and the
// name it has in a configuration, if any.
type Target struct {
	Command []string `json:"command,omitempty"`
	Cwd     string   `json:"cwd,omitempty"`
	URL     string   `json:"url,omitempty"`
	Name    string   `json:"name,omitempty"`
}

// String gives the target for people: the command's words, the URL, or the name.
func (t Target) String() string {
	switch {
	case len(t.Command) > 0:
		return strings.Join(t.Command, " ")
	case t.URL != "":
		return t.URL
	}
	return t.Name
}

const headerTime = "2006-01-02T15:04:05.000Z"

// appendHeader appends the header's line.
func appendHeader(dst []byte, h *Header) []byte {
	dst = append(dst, `{"parley":`...)
	dst = rawjson.Quote(dst, h.Parley)
	dst = append(dst, `,"started":"`...)
	dst = h.Started.UTC().AppendFormat(dst, headerTime)
	dst = append(dst, `","target":{`...)
	comma := ""
	if h.Target.Command != nil {
		dst = append(dst, `"command":[`...)
		for i, arg := range h.Target.Command {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = rawjson.Quote(dst, arg)
		}
		dst = append(dst, ']')
		comma = ","
	}
	for _, kv := range [...][2]string{{"cwd", h.Target.Cwd}, {"url", h.Target.URL}, {"name", h.Target.Name}} {
		if kv[1] != "" {
			dst = append(append(dst, comma...), `"`+kv[0]+`":`...)
			dst = rawjson.Quote(dst, kv[1])
			comma = ","
		}
	}
	dst = append(dst, '}')
	if h.Client != "" {
		dst = append(dst, `,"client":`...)
		dst = rawjson.Quote(dst, h.Client)
	}
	for _, key := range slices.Sorted(maps.Keys(h.Extra)) {
		dst = append(dst, ',')
		dst = rawjson.Quote(dst, key)
		dst = append(dst, ':')
		dst = append(dst, h.Extra[key]...)
	}
	return append(dst, "}\n"...)
}

// FormatError says that a file is no session that can be read here.
type FormatError struct {
	Path   string
	Reason string
	hint   string
}

func (e *FormatError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Reason) }

// Hint says what can be done about it.
func (e *FormatError) Hint() string { return e.hint }

const hintNoSession = "a session file begins with a line like {\"parley\":\"session/1\",…}; `parley sessions` lists those recorded here"

// parseHeader reads the first line of a file.
func parseHeader(path string, line []byte) (Header, error) {
	var h Header
	line = bytes.TrimPrefix(line, []byte("\ufeff")) // an editor's byte order mark
	var keys map[string]json.RawMessage
	if json.Unmarshal(line, &keys) != nil || keys["parley"] == nil {
		return h, &FormatError{path, "not a session file", hintNoSession}
	}
	if json.Unmarshal(keys["parley"], &h.Parley) != nil {
		return h, &FormatError{path, "not a session file: \"parley\" is no string", hintNoSession}
	}
	kind, version, _ := strings.Cut(h.Parley, "/")
	text, _, _ := strings.Cut(version, ".")
	major, err := strconv.Atoi(text)
	switch {
	case kind != "session" || err != nil:
		return h, &FormatError{path, fmt.Sprintf("not a session file: it says %q", h.Parley), hintNoSession}
	case major != formatMajor:
		return h, &FormatError{path, fmt.Sprintf("format %s cannot be read, only %s", h.Parley, Format),
			"it was recorded by another version of parley; use that version, or a newer one"}
	}
	delete(keys, "parley")
	// A header is for people: a key of another type than expected is kept with
	// the unknown ones, and the frames are read all the same.
	for key, into := range map[string]any{"started": &h.Started, "target": &h.Target, "client": &h.Client} {
		if raw := keys[key]; raw != nil && json.Unmarshal(raw, into) == nil {
			delete(keys, key)
		}
	}
	h.Started = h.Started.UTC()
	if len(keys) > 0 {
		h.Extra = keys
	}
	return h, nil
}
