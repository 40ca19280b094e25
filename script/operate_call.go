package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/client"
	"parley/client/mcp"
	"parley/client/near"
	"parley/client/rawjson"
	"parley/client/schema"
)

// knownTool is a tool that the server lists, with what calls of it need.
type knownTool struct {
	mcp.Tool
	form      *schema.Object // nil if the schema is no JSON
	validator *schema.Validator
	names     []string // of its arguments
	sound     []byte   // the arguments that were last found to fit
	prepared  bool
	unusable  bool // the schema, which was said
}

// prepare reads the schema, at the first call.
func (t *knownTool) prepare(host Host) {
	if t.prepared {
		return
	}
	t.prepared = true
	form, err := schema.Parse(t.InputSchema)
	if err != nil {
		host.Note("warning", err.Error())
	} else {
		t.form = form
		for _, f := range form.Fields {
			t.names = append(t.names, f.Name)
		}
	}
	t.validator = schema.NewValidator(t.InputSchema)
}

// doCall is the step call.
func (in *Interp) doCall(ctx context.Context, step *Step, o *Outcome) (err error) {
	eval := in.evaluator(ctx)
	if o.Name, err = step.Words[0].Text(eval); err != nil {
		return err
	}
	tool, err := in.toolOf(ctx, step, o.Name)
	if err != nil {
		return err
	}
	var form *schema.Object
	if tool != nil {
		tool.prepare(in.opt.Host)
		form = tool.form
	}
	args, err := Arguments(ctx, form, step.Words[1:], eval, in.opt.Host.Stdin())
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = json.RawMessage(`{}`)
	}
	if tool != nil {
		if err := in.check(step, tool, args); err != nil {
			return err
		}
	}
	if in.link != nil && !in.forced(step) && !has(step, "--offline") {
		if reason, barred := in.link.Client.Excluded(o.Name); barred {
			return &client.ExcludedError{Tool: o.Name, Reason: reason}
		}
	}
	if err := in.operate(ctx, o, "tools/call", client.CallParams(o.Name, args)); err != nil {
		return of("tools/call "+o.Name, err)
	}
	in.noteTask(o)
	if len(o.Answers) == 0 || !o.Answers[0].Head.IsError {
		return nil
	}
	raw, err := o.Bytes()
	if err != nil {
		return err
	}
	return toolError(o.Name, raw)
}

