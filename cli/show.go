package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"parley/check"
	"parley/client/mcp"
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
		Long: `Print a session: a line a frame with its time, direction, size and exact bytes.
With numbers, print the exact bytes of those frames and nothing else. With --json,
print the lines of the session file. FILE is a path, or the name of a session as
parley sessions lists it; "last" is the newest one.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("parley sessions lists them", "show: no session file given")
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
	if _, err := os.Stat(path); err != nil && !strings.ContainsRune(name, filepath.Separator) {
		found, findErr := findSession(name)
		if findErr != nil {
			return nil, findErr
		}
		path = found
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

// recorded lists the recorded sessions, the newest first, and where they are.
func recorded() (dir string, all []history.SessionInfo, err error) {
	if dir, err = config.SessionsDir(); err == nil {
		all, err = history.Sessions(dir)
	}
	return dir, all, err
}

func findSession(name string) (string, error) {
	dir, all, err := recorded()
	if err != nil {
		return "", err
	}
	if name == "last" && len(all) > 0 {
		return all[0].Path, nil
	}
	for _, s := range all {
		if base := filepath.Base(s.Path); base == name || strings.TrimSuffix(base, ".jsonl") == name {
			return s.Path, nil
		}
	}
	return "", usage("parley sessions lists them; they are in "+dir, "no session %q", name)
}

func (a *app) show(name string, numbers []string, pretty bool) error {
	log, err := a.openSession(name)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	out := bufio.NewWriterSize(a.io.Out, 64<<10)
	defer func() { _ = out.Flush() }()
	switch {
	case len(numbers) > 0:
		return a.showFrames(out, log, numbers, pretty)
	case a.json:
		return copyFile(out, log.Path())
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

// showFrames writes the exact bytes of frames, a line each.
func (a *app) showFrames(out io.Writer, log *history.Log, numbers []string, pretty bool) error {
	for _, n := range numbers {
		seq, err := strconv.ParseUint(n, 10, 64)
		if err != nil {
			return usage("frames are counted from 1", "show: %q is no frame number", n)
		}
		r, ok := log.Record(seq)
		if !ok {
			return usage(fmt.Sprintf("it has frames 1 to %d", log.Len()), "%s has no frame %d", log.Path(), seq)
		}
		if pretty {
			raw, err := log.Bytes(seq, 0, -1)
			if err != nil {
				return err
			}
			raw, _ = rawjson.Indent(nil, raw)
			fmt.Fprintln(out, a.shown(string(raw)))
			continue
		}
		if err := copyFrame(out, log, &r); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return nil
}

// copyFrame writes a frame's exact bytes, a piece at a time.
func copyFrame(out io.Writer, log *history.Log, r *history.Record) error {
	for off := int64(0); off < r.Size; {
		raw, err := log.Bytes(r.Seq, off, int(min(r.Size-off, wire.MaxPart)))
		if err != nil {
			return err
		}
		if len(raw) == 0 {
			return fmt.Errorf("frame %d ends after %d of %d bytes", r.Seq, off, r.Size)
		}
		if _, err := out.Write(raw); err != nil {
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
	fmt.Fprintln(out, a.shown(text))
	if x, ok := state.Exchange(r.Seq); ok && x.Response.Seq == r.Seq && x.Method != "" {
		fmt.Fprintf(out, "%s↳ %s %s, %s after %d%s\n", strings.Repeat(" ", 23), theme.Safe(x.Method), theme.Safe(x.Name),
			x.Answered.Sub(x.Sent).Round(10_000), x.Request.Seq, failureWords(r))
	}
	for _, f := range findings {
		fmt.Fprintf(out, "%s▲ %s: %s\n", strings.Repeat(" ", 23), f.Rule, theme.Safe(f.Message))
	}
	return nil
}

func failureWords(r *history.Record) string {
	switch {
	case r.Form == wire.Failure:
		return fmt.Sprintf(", ✗ %s (%d)", mcp.CodeName(r.Code), r.Code)
	case r.IsError:
		return ", ✗ isError"
	}
	return ""
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
	case r.Dir == wire.Out:
		return "→ "
	}
	return "← "
}

func copyFile(out io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	_, err = io.Copy(out, f)
	return err
}

func (a *app) sessionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sessions",
		Short: "list recorded sessions, the newest first",
		Long:  "List recorded sessions, the newest first: name, start, frames, size, target.",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.sessions() },
	}
}

func (a *app) sessions() error {
	dir, all, err := recorded()
	if err != nil {
		return err
	}
	if len(all) == 0 && !a.json {
		a.note("no sessions yet; they are kept in %s", dir)
	}
	for _, s := range all {
		if a.json {
			b := append([]byte(`{"path":`), rawjson.Quote(nil, s.Path)...)
			b = append(b, fmt.Sprintf(`,"started":%q,"frames":%d,"size":%d,"target":`, s.Started.Format("2006-01-02T15:04:05.000Z07:00"), s.Frames, s.Size)...)
			b = rawjson.Quote(b, s.Target.String())
			fmt.Fprintf(a.io.Out, "%s}\n", b)
			continue
		}
		about := s.Target.String()
		if s.Problem != "" {
			about = "✗ " + s.Problem
		}
		fmt.Fprintf(a.io.Out, "%-44s  %s  %7d frames  %9s  %s\n", strings.TrimSuffix(filepath.Base(s.Path), ".jsonl"),
			s.Started.Local().Format("2006-01-02 15:04"), s.Frames, size(s.Size), theme.Safe(about))
	}
	return nil
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print parley's version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

func (a *app) printVersion() error {
	fmt.Fprintf(a.io.Out, "parley %s\n", version())
	return nil
}
