package wire

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// bodies are what real traffic looks like, by kind.
func bodies() []struct {
	name string
	raw  []byte
} {
	tool := `{"name":"search_files_%d","title":"Search files","description":"Recursively search for files and directories matching a pattern. Returns full paths.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"where to begin"},"pattern":{"type":"string"},"excludePatterns":{"type":"array","items":{"type":"string"},"default":[]},"limit":{"type":"integer","minimum":0,"maximum":1000}},"required":["path","pattern"],"additionalProperties":false,"$schema":"http://json-schema.org/draft-07/schema#"}}`
	var tools, vectors strings.Builder
	for i := range 2000 {
		if i > 0 {
			tools.WriteByte(',')
			vectors.WriteByte(',')
		}
		fmt.Fprintf(&tools, tool, i)
		for k := range 64 {
			fmt.Fprintf(&vectors, "%s%.6f", []string{"", ","}[min(k, 1)], float64(k*i)/7919-3)
		}
	}
	result := func(s string) []byte {
		return []byte(`{"jsonrpc":"2.0","result":` + s + `,"id":7}`)
	}
	text := func(s string) []byte { return result(`{"content":[{"type":"text","text":"` + s + `"}]}`) }
	list := `{"tools":[` + tools.String() + `]}`
	quoted, _ := json.Marshal(list)
	var indented strings.Builder
	enc := json.NewEncoder(&indented)
	enc.SetIndent("", "  ")
	if err := enc.Encode(json.RawMessage(list)); err != nil {
		panic(err)
	}
	return []struct {
		name string
		raw  []byte
	}{
		{"notification", []byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":17,"progress":42.5,"total":100,"message":"working on part 42 of 100 now"}}`)},
		{"request", []byte(`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"search_files","arguments":{"path":"/tmp","pattern":"*.go"},"_meta":{"progressToken":12}}}`)},
		{"update", []byte(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":12},"uri":"file:///srv/data/table-00042.csv"}}`)},
		{"rounds", []byte(`{"jsonrpc":"2.0","id":12,"result":{"resultType":"input_required","inputRequests":{"name":{"method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"eyJuIjoxfQ=="}}`)},
		{"list", result(list)},
		{"list-indented", result(indented.String())},
		{"json-in-text", text(string(quoted[1 : len(quoted)-1]))},
		{"numbers", result("[" + vectors.String() + "]")},
		{"base64", text(strings.Repeat("aGVsbG8gd29ybGQK", 1<<16))},
		{"japanese", text(strings.Repeat("これは長い文章です。", 1<<15))},
		{"nested", result(strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20))},
	}
}

func BenchmarkScan(b *testing.B) {
	for _, body := range bodies() {
		b.Run(body.name+"/scan", func(b *testing.B) {
			b.SetBytes(int64(len(body.raw)))
			b.ReportAllocs()
			for b.Loop() {
				if h := Scan(body.raw); !h.Form.IsMessage() {
					b.Fatal(h)
				}
			}
		})
		b.Run(body.name+"/json.Valid", func(b *testing.B) {
			b.SetBytes(int64(len(body.raw)))
			for b.Loop() {
				json.Valid(body.raw)
			}
		})
	}
}
