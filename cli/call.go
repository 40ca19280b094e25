package cli

import (
	"os"

	"github.com/spf13/cobra"

	"parley/client/rawjson"
	"parley/script"
)

func (a *app) callCommand() *cobra.Command {
	c := a.operationCommand(operation{
		use: "call NAME [key=value …] -- TARGET", least: 1, most: -1, short: "call a tool",
		long: `Call a tool and print its result. Arguments are read by the tool's schema:

  key=text     by the type of that argument; as text for string or nothing
  key:=json    JSON as it is
  key=@file    the file's text; @- is standard input
  key:=@file   the file's JSON
  a.b[0]=text  a place inside an argument
  {…}          all arguments as one JSON object

parley call NAME --help -- TARGET tells what the tool takes. Arguments that its
schema refuses are not sent (exit 2), unless --force. A result with isError is
printed on standard output and exits 5. Images, audio and blobs are a line each;
--save FILE keeps them.

  parley call get_weather city=Paris -- node server.js
  parley call search 'filter:={"tags":["a","b"]}' text=@query.txt -s notes
  parley call chart --save chart.png -- node server.js
  parley call add a=1 b=2 --jq .structuredContent.sum -- node server.js`,
		verb: "call", offers: a.completeCall, check: func(words []string) error { return script.CheckArgs(words[1:]) },
	})
	a.helpOf(c, a.toolHelp)
	return c
}

func (a *app) readCommand() *cobra.Command {
	return a.operationCommand(operation{
		use: "read URI -- TARGET", least: 1, most: 1, short: "read a resource",
		long: `Read a resource and print its contents. Binary contents go to a file or a pipe,
never to a terminal. --save keeps the exact bytes; several contents are saved as
name-1.ext, name-2.ext …

  parley read file:///etc/hosts -- node server.js
  parley read demo://logo.png --save logo.png -- parley demo --stdio`,
		verb: "read", offers: a.completeRead,
	})
}

func (a *app) getCommand() *cobra.Command {
	c := a.operationCommand(operation{
		use: "get PROMPT [key=text …] -- TARGET", least: 1, most: -1, short: "get a prompt",
		long: `Get a prompt and print its messages. Arguments are texts; parley get PROMPT
--help -- TARGET tells them.

  parley get code_review code=@main.go -- node server.js`,
		verb: "get", offers: a.completeGet, check: func(words []string) error { return script.CheckArgs(words[1:]) },
	})
	a.helpOf(c, a.promptHelp)
	return c
}

func (a *app) completeCommand() *cobra.Command {
	return a.operationCommand(operation{
		use: "complete REF ARG [VALUE [key=text …]] -- TARGET", least: 2, most: -1, short: "ask what completes an argument",
		long: `Ask the server what the value of an argument can be completed to, and print a
line for each. REF is a prompt's name or a resource template; VALUE is what was
typed so far; key=text words say what other arguments have already.

  parley complete code_review language py -- node server.js
  parley complete 'repo://{owner}/{name}' name par owner=me -- node server.js`,
		verb: "complete", offers: a.completeComplete, check: func(words []string) error { return script.CheckArgs(words[min(3, len(words)):]) },
	})
}

func (a *app) requestCommand() *cobra.Command {
	return a.operationCommand(operation{
		use: "request METHOD [{json params}] -- TARGET", least: 1, most: 2, short: "send any request",
		long: `Send a request of any method, known or not, and print its result.

  parley request tools/list '{"cursor":"2"}' -- node server.js
  parley request resources/subscribe '{"uri":"file:///a"}' --offline`,
		verb: "request", offers: completeRequest, check: checkParams,
	})
}

// checkParams looks at the second word of request, if there is one.
func checkParams(words []string) error {
	if len(words) < 2 {
		return nil
	}
	if _, err := rawjson.CompactLoose(nil, []byte(words[1])); err != nil {
		return usage("params are a JSON object, in quotes for the shell", "params %s: %v", words[1], err)
	}
	return nil
}

// saves are the verbs whose results --save keeps.
var saves = map[string]bool{"call": true, "read": true, "get": true}

// operationFlags are the flags of one operation; those of own go to its step.
func (a *app) operationFlags(c *cobra.Command, verb string, offline *bool, own *stepFlags) {
	own.of(c, verb)
	if saves[verb] {
		c.Flags().StringVarP(&a.save, "save", "o", "", "write images, audio and resources to a `FILE`, several to numbered ones; - is standard output")
		c.Flags().StringVar(&a.save, "output", "", "")
		_ = c.Flags().MarkHidden("output")
		_ = c.MarkFlagFilename("save")
	}
	c.Flags().BoolVar(offline, "offline", false, "print the request that would be sent, and do not send it")
}

// checkSave refuses a file that would be written over, before anything is started.
func (a *app) checkSave(c *cobra.Command) error {
	for _, name := range []string{"save", "output"} {
		if c.Flags().Changed(name) && a.save == "" {
			return usage("--save FILE", "--%s wants the name of a file", name)
		}
	}
	switch {
	case a.save == "":
		return nil
	case c.Flags().Changed("offline"):
		return usage("leave one of them away", "with --offline there is no result for --save")
	case a.save == os.DevNull || a.save == toStdout:
		return checkOutput(a.save, a.jq, a.json)
	}
	return a.mayWrite(a.save)
}
