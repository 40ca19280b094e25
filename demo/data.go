package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"image/color"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	weatherScheme = "weather://"
	memoryScheme  = "memory://"
	pageScheme    = "demo://page/"

	systemInfo = "操作系统: demo-os 1.0\n主机名: parley-demo\n处理器: 4 核\n内存: 8 GB"
	readme     = "# parley demo\n\nA server to try a client on. Nothing here touches the machine or the network.\n\n- `slow` reports progress, `fail` fails, `crash` ends the process\n- `ask`, `sample_llm` and `show_roots` ask the client\n- `toggle_tool` changes the list of tools\n- `write_file` writes what `memory://` resources show\n"
)

// numberedPages are enough resources for a list of several pages.
func numberedPages() []json.RawMessage {
	pages := make([]json.RawMessage, 25)
	for i := range pages {
		pages[i] = plainJSON(struct {
			URI      string `json:"uri"`
			Name     string `json:"name"`
			MIMEType string `json:"mimeType"`
		}{fmt.Sprintf("%s%02d", pageScheme, i+1), fmt.Sprintf("page %02d", i+1), "text/plain"})
	}
	return pages
}

// readResource answers resources/read for resources and templates alike.
func (w *world) readResource(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	c := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: "text/plain"}
	uri := unescapeURI(req.Params.URI)
	switch {
	case uri == "useful://system-info":
		c.Text = systemInfo
	case uri == "useful://date-time":
		now := w.now()
		c.Text = fmt.Sprintf("日期: %s\n时间: %s\n星期: 星期%s", now.Format("2006-01-02"), now.Format("15:04:05"), []string{"日", "一", "二", "三", "四", "五", "六"}[now.Weekday()])
	case uri == "file://"+examplePath:
		c.Text = "资源内容..."
	case uri == "demo://readme":
		c.MIMEType, c.Text = "text/markdown", readme
	case uri == "demo://logo.png":
		raw, err := logo(color.RGBA{40, 80, 200, 255})
		if err != nil {
			return nil, err
		}
		c.MIMEType, c.Blob = "image/png", raw
	case strings.HasPrefix(uri, pageScheme):
		c.Text = "This is page " + strings.TrimPrefix(uri, pageScheme) + " of 25.\n"
	case strings.HasPrefix(uri, weatherScheme):
		c.MIMEType, c.Text = "application/json", string(plainJSON(reportOf(strings.TrimPrefix(uri, weatherScheme))))
	case strings.HasPrefix(uri, memoryScheme):
		content, ok := w.file(strings.TrimPrefix(uri, memoryScheme))
		if !ok {
			return nil, mcp.ResourceNotFoundError(uri)
		}
		c.Text = content
	default:
		return nil, mcp.ResourceNotFoundError(uri)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
}

// promptHandler fills in a prompt, after a look at its required arguments.
func (w *world) promptHandler(p *mcp.Prompt) mcp.PromptHandler {
	return func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		args := req.Params.Arguments
		for _, a := range p.Arguments {
			if _, ok := args[a.Name]; a.Required && !ok {
				return nil, w.invalidParams("参数 " + a.Name + " 是必需的")
			}
		}
		r := &mcp.GetPromptResult{Description: p.Description}
		say := func(role mcp.Role, words string) {
			r.Messages = append(r.Messages, &mcp.PromptMessage{Role: role, Content: &mcp.TextContent{Text: words}})
		}
		switch p.Name {
		case "code_review":
			say("user", "请审查以下代码：\n"+args["code"])
		case "plan_trip":
			days := args["days"]
			if days == "" {
				days = "2"
			}
			weather := reportOf(args["city"])
			say("user", fmt.Sprintf("Plan %s days in %s for me.", days, weather.City))
			say("assistant", fmt.Sprintf("The weather there is %s at %d°C. What do you like to see?", weather.Weather, weather.Temperature))
			say("user", "Old streets and good food.")
		}
		return r, nil
	}
}

// complete offers cities wherever a city is asked for, and days in numbers.
func (w *world) complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var offers []string
	switch ref, arg := req.Params.Ref, req.Params.Argument; {
	case arg.Name == "city" && (ref.Name == "plan_trip" || ref.URI == weatherScheme+"{city}"):
		offers = cities
	case arg.Name == "days" && ref.Name == "plan_trip":
		offers = []string{"1", "2", "3", "5", "7"}
	}
	values := []string{} // not nil: the list must be there
	for _, o := range offers {
		if strings.HasPrefix(strings.ToLower(o), strings.ToLower(req.Params.Argument.Value)) {
			values = append(values, o)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}
