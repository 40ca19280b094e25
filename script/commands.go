package script

import "slices"

// Groups are the groups of the table with their titles, in the order of help.
var Groups = []struct{ Name, Title string }{
	{"list", "What the server has"},
	{"call", "Operations"},
	{"line", "Lines as they are"},
	{"value", "Values and expectations"},
	{"flow", "Flow"},
	{"session", "The connection and the session"},
}

// Commands lists the commands in the order of help.
func Commands() []*Command { return slices.Clone(commands) }

// Topics lists the forms that statements have besides commands, in the order of help.
func Topics() []*Command { return slices.Clone(topics) }

// Lookup finds a command by its name or an alias, or a topic by its name.
func Lookup(name string) (*Command, bool) {
	c, ok := byName[name]
	return c, ok
}

// byName has all names and aliases. It is a function's result, because a row of the
// table is used before the table is.
var byName = func() map[string]*Command {
	m := map[string]*Command{}
	for _, c := range slices.Concat(topics, commands) {
		m[c.Name] = c
		for _, alias := range c.Aliases {
			m[alias] = c
		}
	}
	return m
}()

// typedCommand finds what a word at the beginning of a statement names.
func typedCommand(word string) (*Command, bool) {
	c, ok := byName[word]
	return c, ok && !c.Topic
}

// commandNames are the words that begin a statement.
func commandNames(typed bool) (names []string) {
	for _, c := range commands {
		if typed || !c.Typed {
			names = append(names, c.Name)
		}
	}
	return names
}

// The flags that several commands have.
var (
	flagForce   = Flag{"--force", "", AnyWord, "send it although the schema or the server's capabilities say no"}
	flagOffline = Flag{"--offline", "", AnyWord, "print the exact request, send nothing"}
	flagSave    = Flag{"--save", "FILE", FileName, "write the result's text, blob or image to a file"}
	flagJQ      = Flag{"--jq", "EXPR", AnyWord, "print what a jq expression gives of the result"}
	flagJSON    = Flag{"--json", "", AnyWord, "print the result's bytes as they came"}
	flagPage    = Flag{"--page", "CURSOR", AnyWord, "one page: of this cursor, or the first for an empty one"}
	flagFresh   = Flag{"--fresh", "", AnyWord, "ask the server, though an answer of before still counts"}
	flagTask    = Flag{"--task", "", AnyWord, "run it as a task, and wait for that"}
	flagTTL     = Flag{"--ttl", "TIME", DurationWord, "how long the server is to keep the task; with --task"}
)

func list(name, short, example string, flags ...Flag) *Command {
	return &Command{Name: name, Forms: []string{name}, Short: short, Example: example, Group: "list",
		Flags: flags, Online: true, Value: true}
}

