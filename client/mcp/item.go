package mcp

import "encoding/json"

// Page is one page of a list, as decoded from the result of a list request.
type Page[T any] struct {
	Items   []T    // in the order received, malformed ones in their place
	Next    string // the cursor of the next page; may be empty though HasNext is set
	HasNext bool
	Problem string // what is wrong with the page as a whole, in words
}

// Tool is an item of tools/list. What could not be read is left zero.
type Tool struct {
	Name, Title, Description string

	InputSchema  json.RawMessage // nil when absent; otherwise as sent, even null
	OutputSchema json.RawMessage
	Annotations  json.RawMessage

	// The hints of the annotations, nil when absent. They are the server's
	// own words and not to be trusted. The specification's defaults are: not
	// read-only, destructive, not idempotent, open to the world.
	ReadOnly, Destructive, Idempotent, OpenWorld *bool

	AnnotationTitle string // annotations.title
	TaskSupport     string // execution.taskSupport: forbidden, optional, required

	Raw       json.RawMessage // the whole item, exactly as received
	Malformed string          // what breaks the specification, in words; empty for a sound item
}

// Label is the name for people: title, annotations.title or name.
func (t Tool) Label() string { return firstOf(t.Title, t.AnnotationTitle, t.Name) }

// Resource is an item of resources/list.
type Resource struct {
	URI, Name, Title, Description, MIMEType string

	Size        *int64 // bytes, when the server said so
	Annotations json.RawMessage
	Raw         json.RawMessage
	Malformed   string
}

// Label is the name for people: title, name or URI.
func (r Resource) Label() string { return firstOf(r.Title, r.Name, r.URI) }

// Template is an item of resources/templates/list.
type Template struct {
	URITemplate, Name, Title, Description, MIMEType string

	Annotations json.RawMessage
	Raw         json.RawMessage
	Malformed   string
}

// Label is the name for people: title, name or URI template.
func (t Template) Label() string { return firstOf(t.Title, t.Name, t.URITemplate) }

// Prompt is an item of prompts/list.
type Prompt struct {
	Name, Title, Description string

	Arguments []PromptArgument
	Raw       json.RawMessage
	Malformed string
}

// Label is the name for people: title or name.
func (p Prompt) Label() string { return firstOf(p.Title, p.Name) }

// PromptArgument is an argument of a prompt; its value is always a string.
type PromptArgument struct {
	Name, Title, Description string

	Required bool
	Raw      json.RawMessage
}

// Label is the name for people: title or name.
func (a PromptArgument) Label() string { return firstOf(a.Title, a.Name) }

// DecodeTools reads the result of tools/list.
func DecodeTools(result []byte) Page[Tool] { return decodePage(result, "tools", decodeTool) }

// DecodeResources reads the result of resources/list.
func DecodeResources(result []byte) Page[Resource] {
	return decodePage(result, "resources", decodeResource)
}

// DecodeTemplates reads the result of resources/templates/list.
func DecodeTemplates(result []byte) Page[Template] {
	return decodePage(result, "resourceTemplates", decodeTemplate)
}

// DecodePrompts reads the result of prompts/list.
func DecodePrompts(result []byte) Page[Prompt] { return decodePage(result, "prompts", decodePrompt) }

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
