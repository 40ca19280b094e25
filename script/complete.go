package script

import "parley/client/mcp"

// Source is what completion knows of the world. Everything may be nil.
type Source interface {
	Tools() []mcp.Tool
	Resources() []mcp.Resource
	Templates() []mcp.Template
	Prompts() []mcp.Prompt
	Servers() []string   // configured names
	Variables() []string // without $
}

// Completion is one thing that could stand there.
type Completion struct {
	Text  string // what to put there
	Label string // what to show for it
	Info  string // more, in a few words: "string, required"
}

// Complete gives what could stand at a byte offset of a typed line, best first:
// Text goes in the place of line[from:to]. src may be nil.
func Complete(line string, at int, src Source) (from, to int, list []Completion) {
	return at, at, nil
}
