package mcp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func ptr[T any](v T) *T { return &v }

func equal[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func TestDecodeTool(t *testing.T) {
	const schema = `"inputSchema":{"type":"object"}`
	tests := []struct {
		name, item string
		want       Tool // but for the raw parts
	}{
		{"least", `{"name":"a",` + schema + `}`, Tool{Name: "a"}},
		{"everything", `{"name":"a","title":"A","description":"d",` + schema + `,"annotations":{"title":"T",
			"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"more":1},
			"execution":{"taskSupport":"optional"},"_meta":{"x":1},"icons":[]}`,
			Tool{Name: "a", Title: "A", Description: "d", AnnotationTitle: "T", TaskSupport: "optional",
				ReadOnly: ptr(true), Destructive: ptr(false), Idempotent: ptr(true), OpenWorld: ptr(false)}},
		{"escapes", `{"name":"\u5929\u6c14","description":"line\nline",` + schema + `}`, Tool{Name: "天气", Description: "line\nline"}},
		{"last key counts", `{"name":"a","name":"b",` + schema + `}`, Tool{Name: "b"}},
		{"no schema", `{"name":"a"}`, Tool{Name: "a", Malformed: "inputSchema is missing"}},
		{"null schema", `{"name":"a","inputSchema":null}`, Tool{Name: "a", Malformed: "inputSchema is null"}},
		{"schema array", `{"name":"a","inputSchema":[]}`, Tool{Name: "a", Malformed: "inputSchema is an array, not an object"}},
		{"schema true", `{"name":"a","inputSchema":true}`, Tool{Name: "a", Malformed: "inputSchema is a boolean, not an object"}},
		{"schema of a string", `{"name":"a","inputSchema":{"type":"string"}}`,
			Tool{Name: "a", Malformed: `inputSchema.type is "string", not "object"`}},
		{"empty schema", `{"name":"a","inputSchema":{}}`, Tool{Name: "a", Malformed: `inputSchema.type is missing, expected "object"`}},
		{"no name", `{` + schema + `}`, Tool{Malformed: "name is missing"}},
		{"empty name", `{"name":"",` + schema + `}`, Tool{Malformed: "name is empty"}},
		{"name number", `{"name":7,` + schema + `}`, Tool{Malformed: "name is a number, not a string; name is empty"}},
		{"several", `{"name":"a","title":null,"annotations":[],"outputSchema":"x"}`, Tool{Name: "a",
			Malformed: "title is null; inputSchema is missing; outputSchema is a string, not an object; annotations is an array, not an object"}},
		{"hint text", `{"name":"a",` + schema + `,"annotations":{"readOnlyHint":"yes","openWorldHint":true}}`,
			Tool{Name: "a", OpenWorld: ptr(true), Malformed: "annotations.readOnlyHint is a string, not a boolean"}},
		{"string", `"a"`, Tool{Malformed: "the tool is a string, not an object"}},
		{"null", `null`, Tool{Malformed: "the tool is null"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			page := DecodeTools([]byte(`{"tools":[` + test.item + `]}`))
			if page.Problem != "" || len(page.Items) != 1 {
				t.Fatalf("%d items, problem %q", len(page.Items), page.Problem)
			}
			got, want := page.Items[0], test.want
			if string(got.Raw) != test.item {
				t.Errorf("raw %s", got.Raw)
			}
			if got.Malformed != want.Malformed {
				t.Errorf("malformed %q, want %q", got.Malformed, want.Malformed)
			}
			if got.Name != want.Name || got.Title != want.Title || got.Description != want.Description ||
				got.AnnotationTitle != want.AnnotationTitle || got.TaskSupport != want.TaskSupport ||
				!equal(got.ReadOnly, want.ReadOnly) || !equal(got.Destructive, want.Destructive) ||
				!equal(got.Idempotent, want.Idempotent) || !equal(got.OpenWorld, want.OpenWorld) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestDecodePages(t *testing.T) {
	const tool = `{"name":"a","inputSchema":{"type":"object"}}`
	tests := []struct {
		name, result string
		items        int
		next         string
		hasNext      bool
		problem      string
	}{
		{"empty", `{"tools":[]}`, 0, "", false, ""},
		{"more", `{"tools":[` + tool + `],"nextCursor":"c2"}`, 1, "c2", true, ""},
		{"empty cursor", `{"nextCursor":"","tools":[` + tool + `]}`, 1, "", true, ""},
		{"null cursor", `{"tools":[],"nextCursor":null}`, 0, "", false, ""},
		{"number cursor", `{"tools":[],"nextCursor":2}`, 0, "", false, "nextCursor is a number, not a string"},
		{"no list", `{"resources":[]}`, 0, "", false, "tools is missing"},
		{"null list", `{"tools":null}`, 0, "", false, "tools is null"},
		{"object for list", `{"tools":{"a":1}}`, 0, "", false, "tools is an object, not an array"},
		{"null", `null`, 0, "", false, "result is null"},
		{"array", `[]`, 0, "", false, "result is an array, not an object"},
		{"nothing", ``, 0, "", false, "result is no JSON, not an object"},
		{"a bad one between", `{"tools":[` + tool + `,5,` + tool + `]}`, 3, "", false, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			page := DecodeTools([]byte(test.result))
			if len(page.Items) != test.items || page.Next != test.next || page.HasNext != test.hasNext || page.Problem != test.problem {
				t.Errorf("got %+v", page)
			}
		})
	}
	cut := DecodeTools([]byte(`{"tools":[` + tool + `,` + tool + `,{"na`))
	if cut.Problem == "" {
		t.Error("nothing is said about a result that is cut")
	}
}

func TestDecodeResourcesAndTemplates(t *testing.T) {
	page := DecodeResources([]byte(`{"resources":[
		{"uri":"file:///a","name":"a","title":"A","mimeType":"text/plain","description":"d","size":1024,"annotations":{"priority":0.1}},
		{"uri":"file:///b","name":"b","size":9007199254740993},
		{"uri":"file:///c","name":"c","size":12.0},
		{"uri":"file:///d","name":"d","size":12.5},
		{"name":"e","size":"12"},
		{"uri":"file:///f"}]}`))
	sizes := []*int64{ptr[int64](1024), ptr[int64](9007199254740993), ptr[int64](12), nil, nil, nil}
	malformed := []string{"", "", "", "size is 12.5, not a whole number in range",
		"size is a string, not a number; uri is missing", "name is missing"}
	labels := []string{"A", "b", "c", "d", "e", "file:///f"}
	for i, r := range page.Items {
		if !equal(r.Size, sizes[i]) || r.Malformed != malformed[i] || r.Label() != labels[i] {
			t.Errorf("%d: %+v", i, r)
		}
	}
	if r := page.Items[0]; r.URI != "file:///a" || r.MIMEType != "text/plain" || r.Description != "d" || string(r.Annotations) != `{"priority":0.1}` {
		t.Errorf("%+v", r)
	}

	templates := DecodeTemplates([]byte(`{"resourceTemplates":[
		{"uriTemplate":"demo://{id}","name":"n","mimeType":"text/plain"},{"uriTemplate":1,"name":"m"}]}`)).Items
	if len(templates) != 2 || templates[0].URITemplate != "demo://{id}" || templates[0].Label() != "n" || templates[0].Malformed != "" ||
		templates[1].Malformed != "uriTemplate is a number, not a string" {
		t.Errorf("%+v", templates)
	}
}

func TestDecodePrompts(t *testing.T) {
	page := DecodePrompts([]byte(`{"prompts":[
		{"name":"p","title":"P","description":"d","arguments":[
			{"name":"x","title":"X","description":"dx","required":true},{"name":"y"},{"required":"yes"},7]},
		{"name":"q","arguments":null},{"arguments":[]}]}`))
	p := page.Items[0]
	if len(p.Arguments) != 4 || !p.Arguments[0].Required || p.Arguments[0].Label() != "X" || p.Arguments[1].Label() != "y" || p.Arguments[1].Required {
		t.Errorf("%+v", p)
	}
	want := []string{
		"arguments[2].required is a string, not a boolean; arguments[2].name is missing; arguments[3] is a number, not an object",
		"arguments is null",
		"name is missing",
	}
	for i, p := range page.Items {
		if p.Malformed != want[i] {
			t.Errorf("%d: malformed %q, want %q", i, p.Malformed, want[i])
		}
	}
}

func TestLabelOfTool(t *testing.T) {
	for want, tool := range map[string]Tool{
		"title": {Name: "name", Title: "title", AnnotationTitle: "hint"},
		"hint":  {Name: "name", AnnotationTitle: "hint"},
		"name":  {Name: "name"},
	} {
		if got := tool.Label(); got != want {
			t.Errorf("label %q, want %q", got, want)
		}
	}
}

// answers returns the results of tools/list in a directory, by file name.
func answers(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	for _, file := range files {
		message, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(file)] = resultOf(t, file, message)
	}
	return found
}

func TestRealAnswers(t *testing.T) {
	real := answers(t, "testdata")
	if len(real) == 0 {
		t.Fatal("no answers in testdata")
	}
	for file, result := range real {
		soundTools(t, file, result)
	}
	more := answers(t, filepath.Join("..", "..", "..", "shared", "zoo", "schemas"))
	if len(more) == 0 {
		t.Skip("the answers of more real servers are not there")
	}
	for file, result := range more {
		soundTools(t, file, result)
	}
}

// soundTools checks that every tool of a real answer is read, and that what is
// said about it can be found again in its bytes.
func soundTools(t *testing.T, file string, result []byte) {
	t.Helper()
	page := DecodeTools(result)
	if page.Problem != "" || len(page.Items) == 0 || page.HasNext {
		t.Errorf("%s: %d tools, problem %q", file, len(page.Items), page.Problem)
	}
	for _, tool := range page.Items {
		if tool.Malformed != "" || tool.Name == "" || tool.Label() == "" {
			t.Errorf("%s: tool %q: %s", file, tool.Name, tool.Malformed)
		}
		if !strings.Contains(string(tool.Raw), string(tool.InputSchema)) || len(tool.InputSchema) == 0 {
			t.Errorf("%s: tool %q: the schema is not the one received", file, tool.Name)
		}
	}
}

func BenchmarkDecodeTools(b *testing.B) {
	for file, result := range answers(b, "testdata") {
		b.Run(file, func(b *testing.B) {
			b.SetBytes(int64(len(result)))
			for b.Loop() {
				DecodeTools(result)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":"x"}`))
	f.Add([]byte(`{"content":[{"type":"resource","resource":{"blob":"AA=="}}],"contents":[{}],"messages":[{"content":[1]}]}`))
	f.Add([]byte(`{"progress":1e999,"level":"x","code":1.0,"data":{"supported":["x"]},"serverInfo":{},"completion":{"values":[1]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		DecodeTools(raw)
		DecodeResources(raw)
		DecodeTemplates(raw)
		DecodePrompts(raw)
		DecodeInitialize(raw).Has("a.b")
		for _, c := range append(DecodeCall(raw).Content, DecodeRead(raw).Contents...) {
			_, _ = c.Blob()
			c.BlobSize()
		}
		DecodePrompt(raw)
		DecodeComplete(raw)
		DecodeProgress(raw)
		DecodeLog(raw).Text()
		DecodeElicit(raw)
		DecodeSampling(raw)
		DecodeError(raw).Hint()
	})
}
