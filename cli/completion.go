package cli

import (
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/client/mcp"
	"parley/client/schema"
	"parley/history"
)

// completeServers offers the configured servers.
func (a *app) completeServers(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	file, err := a.findConfig()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return file.Names(), cobra.ShellCompDirectiveNoFileComp
}

// completeSessions offers the recorded sessions, beside files.
func completeSessions(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	names := []string{"last"}
	_, all, _ := recorded(math.MaxInt)
	for _, s := range all {
		names = append(names, sessionName(s.Path))
	}
	return slices.Clip(names), cobra.ShellCompDirectiveDefault
}

// What completion looks at: of the newest sessions those that are read at once.
const (
	maxLooked  = 64
	maxOpened  = 4
	maxSession = 32 << 20 // bytes
)

// remembered is what a server listed in a recorded session.
type remembered struct {
	log       *history.Log
	state     history.State
	catalogue history.Catalogue
}

func (r *remembered) tools() []mcp.Tool         { return r.catalogue.Tools(r.log, &r.state) }
func (r *remembered) prompts() []mcp.Prompt     { return r.catalogue.Prompts(r.log, &r.state) }
func (r *remembered) resources() []mcp.Resource { return r.catalogue.Resources(r.log, &r.state) }
func (r *remembered) templates() []mcp.Template { return r.catalogue.Templates(r.log, &r.state) }

// remember gives fn the newest sessions with the target that the line names, with
// any if it names none, until fn has found what it wants. No server is started for
// a completion.
func (a *app) remember(fn func(r *remembered) (found bool)) {
	_, all, err := recorded(maxLooked)
	if err != nil {
		return
	}
	opened := 0
	for _, s := range a.nearest(all) {
		if s.Problem != "" || s.Size > maxSession {
			continue
		}
		if opened == maxOpened {
			return
		}
		opened++
		log, err := history.Open(s.Path)
		if err != nil {
			continue
		}
		r := &remembered{log: log}
		r.state.CatchUp(log)
		found := fn(r)
		_ = log.Close()
		if found {
			return
		}
	}
}

type completions = []cobra.Completion

// completeCall offers the tools of the last session and then their arguments.
func (a *app) completeCall(_ *cobra.Command, args []string, typed string) (out completions, _ cobra.ShellCompDirective) {
	a.remember(func(r *remembered) bool {
		for _, t := range r.tools() {
			switch {
			case len(args) == 0:
				out = offer(out, typed, t.Name, or(t.Description, t.Title))
			case t.Name == args[0]:
				if form, err := schema.Parse(t.InputSchema); err == nil {
					out = argumentOffers(form, args[1:], typed)
				}
				return true
			}
		}
		return len(out) > 0
	})
	if len(args) == 0 {
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
}

// argumentOffers are the arguments that are not given yet, required ones first, or
// the values of the one that is being typed. Places inside of an argument are offered
// once that is typed.
func argumentOffers(form *schema.Object, given []string, typed string) (out completions) {
	rows := fields(form)
	if name, _, valued := strings.Cut(typed, "="); valued {
		i := slices.IndexFunc(rows, func(r argument) bool { return r.name == name })
		if i < 0 {
			return nil
		}
		for _, o := range rows[i].field.Enum {
			out = offer(out, typed, name+"="+plainValue(o.Raw), "")
		}
		if rows[i].field.Type == schema.Boolean {
			out = offer(offer(out, typed, name+"=true", ""), typed, name+"=false", "")
		}
		return out
	}
	taken := map[string]bool{}
	for _, word := range given {
		name, _, _ := strings.Cut(word, "=")
		taken[strings.TrimSuffix(name, ":")] = true
	}
	for _, required := range []bool{true, false} {
		for _, r := range rows {
			outer := strings.IndexAny(r.name, ".[")
			if r.required != required || taken[r.name] || r.name != r.field.Name && outer > 0 && !strings.HasPrefix(typed, r.name[:outer+1]) {
				continue
			}
			sign, _, _ := strings.Cut(r.takes, "=")
			out = offer(out, typed, r.name+sign+"=", strings.TrimSpace(typeOf(r.field)+mark(required)+"  "+paragraph(r.field.Description)))
		}
	}
	return out
}

// completeGet offers the prompts of the last session and then their arguments.
func (a *app) completeGet(_ *cobra.Command, args []string, typed string) (out completions, _ cobra.ShellCompDirective) {
	a.remember(func(r *remembered) bool {
		for _, p := range r.prompts() {
			switch {
			case len(args) == 0:
				out = offer(out, typed, p.Name, or(p.Description, p.Title))
			case p.Name == args[0]:
				for _, arg := range p.Arguments {
					if !slices.ContainsFunc(args[1:], func(w string) bool { return strings.HasPrefix(w, arg.Name+"=") }) {
						out = offer(out, typed, arg.Name+"=", mark(arg.Required)+paragraph(arg.Description))
					}
				}
				return true
			}
		}
		return len(out) > 0
	})
	if len(args) == 0 {
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
}

// completeRead offers the resources of the last session.
func (a *app) completeRead(_ *cobra.Command, args []string, typed string) (out completions, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	a.remember(func(r *remembered) bool {
		for _, x := range r.resources() {
			out = offer(out, typed, x.URI, join(x.Label(), x.Description))
		}
		return len(out) > 0
	})
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeComplete offers what has arguments that can be completed, and those.
func (a *app) completeComplete(_ *cobra.Command, args []string, typed string) (out completions, _ cobra.ShellCompDirective) {
	a.remember(func(r *remembered) bool {
		for _, p := range r.prompts() {
			switch {
			case len(args) == 0:
				out = offer(out, typed, p.Name, or(p.Description, p.Title))
			case len(args) == 1 && p.Name == args[0]:
				for _, arg := range p.Arguments {
					out = offer(out, typed, arg.Name, arg.Description)
				}
			}
		}
		for _, t := range r.templates() {
			if len(args) == 0 {
				out = offer(out, typed, t.URITemplate, join(t.Label(), t.Description))
			}
		}
		return len(out) > 0
	})
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeRequest offers the methods of the specification that clients send.
func completeRequest(_ *cobra.Command, args []string, typed string) (out completions, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, m := range mcp.Methods() {
		if m.From != mcp.FromServer && !m.Notification {
			out = offer(out, typed, m.Name, m.Params)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