// commands is the statement table.
var commands = []*Command{
	list("tools", "list the tools", "tools --jq '.tools[].name'", flagJSON, flagJQ, flagPage, flagFresh),
	list("resources", "list the resources", "resources", flagJSON, flagJQ, flagPage, flagFresh),
	list("templates", "list the resource templates", "templates", flagJSON, flagJQ, flagPage, flagFresh),
	list("prompts", "list the prompts", "prompts", flagJSON, flagJQ, flagPage, flagFresh),
	list("info", "show who the server is and what it declared", "info", flagJSON, flagJQ),
	list("ping", "ask for a sign of life", "ping", flagJSON),
	{Name: "schema", Forms: []string{"schema TOOL"}, Short: "show the arguments that a tool takes", Group: "list",
		Example: "schema echo", Words: []Slot{{Name: "TOOL", Kind: ToolName}}, Flags: []Flag{flagJSON}, Online: true, Value: true},

	{Name: "call", Forms: []string{"call NAME key=text key:=json …", "call NAME {json}", "call NAME $x"},
		Short: "call a tool", Group: "call", Example: "call add a=2 b=3",
		Words: []Slot{{Name: "NAME", Kind: ToolName}, {Name: "key=value", Kind: ArgumentWord, Optional: true, Repeats: true}},
		Flags: []Flag{flagForce, flagOffline, flagSave, flagJQ, flagJSON, flagTask, flagTTL}, Online: true, Value: true},
	{Name: "read", Forms: []string{"read URI"}, Short: "read a resource", Group: "call", Example: "read demo://status",
		Words: []Slot{{Name: "URI", Kind: ResourceURI}},
		Flags: []Flag{flagForce, flagOffline, flagSave, flagJQ, flagJSON, flagFresh}, Online: true, Value: true},
	{Name: "get", Forms: []string{"get PROMPT key=text …"}, Short: "get a prompt", Group: "call", Example: "get greet name=Ada",
		Words: []Slot{{Name: "PROMPT", Kind: PromptName}, {Name: "key=text", Kind: ArgumentWord, Optional: true, Repeats: true}},
		Flags: []Flag{flagForce, flagOffline, flagSave, flagJQ, flagJSON}, Online: true, Value: true},
	{Name: "complete", Forms: []string{"complete REF ARG [VALUE [key=text …]]"}, Group: "call", Example: "complete greet name A",
		Short: "ask what completes an argument of a prompt or of a resource template",
		Words: []Slot{{Name: "REF", Kind: Reference}, {Name: "ARG", Kind: ArgumentName}, {Name: "VALUE", Optional: true},
			{Name: "key=text", Kind: ArgumentWord, Optional: true, Repeats: true}},
		Flags: []Flag{flagForce, flagOffline, flagJQ, flagJSON}, Online: true, Value: true},
	{Name: "request", Forms: []string{"request METHOD [{json params}]"}, Short: "send any request", Group: "call",
		Example: `request tools/call {"name": "echo", "arguments": {"text": "hi"}}`,
		Words:   []Slot{{Name: "METHOD", Kind: MethodName}, {Name: "{params}", Kind: JSONWord, Optional: true}},
		Flags:   []Flag{flagForce, flagOffline, flagJQ, flagJSON}, Online: true, Value: true},
	{Name: "notify", Forms: []string{"notify METHOD [{json params}]"}, Short: "send any notification", Group: "call",
		Example: "notify notifications/roots/list_changed",
		Words:   []Slot{{Name: "METHOD", Kind: MethodName}, {Name: "{params}", Kind: JSONWord, Optional: true}},
		Flags:   []Flag{flagForce, flagOffline}, Online: true},
	{Name: "subscribe", Forms: []string{"subscribe URI…"}, Short: "be told when resources change", Group: "call",
		Example: "subscribe demo://status", Words: []Slot{{Name: "URI", Kind: ResourceURI, Repeats: true}}, Online: true},
	{Name: "unsubscribe", Forms: []string{"unsubscribe URI…"}, Short: "be told no more", Group: "call",
		Example: "unsubscribe demo://status", Words: []Slot{{Name: "URI", Kind: SubscribedURI, Repeats: true}}, Online: true},
	{Name: "listen", Forms: []string{"listen [tools] [prompts] [resources] [URI…]"}, Group: "call", Example: "listen tools demo://status",
		Short: "be told of changed lists and resources, and show what was granted (2026-07-28)",
		Words: []Slot{{Name: "URI", Kind: ListenWord, Optional: true, Repeats: true}}, Flags: []Flag{flagJSON}, Online: true, Value: true},

	{Name: "raw", Forms: []string{"raw ANY BYTES", "{…", "[…"}, Short: "send the rest of the line, whatever it is", Group: "line",
		Example: `{"jsonrpc":"2.0","id":"one","method":"ping"}`, Words: []Slot{{Name: "BYTES", Kind: RestOfLine, Optional: true}}, Online: true, Value: true},

	{Name: "let", Forms: []string{"let x = STEP", "let x = $y.path", "let x := json"}, Group: "value", Example: "let sum = call add a=2 b=3",
		Short: "keep what a step, an expression or JSON gives in a variable",
		Words: []Slot{{Name: "x", Kind: AnyWord}, {Name: "=", Kind: AnyWord}, {Name: "STEP", Kind: StatementText}}},
	{Name: "expect", Forms: []string{"expect [not] VALUE", "expect [not] VALUE [count] OP VALUE"}, Group: "value",
		Short:   "fail unless it is so: == != < <= > >= contains matches startsWith endsWith exists isEmpty",
		Example: "expect $sum.content[0].text == '5'",
		Words:   []Slot{{Name: "VALUE", Kind: ExpressionWord}}},

	{Name: "for", Forms: []string{"for x in $list : STEP"}, Short: "do a step for each element of a list", Group: "flow",
		Example: "for t in $list.tools : echo $t.name",
		Words:   []Slot{{Name: "x", Kind: AnyWord}, {Name: "in", Kind: AnyWord}, {Name: "$list", Kind: ExpressionWord}}},
	{Name: "wait", Forms: []string{"wait METHOD [DURATION]"}, Group: "flow", Example: "wait notifications/progress 5s",
		Short: "wait for a message of the server, counted from the start of the step before",
		Words: []Slot{{Name: "METHOD", Kind: MethodName}, {Name: "DURATION", Kind: DurationWord, Optional: true}}, Online: true, Value: true},
	{Name: "sleep", Forms: []string{"sleep DURATION"}, Short: "do nothing for a while", Group: "flow", Example: "sleep 200ms",
		Words: []Slot{{Name: "DURATION", Kind: DurationWord}}},
	{Name: "include", Forms: []string{"include FILE"}, Short: "do the steps of another file", Group: "flow", Example: "include login.mcp",
		Words: []Slot{{Name: "FILE", Kind: FileName}}},
	{Name: "echo", Forms: []string{"echo TEXT"}, Short: "print a text", Group: "flow", Example: "echo the sum is $sum.content[0].text",
		Words: []Slot{{Name: "TEXT", Kind: RestOfLine, Optional: true}}},

	{Name: "set", Forms: []string{"set NAME VALUE"}, Short: "change a setting", Group: "session", Example: "set timeout 20s",
		Words: []Slot{{Name: "NAME", Kind: SettingName}, {Name: "VALUE", Kind: SettingValue}}},
	{Name: "connect", Forms: []string{"connect [TARGET]"}, Short: "connect, to another target if one is named", Group: "session",
		Example: "connect node server.js", Words: []Slot{{Name: "TARGET", Kind: TargetWord, Optional: true, Repeats: true}}},
	{Name: "disconnect", Forms: []string{"disconnect"}, Short: "end the connection", Group: "session", Example: "disconnect"},
	{Name: "restart", Forms: []string{"restart"}, Short: "end the connection and begin it anew", Group: "session", Example: "restart"},
	{Name: "help", Forms: []string{"help [COMMAND]"}, Short: "show this, or more about a command", Group: "session", Example: "help call",
		Words: []Slot{{Name: "COMMAND", Kind: CommandName, Optional: true}}, Typed: true},
	{Name: "exit", Aliases: []string{"quit"}, Forms: []string{"exit"}, Short: "end the session", Group: "session", Example: "exit", Typed: true},
}

