package script

// Command is a row of the statement table: the single source of the parser, of
// help, of completion and of docs/command-language.md.
type Command struct {
	Name    string   // "call"
	Aliases []string // "quit" of "exit"
	Forms   []string // "call NAME key=text key:=json …", as help shows them
	Short   string   // one line
	Long    string   // more sentences, each of which a test in testdata/language holds
	Example string
	Words   []Slot // what its words are, in order; the last may repeat
	Flags   []Flag // its own flags
	Group   string // "list", "call", "line", "value", "flow", "session"
	Online  bool   // it needs a connection, and opens one
	Typed   bool   // only where somebody types: help, exit
	Value   bool   // it has a value, which let takes
	// Topic says that it is no command but a form that statements have, and that its
	// name is not typed: "value" ($x.path), "!" and others.
	Topic bool
}

// Slot is a place for a word. Kind says what completes it.
type Slot struct {
	Name     string // as in Forms: "NAME"
	Kind     SlotKind
	Optional bool
	Repeats  bool
}

// SlotKind is what a word of a statement names.
type SlotKind uint8

// The kinds of words.
const (
	AnyWord      SlotKind = iota
	ToolName              // of call and schema
	ArgumentWord          // key=value, by the tool or prompt named before it
	ResourceURI
	SubscribedURI // a resource that was subscribed to
	ListenWord    // tools, prompts, resources or a resource's URI
	PromptName
	Reference // a prompt's name or a resource template
	ArgumentName
	MethodName
	JSONWord
	SettingName
	SettingValue
	VariableName
	ExpressionWord
	TargetWord // a configured name or a word of a command
	FileName
	DurationWord
	CommandName // of help
	StatementText
	RestOfLine
)

// Flag is a flag of a statement. It stands anywhere after the verb, unquoted.
type Flag struct {
	Name  string // "--force"
	Value string // what it takes, "FILE"; empty for none
	Kind  SlotKind
	Short string
}
