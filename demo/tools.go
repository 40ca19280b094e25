package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is what a name in a world file does.
type tool struct {
	run     func(context.Context, *toolCall) (*mcp.CallToolResult, error)
	lengthy bool // lasts: requests after it are answered before it
}

// tools are all tools, by the name that world files give them.
var tools map[string]tool

func init() { // not an initializer: the tools refer to worlds, which refer to tools
	tools = map[string]tool{
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
}

// toolCall is a call whose arguments fit the tool's schema.
type toolCall struct {
	arguments
	req   *mcp.CallToolRequest
	world *world
}

// addTool registers a tool of a world file with the SDK.
func (w *world) addTool(raw json.RawMessage) error {
	var t mcp.Tool
	if err := json.Unmarshal(raw, &t); err != nil {
		return fmt.Errorf("tool %s: %w", raw, err)
	}
	does, ok := tools[t.Name]
	if !ok {
		return fmt.Errorf("tool %s does nothing", t.Name)
	}
	var schemas struct{ InputSchema, OutputSchema json.RawMessage }
	if err := json.Unmarshal(raw, &schemas); err != nil {
		return fmt.Errorf("tool %s: %w", t.Name, err)
	}
	t.InputSchema = schemas.InputSchema // as the file has it, not as Go maps order it
	if schemas.OutputSchema != nil {
		t.OutputSchema = schemas.OutputSchema
	}
	w.server.AddTool(&t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args, wrong := readArguments(schemas.InputSchema, req.Params.Arguments)
		if wrong != "" {
			return nil, w.invalidParams(wrong)
		}
		return does.run(ctx, &toolCall{arguments: args, req: req, world: w})
	})
	return nil
}

func (w *world) listedTools() []json.RawMessage {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tools
}

func nameOf(raw json.RawMessage) string {
	var t struct{ Name string }
	_ = json.Unmarshal(raw, &t) // a world file
	return t.Name
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// failed is a call that went wrong in the tool, as opposed to the protocol.
func failed(format string, args ...any) *mcp.CallToolResult {
	r := text(fmt.Sprintf(format, args...))
	r.IsError = true
	return r
}

func calculate(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
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

func processText(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
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

func writeFile(ctx context.Context, c *toolCall) (*mcp.CallToolResult, error) {
	w, path, content := c.world, c.text("path"), c.text("content")
	w.mu.Lock()
	w.files[path] = content
	w.mu.Unlock()
	// Whoever subscribed to the file hears of it before the answer.
	if err := w.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: memoryScheme + path}); err != nil {
		return nil, fmt.Errorf("telling subscribers: %w", err)
	}
	return text(fmt.Sprintf("Successfully wrote %d bytes to %s", len(content), path)), nil
}

func readFile(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
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