// valueCommand is the row of $x.path as a statement of its own, and of let x := json.
var valueCommand = &Command{Name: "value", Forms: []string{"$x.path", "$x | jq"}, Short: "print a value; paths are jq expressions",
	Group: "value", Example: "$sum.content[0].text", Words: []Slot{{Name: "$x.path", Kind: ExpressionWord}}, Value: true, Topic: true}

// topics are forms of statements that have no word of their own.
var topics = []*Command{
	valueCommand,
	{Name: "arguments", Forms: []string{"key=text", "key:=json", "key=@file", "key:=@file", "key=$x.path", "a.b[0]=text", "a[]=text", "{json}"},
		Short: "how the arguments of a call are written", Group: "call", Example: "call add a=2 b:=3.0", Topic: true},
	{Name: "quoting", Forms: []string{"'text'", `"text\n${x.path}"`, "$x.path", "${x.path}", "# comment"},
		Short: "how words, values in them and comments are written", Group: "value", Example: `echo "the sum is ${sum.content[0].text}" # a comment`, Topic: true},
	{Name: "!", Forms: []string{"! STEP", "! STEP ~ /regex/"}, Short: "expect that a step fails, and with what error", Group: "flow",
		Example: "! call add a=two ~ /number/", Topic: true},
	{Name: "-", Forms: []string{"- STEP"}, Short: "pass over the failure of a step", Group: "flow", Example: "- call forget", Topic: true},
}