// toolOf finds the tool of a call. nil means that its schema is not to be had: it
// is called with --force, without a handshake, or only to see the request.
func (in *Interp) toolOf(ctx context.Context, step *Step, name string) (*knownTool, error) {
	offline := has(step, "--offline")
	if offline && in.link == nil && !needsTypes(step.Words[1:]) {
		return nil, nil
	}
	l, err := in.online(ctx)
	if offline && err != nil {
		in.broken = nil
		in.opt.Host.Note("warning", "without the tool's schema every key=value is text: "+err.Error())
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return in.findTool(ctx, l, name, in.forced(step))
}

// needsTypes reports whether one of the arguments is read by the type that the
// schema gives it.
func needsTypes(words []Word) bool {
	return slices.ContainsFunc(words, func(w Word) bool {
		key, _, ok := strings.Cut(w.Source, "=")
		return ok && !strings.HasSuffix(key, ":") && !strings.HasPrefix(key, "{")
	})
}

// forced reports whether a step sends what the schema refuses.
func (in *Interp) forced(step *Step) bool {
	if in.settings.Force != nil {
		return *in.settings.Force || has(step, "--force")
	}
	return in.opt.Force || has(step, "--force")
}

// findTool finds a tool among those that the server lists. A server without tools,
// and a tool that is not listed, are no reason not to call it by force.
func (in *Interp) findTool(ctx context.Context, l *Link, name string, force bool) (*knownTool, error) {
	if l.Client.HandsOff() {
		return nil, nil
	}
	known, err := in.knownTools(ctx, l)
	switch {
	case err == nil:
	case !errors.As(err, new(mcp.RPCError)):
		return nil, err
	case force:
		return nil, nil
	default:
		return nil, &advisedError{err, "the call needs the tool's schema; --force calls it without, with arguments as text or key:=json"}
	}
	if tool := known.byName[name]; tool != nil || force {
		return tool, nil
	}
	return nil, &usageError{fmt.Sprintf("the server lists no tool %q", name), toolHint(name, known.names)}
}

func toolHint(name string, names []string) string {
	if len(names) == 0 {
		return "it lists no tools at all; --force calls it all the same"
	}
	if near := near.Best(name, names); near != "" {
		return fmt.Sprintf("did you mean %s? --force calls it all the same", near)
	}
	if len(names) > maxListed {
		names = append(names[:maxListed:maxListed], "…")
	}
	return "it lists: " + strings.Join(names, ", ") + "; --force calls it all the same"
}

// maxListed is how many tools a hint names.
const maxListed = 12

// ArgumentsError is what a tool's schema refuses.
type ArgumentsError struct {
	Tool     string
	Problems []schema.Problem
}

func (e *ArgumentsError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return e.Tool + ": " + strings.Join(lines, "; ")
}

// Hint says how it is sent all the same.
func (e *ArgumentsError) Hint() string { return "nothing was sent; --force sends it all the same" }

// Word names the error for machines.
func (e *ArgumentsError) Word() string { return "arguments" }

// check holds back what the tool's schema refuses, and says which arguments it does
// not name: it may allow them all the same, but often they are misspelt.
func (in *Interp) check(step *Step, tool *knownTool, args []byte) error {
	if bytes.Equal(args, tool.sound) {
		return nil
	}
	refused := &ArgumentsError{Tool: tool.Name}
	if !in.forced(step) {
		for _, p := range tool.validator.Validate(args) {
			switch { // the server's fault is not the caller's
			case !p.Schema:
				refused.Problems = append(refused.Problems, p)
			case !tool.unusable:
				tool.unusable = true
				in.opt.Host.Note("warning", fmt.Sprintf("the schema of %s cannot be used: %s", tool.Name, p.Message))
			}
		}
	}
	if len(refused.Problems) > 0 {
		return refused
	}
	if in.unnamed(tool, args) == 0 && !in.forced(step) {
		tool.sound = args
	}
	return nil
}

// unnamed says which arguments the schema does not name, and how many those are.
func (in *Interp) unnamed(tool *knownTool, args []byte) (n int) {
	if len(tool.names) == 0 {
		return 0
	}
	_ = rawjson.Each(args, func(key string, _, _ []byte) bool {
		if slices.Contains(tool.names, key) {
			return true
		}
		n++
		meant := near.Best(key, tool.names)
		if meant != "" {
			meant = "; did you mean " + meant + "?"
		}
		in.opt.Host.Note("warning", fmt.Sprintf("the schema names no argument %q; it is sent all the same%s", key, meant))
		return true
	})
	return n
}

// doSchema is the step schema: the arguments of a tool.
func (in *Interp) doSchema(ctx context.Context, step *Step, o *Outcome) (err error) {
	if o.Name, err = step.Words[0].Text(in.evaluator(ctx)); err != nil {
		return err
	}
	l, err := in.online(ctx)
	if err != nil {
		return err
	}
	o.Link = l
	tools, err := in.knownTools(ctx, l)
	if err != nil {
		return err
	}
	tool := tools.byName[o.Name]
	if tool == nil {
		hint, _, _ := strings.Cut(toolHint(o.Name, tools.names), "; --force")
		hint, _, _ = strings.Cut(hint, " --force")
		return &usageError{fmt.Sprintf("the server lists no tool %q", o.Name), hint}
	}
	if o.Value = tool.InputSchema; o.Value == nil {
		return &usageError{"the tool " + o.Name + " has no schema", "it takes what it takes; call " + o.Name + " {…} sends anything"}
	}
	return nil
}
