package mcp

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"parley/client/rawjson"
)

// Content is one block of content: of a tool result, of a prompt message, or of
// a resource that was read. Embedded resources are flattened: Type is
// "resource", and URI, MIMEType, Text or Data are the resource's.
type Content struct {
	// Type is text, image, audio, resource, resource_link, tool_use,
	// tool_result, or whatever else the server says: show Raw then.
	Type string

	Text, MIMEType, URI, Name, Title, Description string

	Size        *int64          // of a resource_link, when the server said so
	Data        json.RawMessage // the base64 text as a JSON string, quotes included; nil when there is none
	Annotations json.RawMessage
	Raw         json.RawMessage // the whole block, exactly as received
	Problem     string          // what breaks the specification, in words
}

// Known reports whether the type of content is one of the specification's.
func (c Content) Known() bool {
	switch c.Type {
	case "text", "image", "audio", "resource", "resource_link", "tool_use", "tool_result":
		return true
	}
	return false
}

// Blob decodes Data. Base64 of the URL alphabet or without its padding is
// decoded too, but with an error that says so: such data breaks the
// specification. Other errors come without data. Without Data it is nil, nil.
func (c Content) Blob() ([]byte, error) {
	if c.Data == nil {
		return nil, nil
	}
	text, ok := rawjson.Unquote(c.Data)
	if !ok {
		return nil, errors.New("data is not a valid string")
	}
	blob, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		return blob, nil
	}
	bare := strings.TrimRight(text, "=")
	if blob, e := base64.RawStdEncoding.DecodeString(bare); e == nil {
		return blob, errors.New("base64 without the right padding")
	}
	if blob, e := base64.RawURLEncoding.DecodeString(bare); e == nil {
		return blob, errors.New("base64 of the URL alphabet, not the standard one")
	}
	return nil, fmt.Errorf("decoding data: %w", err)
}

// BlobSize is the number of bytes that Data stands for, told by its length
// alone: exact for sound base64 without escapes, close for other data.
func (c Content) BlobSize() int64 {
	n := len(c.Data) - len(`""`)
	if n <= 0 {
		return 0
	}
	padding := n
	for padding > 0 && c.Data[padding] == '=' {
		padding--
	}
	return int64(padding) * 6 / 8
}

// decodeContent reads a block that says its own type.
func decodeContent(raw []byte) Content {
	c := Content{Raw: raw}
	r := newReader("the content")
	var resource []byte
	r.object(raw, func(key string, raw []byte) {
		switch key {
		case "type":
			c.Type = r.text(key, raw)
		case "text":
			c.Text = r.text(key, raw)
		case "data":
			if r.want(key, raw, rawjson.String) {
				c.Data = raw
			}
		case "resource":
			resource = raw
		default:
			c.common(r, key, raw)
		}
	})
	r.require("type")
	switch c.Type {
	case "text":
		r.require("text")
	case "image", "audio":
		r.require("data")
		r.require("mimeType")
	case "resource_link":
		r.require("uri")
		r.require("name")
	case "resource":
		r.require("resource")
		if resource != nil {
			c.embed(r, resource)
		}
	}
	c.Problem = r.problem()
	return c
}

// common reads the members that several types of content have.
func (c *Content) common(r *reader, key string, raw []byte) {
	switch key {
	case "mimeType":
		c.MIMEType = r.text(key, raw)
	case "uri":
		c.URI = r.text(key, raw)
	case "name":
		c.Name = r.text(key, raw)
	case "title":
		c.Title = r.text(key, raw)
	case "description":
		c.Description = r.text(key, raw)
	case "size":
		c.Size = r.whole(key, raw)
	case "annotations":
		c.Annotations = raw
	}
}

// embed takes over what an embedded resource says.
func (c *Content) embed(r *reader, resource []byte) {
	if !r.want("resource", resource, rawjson.Object) {
		return
	}
	inner := decodeContents(resource)
	c.URI, c.MIMEType, c.Text, c.Data = inner.URI, inner.MIMEType, inner.Text, inner.Data
	c.Name, c.Title, c.Description = inner.Name, inner.Title, inner.Description
	if inner.Problem != "" {
		r.say("resource: " + inner.Problem)
	}
}

// decodeContents reads the contents of a resource, which have no type of their
// own; Type becomes "resource".
func decodeContents(raw []byte) Content {
	c := Content{Type: "resource", Raw: raw}
	r := newReader("the contents")
	r.object(raw, func(key string, raw []byte) {
		switch key {
		case "text":
			c.Text = r.text(key, raw)
		case "blob":
			if r.want(key, raw, rawjson.String) {
				c.Data = raw
			}
		default:
			c.common(r, key, raw)
		}
	})
	r.require("uri")
	if r.isObject && !r.has("text") && !r.has("blob") {
		r.say("neither text nor blob")
	}
	c.Problem = r.problem()
	return c
}
