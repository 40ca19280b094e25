package mcp

import (
	"strings"
	"testing"

	"parley/client/rawjson"
)

// resultOf takes the result out of a message.
func resultOf(t testing.TB, file string, message []byte) []byte {
	t.Helper()
	result, ok := rawjson.Get(message, "result")
	if !ok {
		t.Fatalf("%s has no result", file)
	}
	return result
}

func TestDecodeContent(t *testing.T) {
	tests := []struct {
		name, block string
		want        Content // but for the raw parts
		data        string
	}{
		{"text", `{"type":"text","text":"a\nb"}`, Content{Type: "text", Text: "a\nb"}, ""},
		{"empty text", `{"type":"text","text":""}`, Content{Type: "text"}, ""},
		{"image", `{"type":"image","data":"AAEC","mimeType":"image/png","annotations":{"audience":["user"]}}`,
			Content{Type: "image", MIMEType: "image/png"}, `"AAEC"`},
		{"audio", `{"type":"audio","data":"","mimeType":"audio/wav"}`, Content{Type: "audio", MIMEType: "audio/wav"}, `""`},
		{"embedded text", `{"type":"resource","resource":{"uri":"a://b","mimeType":"text/plain","text":"t"}}`,
			Content{Type: "resource", URI: "a://b", MIMEType: "text/plain", Text: "t"}, ""},
		{"embedded blob", `{"type":"resource","resource":{"uri":"a://b","blob":"AA=="}}`, Content{Type: "resource", URI: "a://b"}, `"AA=="`},
		{"link", `{"type":"resource_link","uri":"a://b","name":"n","title":"t","description":"d","mimeType":"m","size":5}`,
			Content{Type: "resource_link", URI: "a://b", Name: "n", Title: "t", Description: "d", MIMEType: "m", Size: ptr[int64](5)}, ""},
		{"unknown", `{"type":"hologram","text":"x","depth":3}`, Content{Type: "hologram", Text: "x"}, ""},
		{"tool use", `{"type":"tool_use","id":"1","name":"n","input":{}}`, Content{Type: "tool_use", Name: "n"}, ""},

		{"no type", `{"text":"x"}`, Content{Text: "x", Problem: "type is missing"}, ""},
		{"no text", `{"type":"text"}`, Content{Type: "text", Problem: "text is missing"}, ""},
		{"text number", `{"type":"text","text":5}`, Content{Type: "text", Problem: "text is a number, not a string"}, ""},
		{"image without all", `{"type":"image"}`, Content{Type: "image", Problem: "data is missing; mimeType is missing"}, ""},
		{"image array", `{"type":"image","data":[0],"mimeType":"m"}`,
			Content{Type: "image", MIMEType: "m", Problem: "data is an array, not a string"}, ""},
		{"no resource", `{"type":"resource"}`, Content{Type: "resource", Problem: "resource is missing"}, ""},
		{"null resource", `{"type":"resource","resource":null}`, Content{Type: "resource", Problem: "resource is null"}, ""},
		{"empty resource", `{"type":"resource","resource":{}}`,
			Content{Type: "resource", Problem: "resource: uri is missing; neither text nor blob"}, ""},
		{"string", `"hello"`, Content{Problem: "the content is a string, not an object"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			call := DecodeCall([]byte(`{"content":[` + test.block + `,{"type":"text","text":"next"}]}`))
			if call.Problem != "" || len(call.Content) != 2 || call.Content[1].Text != "next" {
				t.Fatalf("%+v", call)
			}
			got, want := call.Content[0], test.want
			if string(got.Raw) != test.block || string(got.Data) != test.data {
				t.Errorf("raw %s, data %s", got.Raw, got.Data)
			}
			if got.Problem != want.Problem {
				t.Errorf("problem %q, want %q", got.Problem, want.Problem)
			}
			if got.Type != want.Type || got.Text != want.Text || got.MIMEType != want.MIMEType || got.URI != want.URI ||
				got.Name != want.Name || got.Title != want.Title || got.Description != want.Description || !equal(got.Size, want.Size) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if got.Known() != (test.name != "unknown" && got.Type != "") {
				t.Errorf("known: %v", got.Known())
			}
		})
	}
}

