package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/config"
	"parley/ui/theme"
)

const serversLong = `List every MCP server that is configured on this machine, file by file: those of
the project first, then parley's own, then those of other programs. A server can
be used by its name: parley -s NAME. Where several have one name, the first one
counts.

For each it is told whether its command can be found and run, or whether its URL
is well-formed. With --check each is connected
to, several at a time, and its name, version, protocol, lists and time are shown,
or why it does not answer; disabled servers and those that do not count are left
out. With NAMEs only those servers are listed.

Values of env and headers are masked, and what looks like a secret in arguments
and URLs; --reveal shows them. With --json, one JSON object a line: a server, or a
file that cannot be read.

  parley servers
  parley servers --check
  parley servers add weather -e 'TOKEN=${WEATHER_TOKEN}' -- node server.js
  parley servers rm weather

Exit codes: 0 also where servers have problems; with --check 6 when one of them
does not answer or a file cannot be read.`

func (a *app) serversCommand() *cobra.Command {
	var o serversOptions
	c := &cobra.Command{
		Use: "servers [NAME…]", Short: "list the MCP servers that are configured on this machine", Long: serversLong,
		Args: cobra.ArbitraryArgs, ValidArgsFunction: a.completeServers,
		RunE: func(cmd *cobra.Command, names []string) error {
			o.patient = cmd.Flags().Changed("timeout")
			return a.servers(names, o)
		},
	}
	c.Flags().BoolVar(&o.check, "check", false, "connect to each server and tell what it has")
	c.PersistentFlags().BoolVar(&o.reveal, "reveal", false, "show secrets")
	c.AddCommand(a.serversAddCommand(), a.serversRemoveCommand(&o.reveal), a.serversShowCommand(&o.reveal))
	for _, sub := range c.Commands() {
		sub.Flags().SortFlags = false
	}
	return c
}

type serversOptions struct {
	check, reveal bool
	patient       bool // --timeout was given
}

// serverRow is what is known about one configured server.
type serverRow struct {
	config.Server
	state   string // ready, problem, disabled, unused
	problem string
	hint    string
	used    string // the place of the server of that name that counts instead
	check   *serverCheck
}

func (a *app) servers(names []string, o serversOptions) error {
	found, err := a.findConfig()
	if err != nil {
		return err
	}
	if a.server != "" {
		names = append(names, a.server)
	}
	if len(a.headers) > 0 || a.cert != "" {
		return usage("give them to one server: parley info -H … -s NAME", "servers: -H and --cert would go to every server there is")
	}
	for _, name := range names {
		if _, ok := found.Lookup(name); !ok {
			return found.Unknown(name)
		}
	}
	groups := a.serverGroups(found, names)
	if o.check {
		if err := a.checkServers(groups, o.patient); err != nil {
			return err
		}
	}
	if a.json {
		a.serverLines(found, groups, o.reveal)
	} else {
		a.serverTables(found, groups, o.reveal)
	}
	if o.check {
		return verdict(found, groups)
	}
	return nil
}

// serverGroups has the rows of each file of the configuration, in its order;
// only those of the names, if there are any.
func (a *app) serverGroups(found *config.Set, names []string) [][]*serverRow {
	groups := make([][]*serverRow, len(found.Files))
	for i, f := range found.Files {
		for _, s := range f.Servers {
			if len(names) == 0 || slices.Contains(names, s.Name) {
				groups[i] = append(groups[i], a.serverRow(found, s))
			}
		}
	}
	return groups
}

func (a *app) serverRow(found *config.Set, s config.Server) *serverRow {
	row := &serverRow{Server: s, state: "ready"}
	if first, _ := found.Lookup(s.Name); first.File != s.File || first.Line != s.Line {
		row.used = first.At()
	}
	p := s.Check(a.look)
	if !p.OK {
		row.state, row.hint = "problem", p.Hint
		row.problem = strings.TrimPrefix(brief(p.Message, s.Name), s.File+":")
	}
	switch {
	case s.Disabled:
		row.state = "disabled"
	case row.used != "":
		row.state = "unused"
	}
	return row
}

// serverTables prints the servers for people, a block for each file.
func (a *app) serverTables(found *config.Set, groups [][]*serverRow, reveal bool) {
	var out strings.Builder
	width := 0
	for _, rows := range groups {
		for _, r := range rows {
			if n := theme.Width(theme.Safe(r.Name)); n <= maxNameColumn {
				width = max(width, n)
			}
		}
	}
	for i, f := range found.Files {
		if f.Err == nil && len(groups[i]) == 0 {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "%s%s\n", theme.Safe(shortPath(f.Path)), theme.Safe(program(f)))
		if f.Err != nil {
			fmt.Fprintf(&out, "  ✗ %s\n", theme.Safe(strings.TrimPrefix(f.Err.Error(), f.Path+":")))
		}
		for _, r := range groups[i] {
			r.print(&out, width, a.lineWidth(), reveal)
		}
	}
	if out.Len() == 0 {
		a.note("no servers are configured; parley servers add NAME -- COMMAND … adds one")
	}
	fmt.Fprint(a.io.Out, out.String())
}

// maxNameColumn bounds the column of the names, in cells.
const maxNameColumn = 28

func program(f *config.File) string {
	if f.Program == "" {
		return ""
	}
	return "  (" + f.Program + ")"
}

