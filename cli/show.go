package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"parley/check"
	"parley/client/mcp"
	"parley/client/near"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/config"
	"parley/history"
	"parley/ui/theme"
)

func (a *app) showCommand() *cobra.Command {
	var pretty bool
	c := &cobra.Command{
		Use:   "show FILE [NUMBER …]",
		Short: "print a session, or the exact bytes of frames",
		Long: `Print a session: a line a frame with its time, direction, size and exact bytes. Of
HTTP there are the heads, ⇢ and ⇠, and the events of streams without their data, which
is the message that follows. With numbers, print the exact bytes of those frames and nothing else. With --json,
print the lines of the session file, of those frames if there are numbers. FILE is
a path, or the name of a session as parley sessions lists it; "last" is the newest
one.

  parley show last
  parley show last 4 | jq .result`,
		ValidArgsFunction: completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return noFile(c)
			}
			return a.show(args[0], args[1:], pretty)
		},
	}
	c.Flags().BoolVarP(&pretty, "pretty", "p", false, "indent the messages")
	return c
}

// openSession opens a session by path, by name, or the newest one.
func (a *app) openSession(name string) (*history.Log, error) {
	path := name
	if info, err := os.Stat(path); err != nil && !strings.ContainsAny(name, `/\`) {
		found, findErr := findSession(name)
		if findErr != nil {
			return nil, findErr
		}
		path = found
	} else if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("parley sessions lists those recorded here", "there is no session file %s", name)
	} else if err == nil && info.IsDir() {
		return nil, usage("name a file in it", "%s is a directory", name)
	}
	log, err := history.Open(path)
	if err != nil {
		return nil, err
	}
	if t := log.Torn(); t != "" {
		a.note("▲ %s: %s", path, theme.Safe(t))
	}
	for _, p := range log.Problems() {
		a.note("▲ %s:%d: %s", path, p.Line, theme.Safe(p.Text))
	}
	return log, nil
}

// recorded lists the n newest recorded sessions, the newest first, and where
// they are.
func recorded(n int) (dir string, all []history.SessionInfo, err error) {
	if dir, err = config.SessionsDir(); err == nil {
		all, err = history.Newest(dir, n)
	}
	return dir, all, err
}

func findSession(name string) (string, error) {
	if name == "last" {
		switch _, newest, err := recorded(1); {
		case err != nil:
			return "", err
		case len(newest) > 0:
			return newest[0].Path, nil
		}
	}
	dir, all, err := recorded(math.MaxInt)
	if err != nil {
		return "", err
	}
	var names []string
	for _, s := range all {
		if filepath.Base(s.Path) == name || sessionName(s.Path) == name {
			return s.Path, nil
		}
		names = append(names, sessionName(s.Path))
	}
	advice := "parley sessions lists them; they are in " + dir
	if meant := near.Best(name, names); meant != "" {
		advice = "did you mean " + meant + "? " + advice
	}
	if name == "last" {
		return "", usage("they are kept in "+dir, "no session was recorded yet")
	}
	return "", usage(advice, "there is no session %q", name)
}

// sessionName is what sessions calls a session file.
func sessionName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".jsonl") }

func (a *app) show(name string, numbers []string, pretty bool) error {
	log, err := a.openSession(name)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	frames, err := frameNumbers(log, numbers)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(a.io.Out, 64<<10)
	defer func() { _ = out.Flush() }()
	switch {
	case a.json:
		return copyLines(out, log.Path(), frames)
	case len(frames) > 0:
		return a.showFrames(out, log, frames, pretty)
	}
	var state history.State
	var checker check.Checker
	for seq := uint64(1); seq <= log.Len(); seq++ {
		r, ok := log.Record(seq)
		if !ok {
			continue
		}
		members := log.Members(seq)
		state.Apply(&r, members)
		findings := checker.Apply(&r, members, func() []byte { raw, _ := log.Bytes(seq, 0, -1); return raw })
		if err := a.showFrame(out, log, &state, &r, findings, pretty); err != nil {
			return err
		}
	}
	return nil
}

// frameNumbers reads the numbers of frames that the session has.
func frameNumbers(log *history.Log, words []string) ([]uint64, error) {
	var frames []uint64
	for _, w := range words {
		seq, err := strconv.ParseUint(w, 10, 64)
		if err != nil || seq == 0 {
			return nil, usage("frames are counted from 1", "show: %q is no frame number", w)
		}
		if _, ok := log.Record(seq); !ok {
			return nil, usage(fmt.Sprintf("its frames are 1 to %d", log.Len()), "%s has no frame %d", log.Path(), seq)
		}
		frames = append(frames, seq)
	}
	return frames, nil
}

// showFrames writes the exact bytes of frames, a line each.
func (a *app) showFrames(out io.Writer, log *history.Log, frames []uint64, pretty bool) error {
	for _, seq := range frames {
		r, _ := log.Record(seq)
		if pretty {
			raw, err := log.Bytes(seq, 0, -1)
			if err != nil {
				return err
			}
			raw, _ = rawjson.Indent(nil, raw)
			fmt.Fprintln(out, a.shown(string(raw)))
			continue
		}
		if err := a.copyFrame(out, log, &r); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return nil
}

// copyFrame writes a frame's exact bytes, a piece at a time; on a terminal, in
// their visible form.
func (a *app) copyFrame(out io.Writer, log *history.Log, r *history.Record) error {
	for off := int64(0); off < r.Size; {
		raw, err := log.Bytes(r.Seq, off, int(min(r.Size-off, wire.MaxPart)))
		if err != nil {
			return err
		}
		if len(raw) == 0 {
			return fmt.Errorf("frame %d ends after %d of %d bytes", r.Seq, off, r.Size)
		}
		if _, err := io.WriteString(out, a.shown(string(raw))); err != nil {
			return err
		}
		off += int64(len(raw))
	}
	return nil
}

func (a *app) showFrame(out io.Writer, log *history.Log, state *history.State, r *history.Record, findings []check.Finding, pretty bool) error {
	fmt.Fprintf(out, "%5d  %s  %s  %8s  ", r.Seq, r.Time.Local().Format("15:04:05.000"), arrow(r), size(r.Size))
	raw, err := log.Bytes(r.Seq, 0, -1)
	if err != nil {
		return err
	}
	text := string(raw)
	if pretty && r.Form.IsMessage() {
		if indented, ok := rawjson.Indent(nil, raw); ok {
			text = "\n" + string(indented)
		}
	}
	indent := strings.Repeat(" ", 23)
	if lines := httpLines(r.Dir, raw); r.Kind == wire.HTTP && len(lines) > 0 {
		lines[0] += aside(r.Via)
		text = strings.Join(lines, "\n"+indent)
	}
	fmt.Fprintln(out, a.shown(text))
	if x, ok := state.Exchange(r.Seq); ok && x.Response.Seq == r.Seq && x.Method != "" {
		fmt.Fprintf(out, "%s↳ %s, %s after %d%s\n", indent, theme.Safe(strings.TrimSpace(x.Method+" "+x.Name)),
			r.Time.Sub(x.Sent).Round(10_000), x.Request.Seq, outcomeWords(r, &x))
	}
	if r.By == wire.ByProbe && r.Form == wire.Request {
		fmt.Fprintf(out, "%s↳ %s\n", indent, probeWords)
	}
	for _, f := range findings {
		fmt.Fprintf(out, "%s▲ %s: %s\n", indent, f.Rule, theme.Safe(f.Message))
	}
	return nil
}

// probeWords label what was sent only to find out how a server is spoken to.
const probeWords = "a probe: which era does the server speak?"

// outcomeWords say what is special about an answer.
func outcomeWords(r *history.Record, x *history.Exchange) (text string) {
	if x.First.Seq != 0 {
		text = fmt.Sprintf(", a further round of %d", x.First.Seq)
	}
	switch {
	case r.Form == wire.Result && r.Type == wire.ResultInput:
		return text + ", asks for input"
	case r.Form == wire.Result && r.Type == wire.ResultTask:
		return text + ", runs as a task"
	case r.Form == wire.Failure:
		return text + fmt.Sprintf(", ✗ %s (%d)", mcp.CodeName(r.Code), r.Code)
	case r.IsError:
		return text + ", ✗ isError"
	}
	return text
}

// aside says behind a line which request of HTTP it belongs to.
func aside(via string) string {
	if via == "" {
		return ""
	}
	return "  (" + via + ")"
}

// arrow shows where a frame went, in two cells.
func arrow(r *history.Record) string {
	switch {
	case r.Kind == wire.Stderr:
		return "! "
	case r.Kind == wire.Event:
		return "· "
	case r.Kind == wire.Stray:
		return "←▲"
	case r.Kind == wire.HTTP && r.Dir == wire.Out:
		return "⇢ "
	case r.Kind == wire.HTTP:
		return "⇠ "
	case r.Dir == wire.Out:
		return "→ "
	}
	return "← "
}

// copyLines writes the lines of a session file: of the frames given, or all of
// it. A frame in parts has several lines.
func copyLines(out io.Writer, path string, frames []uint64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if len(frames) == 0 {
		_, err = io.Copy(out, f)
		return err
	}
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadBytes('\n')
		n, ok := rawjson.Get(line, "n")
		if seq, bad := strconv.ParseUint(string(n), 10, 64); ok && bad == nil && slices.Contains(frames, seq) {
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (a *app) sessionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sessions",
		Short: "list recorded sessions, the newest first",
		Long: `List recorded sessions, the newest first: name, start, frames, size, target.
With --json, one JSON object a line: path, name, started, frames, size, target,
and problem if the file cannot be read.

  parley sessions`,
		Args: noWords,
		RunE: func(*cobra.Command, []string) error { return a.sessions() },
	}
}

func (a *app) sessions() error {
	dir, all, err := recorded(math.MaxInt)
	if err != nil {
		return err
	}
	if len(all) == 0 && !a.json {
		a.note("no sessions yet; they are kept in %s", dir)
	}
	for _, s := range all {
		s.Problem = strings.TrimPrefix(s.Problem, s.Path+": ")
		if a.json {
			a.sessionLine(s)
			continue
		}
		about := s.Target.String()
		if s.Problem != "" {
			about = "✗ " + s.Problem
		}
		fmt.Fprintf(a.io.Out, "%-44s  %s  %7d frames  %9s  %s\n", theme.Safe(sessionName(s.Path)),
			s.Started.Local().Format("2006-01-02 15:04"), s.Frames, size(s.Size), theme.Safe(about))
	}
	return nil
}

func (a *app) sessionLine(s history.SessionInfo) {
	enc := json.NewEncoder(a.io.Out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(struct {
		Path    string         `json:"path"`
		Name    string         `json:"name"`
		Started string         `json:"started"`
		Frames  uint64         `json:"frames"`
		Size    int64          `json:"size"`
		Target  history.Target `json:"target"`
		Problem string         `json:"problem,omitempty"`
	}{s.Path, sessionName(s.Path), s.Started.Format("2006-01-02T15:04:05.000Z07:00"), s.Frames, s.Size, s.Target, s.Problem})
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print parley's version", Long: "Print parley's version.\n\n  parley version", Args: noWords,
		RunE: func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

func (a *app) printVersion() error {
	fmt.Fprintf(a.io.Out, "parley %s\n", version())
	return nil
}
