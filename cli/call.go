package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parley/client"
	"parley/client/mcp"
	"parley/client/near"
	"parley/client/rawjson"
	"parley/client/schema"
	"parley/client/wire"
	"parley/script"
	"parley/ui/theme"
)

// operation makes a command that takes its own words and flags before -- and
// the target after it.
func (a *app) operation(use, short, long string, least, most int, fn func(ctx context.Context, l *link, words []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			words, rest := args, []string(nil)
			dash := cmd.ArgsLenAtDash()
			if dash >= 0 {
				words, rest = args[:dash], args[dash:]
			}
			if len(words) < least || (most >= 0 && len(words) > most) {
				return usage("the target comes after --: parley "+use, "%s: %d words before the target", cmd.Name(), len(words))
			}
			if !a.given(rest) {
				return usage("the target comes after --: parley "+use+"; or -s NAME", "%s: no target given", cmd.Name())
			}
			return a.oneShot(rest, false, func(ctx context.Context, l *link) error { return fn(ctx, l, words) })
		},
	}
}

func (a *app) callCommand() *cobra.Command {
	return a.operation("call NAME [key=value …] -- TARGET", "call a tool",
		`Call a tool and print its result. Arguments are read by the tool's schema:

  key=text     by the type of that argument; text where it says string or nothing
  key:=json    JSON as it is
  key=@file    the file's text; @- is standard input
  key:=@file   the file's JSON
  {…}          all arguments as one JSON object

A result with isError is printed on standard output and exits 5. Arguments that
the schema refuses are not sent (exit 2), unless --force.`, 1, -1, a.call)
}

func (a *app) call(ctx context.Context, l *link, words []string) error {
	name := words[0]
	tool, err := a.findTool(ctx, l, name)
	if err != nil {
		return err
	}
	var form *schema.Object
	if tool != nil {
		if form, err = schema.Parse(tool.InputSchema); err != nil {
			a.note("▲ %s", theme.Safe(err.Error()))
		}
	}
	args, err := script.Args(form, words[1:], a.io.In)
	if err != nil {
		return err
	}
	if tool != nil {
		if err := a.checkArgs(*tool, args); err != nil {
			return err
		}
	}
	if args == nil {
		args = []byte(`{}`)
	}
	answer, err := l.client.Request(ctx, "tools/call", client.CallParams(name, args), client.CallOptions{By: wire.ByForm, Force: true, Progress: true})
	if err != nil {
		return err
	}
	return a.printCall(l, name, answer)
}

// findTool lists the tools and finds one. A server without tools, and a tool
// that is not listed, are no reason not to call it with --force.
func (a *app) findTool(ctx context.Context, l *link, name string) (*mcp.Tool, error) {
	if a.noHandshake {
		return nil, nil
	}
	pages, err := l.list(ctx, "tools/list")
	if err != nil {
		if a.force && word(err) == "rpc" {
			return nil, nil
		}
		return nil, err
	}
	var names []string
	for _, p := range pages {
		page := mcp.DecodeTools(p)
		a.problem(page.Problem)
		for i := range page.Items {
			if page.Items[i].Name == name {
				return &page.Items[i], nil
			}
			names = append(names, page.Items[i].Name)
		}
	}
	if a.force {
		return nil, nil
	}
	return nil, usage(toolHint(name, names), "the server lists no tool %q", name)
}

func toolHint(name string, names []string) string {
	if len(names) == 0 {
		return "it lists no tools at all; --force calls it all the same"
	}
	if near := near.Best(name, names); near != "" {
		return fmt.Sprintf("did you mean %s? --force calls it all the same", near)
	}
	if len(names) > 12 {
		names = append(names[:12:12], "…")
	}
	return "it lists: " + strings.Join(names, ", ") + "; --force calls it all the same"
}

// checkArgs holds back what the tool's schema refuses.
func (a *app) checkArgs(tool mcp.Tool, args []byte) error {
	if a.force {
		return nil
	}
	if args == nil {
		args = []byte(`{}`)
	}
	problems := schema.Validate(tool.InputSchema, args)
	var lines []string
	for _, p := range problems {
		if p.Schema { // the server's fault, not the caller's
			a.note("▲ the schema of %s cannot be used: %s", theme.Safe(tool.Name), theme.Safe(p.Message))
			continue
		}
		lines = append(lines, p.String())
	}
	if len(lines) == 0 {
		return nil
	}
	return &failure{word: "arguments", message: tool.Name + ": " + strings.Join(lines, "; "),
		hint: "nothing was sent; --force sends it all the same"}
}

func (a *app) printCall(l *link, name string, answer client.Answer) error {
	raw, err := l.client.Result(answer)
	if err != nil {
		return err
	}
	call := mcp.DecodeCall(raw)
	if a.json {
		fmt.Fprintf(a.io.Out, "%s\n", raw)
	} else {
		for _, c := range call.Content {
			a.printContent(c)
		}
		if len(call.Structured) > 0 && len(call.Content) == 0 {
			a.printJSON(call.Structured)
		}
		a.problem(call.Problem)
	}
	if call.IsError {
		return &toolError{tool: name}
	}
	return nil
}