func TestBlob(t *testing.T) {
	tests := []struct {
		name, data string
		want       string
		size       int64
		err        string
	}{
		{"padded", `"aGVsbG8="`, "hello", 5, ""},
		{"twice padded", `"aGk="`, "hi", 2, ""},
		{"empty", `""`, "", 0, ""},
		{"absent", ``, "", 0, ""},
		{"escaped slash", `"\/\/\/\/"`, "\xff\xff\xff", 6, ""},
		{"no padding", `"aGVsbG8"`, "hello", 5, "padding"},
		{"URL alphabet", `"_-__"`, "\xff\xef\xff", 3, "URL alphabet"},
		{"text", `"hello, world"`, "", 9, "illegal base64 data at input byte 5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := Content{}
			if test.data != "" {
				c.Data = []byte(test.data)
			}
			blob, err := c.Blob()
			if string(blob) != test.want {
				t.Errorf("blob %q, want %q", blob, test.want)
			}
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if c.BlobSize() != test.size {
				t.Errorf("size %d, want %d", c.BlobSize(), test.size)
			}
		})
	}
}

func TestDecodeCall(t *testing.T) {
	tests := []struct {
		name, result string
		blocks       int
		structured   string
		isError      bool
		problem      string
	}{
		{"plain", `{"content":[{"type":"text","text":"x"}]}`, 1, "", false, ""},
		{"error", `{"content":[],"isError":true}`, 0, "", true, ""},
		{"structured", `{"content":[],"structuredContent":{"n":9007199254740993}}`, 0, `{"n":9007199254740993}`, false, ""},
		{"structured null", `{"content":[],"structuredContent":null}`, 0, "null", false, ""},
		{"no content", `{}`, 0, "", false, "content is missing"},
		{"content string", `{"content":"x"}`, 0, "", false, "content is a string, not an array"},
		{"error as text", `{"content":[],"isError":"true"}`, 0, "", false, "isError is a string, not a boolean"},
		{"null", `null`, 0, "", false, "result is null"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := DecodeCall([]byte(test.result))
			if len(c.Content) != test.blocks || string(c.Structured) != test.structured || c.IsError != test.isError || c.Problem != test.problem {
				t.Errorf("%+v", c)
			}
			if (c.Structured == nil) != (test.structured == "") {
				t.Errorf("absent and null are not told apart: %v", c.Structured)
			}
		})
	}
}

func TestDecodeRead(t *testing.T) {
	read := DecodeRead([]byte(`{"contents":[{"uri":"a://1","text":""},{"uri":"a://2","blob":"AA==","mimeType":"m"},{"text":"x"},{"uri":"a://4"}]}`))
	problems := []string{"", "", "uri is missing", "neither text nor blob"}
	for i, c := range read.Contents {
		if c.Type != "resource" || c.Problem != problems[i] || (c.Data != nil) != (i == 1) {
			t.Errorf("%d: %+v", i, c)
		}
	}
	if p := DecodeRead([]byte(`{"contents":{}}`)).Problem; p != "contents is an object, not an array" {
		t.Error(p)
	}
}

func TestDecodePrompt(t *testing.T) {
	p := DecodePrompt([]byte(`{"description":"d","messages":[
		{"role":"user","content":{"type":"text","text":"hi"}},
		{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"x"}]},
		{"content":"hello"},
		{"role":"user"}]}`))
	problems := []string{"", "content is an array, not an object", "role is missing", "content is missing"}
	blocks := []int{1, 2, 1, 0}
	for i, m := range p.Messages {
		if m.Problem != problems[i] || len(m.Content) != blocks[i] {
			t.Errorf("%d: %+v", i, m)
		}
	}
	if p.Description != "d" || p.Problem != "" || p.Messages[0].Content[0].Text != "hi" || p.Messages[0].Role != "user" {
		t.Errorf("%+v", p)
	}
	if got := p.Messages[2].Content[0].Problem; got != "the content is a string, not an object" {
		t.Error(got)
	}
}

func TestDecodeComplete(t *testing.T) {
	c := DecodeComplete([]byte(`{"completion":{"values":["a","b",3],"total":10,"hasMore":true}}`))
	if len(c.Values) != 3 || c.Values[1] != "b" || *c.Total != 10 || !c.HasMore || c.Problem != "a value is a number, not a string" {
		t.Errorf("%+v", c)
	}
	if p := DecodeComplete([]byte(`{"completion":{}}`)).Problem; p != "completion.values is missing" {
		t.Error(p)
	}
	if p := DecodeComplete([]byte(`{}`)).Problem; p != "completion is missing" {
		t.Error(p)
	}
}
