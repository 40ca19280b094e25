package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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

func (a *app) callCommand() *cobra.Command {
	return a.operationCommand(operation{
		use: "call NAME [key=value …] -- TARGET", least: 1, most: -1, short: "call a tool",
		long: `Call a tool and print its result. Arguments are read by the tool's schema:

  key=text     by the type of that argument; text where it says string or nothing
  key:=json    JSON as it is
  key=@file    the file's text; @- is standard input
  key:=@file   the file's JSON
  {…}          all arguments as one JSON object

A result with isError is printed on standard output and exits 5. Arguments that
the schema refuses are not sent (exit 2), unless --force.

  parley call get_weather city=Paris -- node server.js
  parley call search 'filter:={"tags":["a","b"]}' text=@query.txt -s notes`,
		check: func(words []string) error { return script.CheckArgs(words[1:]) },
		run:   a.call,
	})
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
		a.unknownArgs(form, args)
	}
	if args == nil {
		args = []byte(`{}`)
	}
	answer, err := l.client.Request(ctx, "tools/call", client.CallParams(name, args), client.CallOptions{By: wire.ByForm, Force: true, Progress: true})
	if err != nil {
		return of("tools/call "+name, err)
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
	switch {
	case err != nil && word(err) != "rpc":
		return nil, err
	case err != nil && a.force:
		return nil, nil
	case err != nil:
		return nil, &advised{err, "the call needs the tool's schema; --force calls it without, with arguments as text or key:=json"}
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

// unknownArgs says which arguments the schema does not name. It may allow them
// all the same, but often they are misspelt.
func (a *app) unknownArgs(form *schema.Object, args []byte) {
	if form == nil || len(form.Fields) == 0 {
		return
	}
	var names []string
	for _, f := range form.Fields {
		names = append(names, f.Name)
	}
	_ = rawjson.Each(args, func(key string, _, _ []byte) bool {
		if slices.Contains(names, key) {
			return true
		}
		meant := near.Best(key, names)
		if meant != "" {
			meant = "; did you mean " + meant + "?"
		}
		a.note("▲ the schema names no argument %q; it is sent all the same%s", key, theme.Safe(meant))
		return true
	})
}

func (a *app) printCall(l *link, name string, answer client.Answer) error {
	if err := a.print(outcome("call", l, answer)); err != nil {
		return err
	}
	if answer.Head.IsError {
		return &toolError{tool: name}
	}
	return nil
}

func (a *app) readCommand() *cobra.Command {
	var out string
	c := a.operationCommand(operation{
		use: "read URI -- TARGET", least: 1, most: 1, short: "read a resource",
		long: `Read a resource and print its contents. Binary contents go to a file or a pipe.

  parley read file:///etc/hosts -- node server.js
  parley read -o logo.png demo://logo.png -- parley demo --stdio`,
		run: func(ctx context.Context, l *link, words []string) error {
			answer, err := l.client.Request(ctx, "resources/read", client.ReadParams(words[0]), client.CallOptions{By: wire.ByForm, Force: true})
			if err != nil {
				return of("resources/read", err)
			}
			a.save = out
			return a.print(outcome("read", l, answer))
		},
	})
	c.Flags().StringVarP(&out, "output", "o", "", "write the contents to a `FILE`")
	return c
}

func (a *app) getCommand() *cobra.Command {
	return a.operationCommand(operation{
		use: "get PROMPT [key=text …] -- TARGET", least: 1, most: -1, short: "get a prompt",
		long: `Get a prompt and print its messages. Arguments are texts.

  parley get code_review code=@main.go -- node server.js`,
		check: func(words []string) error { return script.CheckArgs(words[1:]) },
		run: func(ctx context.Context, l *link, words []string) error {
			args, err := script.Args(nil, words[1:], a.io.In)
			if err != nil {
				return err
			}
			answer, err := l.client.Request(ctx, "prompts/get", client.PromptParams(words[0], args), client.CallOptions{By: wire.ByForm, Force: true})
			if err != nil {
				return of("prompts/get "+words[0], err)
			}
			return a.print(outcome("get", l, answer))
		},
	})
}

func (a *app) requestCommand() *cobra.Command {
	return a.operationCommand(operation{
		use: "request METHOD [{json params}] -- TARGET", least: 1, most: 2, short: "send any request",
		long: `Send a request of any method, known or not, and print its result.

  parley request tools/list '{"cursor":"2"}' -- node server.js`,
		check: func(words []string) error {
			_, err := params(words)
			return err
		},
		run: func(ctx context.Context, l *link, words []string) error {
			p, err := params(words)
			if err != nil {
				return err
			}
			answer, err := l.client.Request(ctx, words[0], p, client.CallOptions{By: wire.ByForm, Force: true})
			if err != nil {
				return a.unknownMethod(words[0], of(words[0], err))
			}
			return a.print(outcome("request", l, answer))
		},
	})
}

// params reads the second word of request, if there is one.
func params(words []string) (json.RawMessage, error) {
	if len(words) < 2 {
		return nil, nil
	}
	raw, err := rawjson.CompactLoose(nil, []byte(words[1]))
	if err != nil {
		return nil, usage("params are a JSON object, in quotes for the shell", "params %s: %v", words[1], err)
	}
	return raw, nil
}

// unknownMethod adds the method that was probably meant to the server's answer
// that there is no such one.
func (a *app) unknownMethod(method string, err error) error {
	var rpc mcp.RPCError
	_, known := mcp.LookupMethod(method)
	if h := mcp.MethodHint(method); !known && h != "" && errors.As(err, &rpc) && rpc.Code == mcp.CodeMethodNotFound {
		return &advised{err, h}
	}
	return err
}
