package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/client/mcp"
)

// tool is what a name in a world file does.
type tool struct {
	run     func(context.Context, *toolCall) (*toolResult, error)
	lengthy bool // lasts: requests after it are answered before it
}

// tools are all tools, by the name that world files give them.
var tools = map[string]tool{
	"get_alerts":     {run: getAlerts},
	"get_forecast":   {run: getForecast},
	"get_weather":    {run: getWeather},
	"weather":        {run: simulatedWeather},
	"calculator":     {run: calculate},
	"text_processor": {run: processText},
	"write_file":     {run: writeFile},
	"read_file":      {run: readFile},

	"echo":        {run: echo},
	"slow":        {run: slow, lengthy: true},
	"fail":        {run: fail},
	"large":       {run: large},
	"crash":       {run: crash},
	"toggle_tool": {run: toggleTool},
	"surprise":    {run: surprise},
	"ask":         {run: askUser, lengthy: true},
	"sample_llm":  {run: sampleModel, lengthy: true},
	"show_roots":  {run: showRoots, lengthy: true},
	"book_trip":   {run: bookTrip},
	"picture":     {run: picture},
	"link":        {run: linkResource},
}

// toolCall is a call whose arguments fit the tool's schema.
type toolCall struct {
	arguments
	*request
	name string
}

// toolResult is the result of a call.
type toolResult struct {
	Content    []any           `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    *bool           `json:"isError,omitempty"`
}

// content is a content block: that of a text, or another one.
type content struct {
	Type        string            `json:"type"`
	Text        *string           `json:"text,omitempty"` // may be empty
	MIMEType    string            `json:"mimeType,omitempty"`
	Data        []byte            `json:"data,omitempty"`
	URI         string            `json:"uri,omitempty"`
	Name        string            `json:"name,omitempty"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Resource    *resourceContents `json:"resource,omitempty"`
}

func callTool(ctx context.Context, r *request) (any, error) {
	name, ok := stringOf(r.params["name"])
	if !ok && r.params["name"] != nil {
		return nil, r.world.invalidParams("name must be a text")
	}
	raw := r.world.tool(name)
	if raw == nil {
		return nil, &rpcError{Code: mcp.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", name)}
	}
	var t struct{ InputSchema json.RawMessage }
	if err := json.Unmarshal(raw, &t); err != nil {
		return nil, fmt.Errorf("tool %s: %w", name, err)
	}
	args, wrong := readArguments(t.InputSchema, r.params["arguments"])
	if wrong != "" {
		return nil, r.world.invalidParams(wrong)
	}
	result, err := tools[name].run(ctx, &toolCall{arguments: args, request: r, name: name})
	if err != nil {
		return nil, err
	}
	if r.world.SaysNoError && result.IsError == nil {
		result.IsError = new(bool)
	}
	return result, nil
}

func text(s string) *toolResult { return &toolResult{Content: []any{textContent(s)}} }

func textContent(s string) content { return content{Type: "text", Text: &s} }

// failed is a call that went wrong in the tool, as opposed to the protocol.
func failed(format string, args ...any) *toolResult {
	r, wrong := text(fmt.Sprintf(format, args...)), true
	r.IsError = &wrong
	return r
}

func calculate(_ context.Context, c *toolCall) (*toolResult, error) {
	a, b := c.number("a"), c.number("b")
	var name string
	var result float64
	switch c.text("operation") {
	case "add":
		name, result = "加法", a+b
	case "subtract":
		name, result = "减法", a-b
	case "multiply":
		name, result = "乘法", a*b
	case "divide":
		if b == 0 {
			return failed("错误: 除数不能为零"), nil
		}
		name, result = "除法", a/b
	}
	return text(fmt.Sprintf("计算结果: %s %s %s = %s", javaDouble(a), name, javaDouble(b), javaDouble(result))), nil
}

// javaDouble spells a number as the tutorial's server does, which is written in
// Java: always with a fraction, and in scientific notation from ten million and
// below a thousandth.
func javaDouble(f float64) string {
	switch abs := math.Abs(f); {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+") + "inity"
	case abs != 0 && (abs < 1e-3 || abs >= 1e7):
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		n, _ := strconv.Atoi(exponent) // digits, from FormatFloat
		return withFraction(mantissa) + "E" + strconv.Itoa(n)
	}
	return withFraction(strconv.FormatFloat(f, 'f', -1, 64))
}

func withFraction(digits string) string {
	if strings.Contains(digits, ".") {
		return digits
	}
	return digits + ".0"
}

func processText(_ context.Context, c *toolCall) (*toolResult, error) {
	in := c.text("text")
	var out string
	switch c.text("action") {
	case "uppercase":
		out = strings.ToUpper(in)
	case "lowercase":
		out = strings.ToLower(in)
	case "reverse":
		runes := []rune(in)
		for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
			runes[i], runes[j] = runes[j], runes[i]
		}
		out = string(runes)
	case "count":
		words := len(strings.FieldsFunc(in, unicode.IsSpace))
		return text(fmt.Sprintf("字符数: %d\n单词数: %d\n行数: %d", utf8.RuneCountInString(in), words, strings.Count(in, "\n")+1)), nil
	}
	return text("处理结果: " + out), nil
}

// The file that every world's memory holds from the start.
const (
	examplePath = "/path/to/file.txt"
	exampleText = "文件内容..."
)

func writeFile(_ context.Context, c *toolCall) (*toolResult, error) {
	w, path, content := c.world, c.text("path"), c.text("content")
	w.mu.Lock()
	w.files[path] = content
	w.mu.Unlock()
	// Whoever subscribed to the file hears of it before the answer.
	uri := memoryScheme + path
	c.changed("notifications/resources/updated", uri,
		func(s *session) bool { return s.uris[uri] },
		func(f mcp.Filter) bool { return slices.Contains(f.URIs, uri) })
	return text(fmt.Sprintf("Successfully wrote %d bytes to %s", len(content), path)), nil
}

func readFile(_ context.Context, c *toolCall) (*toolResult, error) {
	path := c.text("path")
	content, ok := c.world.file(path)
	if !ok {
		return failed("文件不存在: %s", path), nil
	}
	return text(content), nil
}

func (w *world) file(path string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	content, ok := w.files[path]
	return content, ok
}