// lineWidth is how wide lines may be: those of a terminal are wrapped.
func (a *app) lineWidth() int {
	width, _ := a.io.size()
	if !a.io.OutTTY || width <= 0 {
		return endless
	}
	return width
}

// print writes the row: what the server is, then what there is to say about it, in a
// column behind names of a width, in lines of at most so many cells.
func (r *serverRow) print(out *strings.Builder, width, cells int, reveal bool) {
	mark := map[string]string{"ready": "●", "problem": "✗"}[r.state]
	if mark == "" {
		mark = "○"
	}
	name := theme.Safe(r.Name)
	pad := strings.Repeat(" ", max(0, width-theme.Width(name)))
	about := r.about()
	if r.check != nil {
		mark, about = r.check.mark(), r.check.about()
	} else if about == "" {
		about = r.commandLine(reveal)
	}
	indent := strings.Repeat(" ", width+6)
	room := cells - len(indent)
	if room < leastText {
		room = endless
	}
	more := func(text string) {
		for _, line := range wrapText(theme.Safe(text), room) {
			fmt.Fprintf(out, "%s%s\n", indent, line)
		}
	}
	fmt.Fprintf(out, "  %s %s%s  ", mark, name, pad)
	first := wrapText(theme.Safe(about), room)
	if theme.Width(name) > width && 6+theme.Width(name)+theme.Width(lineAt(first, 0)) > cells {
		out.WriteByte('\n') // it begins under a long name
		more(about)
	} else {
		for i, line := range append(first, "")[:max(1, len(first))] {
			if i > 0 {
				out.WriteString(indent)
			}
			fmt.Fprintf(out, "%s\n", line)
		}
	}
	if about != r.commandLine(reveal) {
		more(r.commandLine(reveal))
	}
	if r.Instead > 0 {
		more(fmt.Sprintf("line %d has another server of this name, which is not used", r.Instead))
	}
	switch {
	case r.check != nil:
		more(r.check.hint())
	case r.state == "problem" && r.hint != "":
		more("hint: " + r.hint)
	}
}

// about says what there is to say about a server; nothing if it is ready.
func (r *serverRow) about() string {
	var parts []string
	if r.Disabled {
		parts = append(parts, "disabled")
	}
	if r.used != "" {
		parts = append(parts, "not used: "+shortPath(r.used)+" has that name first")
	}
	if r.problem != "" {
		parts = append(parts, withoutPath(r.problem))
	}
	return strings.Join(parts, "; ")
}

// withoutPath leaves out the folders that were searched for a program: they are
// the same for all, and long.
func withoutPath(problem string) string {
	before, rest, ok := strings.Cut(problem, " in PATH (")
	if _, after, closed := strings.Cut(rest, ")"); ok && closed {
		return before + " in PATH" + after
	}
	return problem
}

// commandLine is the command or the URL, with secrets masked unless they are to
// be shown.
func (r *serverRow) commandLine(reveal bool) string {
	s := r.Server
	if !reveal {
		s = s.Masked()
	}
	if s.URL != "" {
		return s.URL
	}
	if s.Command == "" {
		return ""
	}
	return quoted(append([]string{s.Command}, s.Args...))
}

// shortPath is a path for people: relative where that is shorter, ~ for home.
func shortPath(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join("~", rel)
		}
	}
	return path
}

// serverLine is a server for machines.
type serverLine struct {
	Name     string            `json:"name,omitempty"`
	State    string            `json:"state"`
	File     string            `json:"file"`
	Line     int               `json:"line,omitempty"`
	Program  string            `json:"program,omitempty"`
	Type     string            `json:"type,omitempty"`
	Command  string            `json:"command,omitempty"`
	Args     []string          `json:"args,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	EnvFile  string            `json:"envFile,omitempty"`
	Dir      string            `json:"cwd,omitempty"`
	URL      string            `json:"url,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
	Protocol string            `json:"protocol,omitempty"`
	Disabled bool              `json:"disabled,omitempty"`
	Used     string            `json:"used,omitempty"`
	Problem  string            `json:"problem,omitempty"`
	Hint     string            `json:"hint,omitempty"`
	Check    *serverCheck      `json:"check,omitempty"`
}

func (r *serverRow) line(reveal bool) serverLine {
	s := r.Server
	if !reveal {
		s = s.Masked()
	}
	return serverLine{
		Name: s.Name, State: r.state, File: s.File, Line: s.Line, Program: s.Program, Type: s.Type,
		Command: s.Command, Args: s.Args, Env: s.Env, EnvFile: s.EnvFile, Dir: s.Dir, URL: s.URL, Headers: s.Headers, Protocol: s.Protocol,
		Disabled: s.Disabled, Used: r.used, Problem: r.problem, Hint: r.hint, Check: r.check,
	}
}

func (a *app) serverLines(found *config.Set, groups [][]*serverRow, reveal bool) {
	enc := json.NewEncoder(a.io.Out)
	enc.SetEscapeHTML(false)
	for i, f := range found.Files {
		if f.Err != nil {
			_ = enc.Encode(serverLine{State: "broken", File: f.Path, Program: f.Program, Problem: f.Err.Error(), Hint: hint(f.Err)})
		}
		for _, r := range groups[i] {
			_ = enc.Encode(r.line(reveal))
		}
	}
}