// printContent prints text as it is and names everything else.
func (a *app) printContent(c mcp.Content) {
	a.problem(c.Problem)
	switch {
	case c.Text != "":
		text := a.shown(c.Text)
		fmt.Fprint(a.io.Out, text)
		if !strings.HasSuffix(text, "\n") {
			fmt.Fprintln(a.io.Out)
		}
	case c.Type == "text":
		fmt.Fprintln(a.io.Out)
	case c.Type == "resource_link":
		fmt.Fprintf(a.io.Out, "%s\n", theme.Safe(strings.TrimSpace(c.URI+"  "+or(c.Title, c.Name))))
	case c.BlobSize() > 0:
		fmt.Fprintf(a.io.Out, "[%s]\n", theme.Safe(strings.TrimSpace(strings.Join([]string{c.Type, c.MIMEType, size(c.BlobSize()), c.URI}, " "))))
	default:
		a.printJSON(c.Raw)
	}
}

func (a *app) printJSON(raw json.RawMessage) {
	pretty, _ := rawjson.Indent(nil, raw)
	fmt.Fprintf(a.io.Out, "%s\n", a.shown(string(pretty)))
}

func (a *app) readCommand() *cobra.Command {
	var out string
	c := a.operation("read URI -- TARGET", "read a resource",
		"Read a resource and print its contents. Binary contents go to a file or a pipe.", 1, 1,
		func(ctx context.Context, l *link, words []string) error {
			answer, err := l.client.Request(ctx, "resources/read", client.ReadParams(words[0]), client.CallOptions{By: wire.ByForm, Force: true, Progress: false})
			if err != nil {
				return err
			}
			if a.json && out == "" {
				return a.printResult(l, answer)
			}
			return a.printRead(l, answer, out)
		})
	c.Flags().StringVarP(&out, "output", "o", "", "write the contents to a `FILE`")
	return c
}

func (a *app) printRead(l *link, answer client.Answer, out string) error {
	raw, err := l.client.Result(answer)
	if err != nil {
		return err
	}
	read := mcp.DecodeRead(raw)
	a.problem(read.Problem)
	var all []byte
	for _, c := range read.Contents {
		blob, err := c.Blob()
		switch {
		case err != nil && blob == nil:
			return fmt.Errorf("contents of %s: %w", c.URI, err)
		case out != "":
			all = append(append(all, c.Text...), blob...)
		case len(blob) > 0 && a.io.OutTTY:
			fmt.Fprintf(a.io.Out, "[%s %s]\n", theme.Safe(c.MIMEType), size(int64(len(blob))))
			a.note("binary contents are not written to a terminal; -o FILE saves them")
		case len(blob) > 0:
			_, _ = a.io.Out.Write(blob)
		default:
			a.printContent(c)
		}
	}
	if out == "" {
		return nil
	}
	if err := os.WriteFile(out, all, 0o644); err != nil {
		return err
	}
	a.note("%s written to %s", size(int64(len(all))), out)
	return nil
}

func (a *app) getCommand() *cobra.Command {
	return a.operation("get PROMPT [key=text …] -- TARGET", "get a prompt",
		"Get a prompt and print its messages. Arguments are texts.", 1, -1,
		func(ctx context.Context, l *link, words []string) error {
			args, err := script.Args(nil, words[1:], a.io.In)
			if err != nil {
				return err
			}
			answer, err := l.client.Request(ctx, "prompts/get", client.PromptParams(words[0], args), client.CallOptions{By: wire.ByForm, Force: true})
			if err != nil {
				return err
			}
			if a.json {
				return a.printResult(l, answer)
			}
			raw, err := l.client.Result(answer)
			if err != nil {
				return err
			}
			prompt := mcp.DecodePrompt(raw)
			a.problem(prompt.Problem)
			for _, m := range prompt.Messages {
				fmt.Fprintf(a.io.Out, "%s:\n", theme.Safe(m.Role))
				for _, c := range m.Content {
					a.printContent(c)
				}
			}
			return nil
		})
}

func (a *app) requestCommand() *cobra.Command {
	return a.operation("request METHOD [{json params}] -- TARGET", "send any request",
		"Send a request of any method, known or not, and print its result.", 1, 2,
		func(ctx context.Context, l *link, words []string) error {
			var params json.RawMessage
			if len(words) == 2 {
				raw, err := rawjson.CompactLoose(nil, []byte(words[1]))
				if err != nil {
					return usage("params are a JSON object, in quotes for the shell", "params %s: %v", words[1], err)
				}
				params = raw
			}
			answer, err := l.client.Request(ctx, words[0], params, client.CallOptions{By: wire.ByForm, Force: true})
			if err != nil {
				return err
			}
			if a.json || !a.io.OutTTY {
				return a.printResult(l, answer)
			}
			raw, err := l.client.Result(answer)
			if err == nil {
				a.printJSON(raw)
			}
			return err
		})
}
