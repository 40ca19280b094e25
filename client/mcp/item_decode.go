package mcp

import (
	"encoding/json"
	"fmt"

	"parley/client/rawjson"
)

func decodePage[T any](result []byte, list string, item func([]byte) T) Page[T] {
	var page Page[T]
	r := newReader("result")
	r.object(result, func(key string, raw []byte) {
		switch key {
		case list:
			page.Items = nil // a repeated key: the last one counts
			r.elements(key, raw, func(raw []byte) { page.Items = append(page.Items, item(raw)) })
		case "nextCursor":
			// null is what many servers write for "no more pages"
			if rawjson.KindOf(raw) != rawjson.Null {
				page.Next = r.text(key, raw)
				page.HasNext = rawjson.KindOf(raw) == rawjson.String
			}
		}
	})
	r.require(list)
	page.Problem = r.problem()
	return page
}

func decodeTool(raw []byte) Tool {
	t := Tool{Raw: raw}
	r := newReader("the tool")
	r.object(raw, func(key string, raw []byte) {
		switch key {
		case "name":
			t.Name = r.text(key, raw)
		case "title":
			t.Title = r.text(key, raw)
		case "description":
			t.Description = r.text(key, raw)
		case "inputSchema":
			t.InputSchema = raw
		case "outputSchema":
			t.OutputSchema = raw
		case "annotations":
			t.Annotations = raw
		case "execution":
			r.member(key, raw, func(key string, raw []byte) {
				if key == "execution.taskSupport" {
					t.TaskSupport = r.text(key, raw)
				}
			})
		}
	})
	r.require("name")
	if r.has("name") && t.Name == "" {
		r.say("name is empty")
	}
	r.require("inputSchema")
	if t.InputSchema != nil {
		r.rootSchema("inputSchema", t.InputSchema)
	}
	if t.OutputSchema != nil {
		r.want("outputSchema", t.OutputSchema, rawjson.Object)
	}
	if t.Annotations != nil {
		t.decodeAnnotations(r)
	}
	t.Malformed = r.problem()
	return t
}

func (t *Tool) decodeAnnotations(r *reader) {
	r.member("annotations", t.Annotations, func(key string, raw []byte) {
		switch key {
		case "annotations.title":
			t.AnnotationTitle = r.text(key, raw)
		case "annotations.readOnlyHint":
			t.ReadOnly = r.boolean(key, raw)
		case "annotations.destructiveHint":
			t.Destructive = r.boolean(key, raw)
		case "annotations.idempotentHint":
			t.Idempotent = r.boolean(key, raw)
		case "annotations.openWorldHint":
			t.OpenWorld = r.boolean(key, raw)
		}
	})
}

// rootSchema checks what every version demands of a tool's input schema: an
// object whose type is "object".
func (r *reader) rootSchema(key string, raw []byte) {
	if !r.want(key, raw, rawjson.Object) {
		return
	}
	typ, ok := rawjson.Get(raw, "type")
	if !ok {
		r.say(key + `.type is missing, expected "object"`)
	} else if s, ok := rawjson.Unquote(typ); !ok || s != "object" {
		r.say(fmt.Sprintf(`%s.type is %s, not "object"`, key, clip(typ)))
	}
}

func decodeResource(raw []byte) Resource {
	res := Resource{Raw: raw}
	r := newReader("the resource")
	r.object(raw, func(key string, raw []byte) {
		switch key {
		case "uri":
			res.URI = r.text(key, raw)
		case "name":
			res.Name = r.text(key, raw)
		case "title":
			res.Title = r.text(key, raw)
		case "description":
			res.Description = r.text(key, raw)
		case "mimeType":
			res.MIMEType = r.text(key, raw)
		case "size":
			res.Size = r.whole(key, raw)
		case "annotations":
			res.Annotations = raw
			r.want(key, raw, rawjson.Object)
		}
	})
	r.require("uri")
	r.require("name")
	res.Malformed = r.problem()
	return res
}

func decodeTemplate(raw []byte) Template {
	t := Template{Raw: raw}
	r := newReader("the template")
	r.object(raw, func(key string, raw []byte) {
		switch key {
		case "uriTemplate":
			t.URITemplate = r.text(key, raw)
		case "name":
			t.Name = r.text(key, raw)
		case "title":
			t.Title = r.text(key, raw)
		case "description":
			t.Description = r.text(key, raw)
		case "mimeType":
			t.MIMEType = r.text(key, raw)
		case "annotations":
			t.Annotations = raw
			r.want(key, raw, rawjson.Object)
		}
	})
	r.require("uriTemplate")
	r.require("name")
	t.Malformed = r.problem()
	return t
}

func decodePrompt(raw []byte) Prompt {
	p := Prompt{Raw: raw}
	r := newReader("the prompt")
	r.object(raw, func(key string, raw []byte) {
		switch key {
		case "name":
			p.Name = r.text(key, raw)
		case "title":
			p.Title = r.text(key, raw)
		case "description":
			p.Description = r.text(key, raw)
		case "arguments":
			p.Arguments = nil
			r.elements(key, raw, func(raw []byte) {
				at := fmt.Sprintf("arguments[%d]", len(p.Arguments))
				p.Arguments = append(p.Arguments, decodePromptArgument(r, at, raw))
			})
		}
	})
	r.require("name")
	p.Malformed = r.problem()
	return p
}

func decodePromptArgument(r *reader, at string, raw []byte) PromptArgument {
	a := PromptArgument{Raw: json.RawMessage(raw)}
	named := false
	isObject := r.member(at, raw, func(key string, raw []byte) {
		switch key {
		case at + ".name":
			a.Name, named = r.text(key, raw), true
		case at + ".title":
			a.Title = r.text(key, raw)
		case at + ".description":
			a.Description = r.text(key, raw)
		case at + ".required":
			if b := r.boolean(key, raw); b != nil {
				a.Required = *b
			}
		}
	})
	if isObject && !named {
		r.say(at + ".name is missing")
	}
	return a
}
