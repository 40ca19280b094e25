package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"image/color"
	"net/url"
	"slices"
	"strings"

	"parley/client/mcp"
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

// resourceContents are those of one resource: Text, or Blob if there is one.
type resourceContents struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType"`
	Text     *string `json:"text,omitempty"` // may be empty
	Blob     []byte  `json:"blob,omitempty"`
}

// readResource answers for resources and templates alike. The URI may have
// letters in it that belong escaped, such as weather://北京; the answer has it
// as asked.
func readResource(_ context.Context, r *request) (any, error) {
	asked, ok := stringOf(r.params["uri"])
	if !ok && r.params["uri"] != nil {
		return nil, r.world.invalidParams("uri must be a text")
	}
	c := resourceContents{URI: asked, MIMEType: "text/plain"}
	uri, said := asked, ""
	if plain, err := url.PathUnescape(asked); err == nil {
		uri = plain
	}
	switch {
	case !r.world.hasResource(asked):
		return nil, noResource(asked)
	case uri == "useful://system-info":
		said = systemInfo
	case uri == "useful://date-time":
		now := r.world.now()
		said = fmt.Sprintf("日期: %s\n时间: %s\n星期: 星期%s", now.Format("2006-01-02"), now.Format("15:04:05"), []string{"日", "一", "二", "三", "四", "五", "六"}[now.Weekday()])
	case uri == "file://"+examplePath:
		said = "资源内容..."
	case uri == "demo://readme":
		c.MIMEType, said = "text/markdown", readme
	case uri == "demo://logo.png":
		raw, err := logo(color.RGBA{40, 80, 200, 255})
		if err != nil {
			return nil, err
		}
		c.MIMEType, c.Blob = "image/png", raw
	case strings.HasPrefix(uri, pageScheme):
		r.lasting()
		said = "This is page " + strings.TrimPrefix(uri, pageScheme) + " of 25.\n"
	case strings.HasPrefix(uri, weatherScheme):
		c.MIMEType, said = "application/json", string(plainJSON(reportOf(strings.TrimPrefix(uri, weatherScheme))))
	case strings.HasPrefix(uri, memoryScheme):
		content, ok := r.world.file(strings.TrimPrefix(uri, memoryScheme))
		if !ok {
			return nil, noResource(asked)
		}
		said = content
	}
	if c.Blob == nil {
		c.Text = &said
	}
	return struct {
		Contents []resourceContents `json:"contents"`
	}{[]resourceContents{c}}, nil
}

// noResource is the error for a resource that is not there, with the code that
// 2026-07-28 gives it.
func noResource(uri string) error {
	return &rpcError{Code: mcp.CodeInvalidParams, Message: "Resource not found", Data: plainJSON(struct {
		URI string `json:"uri"`
	}{uri})}
}

// hasResource reports whether a URI is that of a resource of the world, listed
// or not, or fits a template.
func (w *world) hasResource(uri string) bool {
	for _, raw := range slices.Concat(w.Resources, w.Unlisted.Resources) {
		if stringIn(raw, "uri") == uri {
			return true
		}
	}
	for _, raw := range w.Templates {
		fixed, variable, _ := strings.Cut(stringIn(raw, "uriTemplate"), "{")
		rest, ok := strings.CutPrefix(uri, fixed)
		if ok && (variable[0] == '+' || !strings.ContainsAny(rest, ":/?#[]@!$&'()*+,;=")) {
			return true
		}
	}
	return false
}

// getPrompt fills in a prompt, after a look at its required arguments.
func getPrompt(_ context.Context, r *request) (any, error) {
	var args map[string]string
	if raw := r.params["arguments"]; raw != nil && json.Unmarshal(raw, &args) != nil {
		return nil, r.world.invalidParams("arguments must be an object of texts")
	}
	name, _ := stringOf(r.params["name"])
	i := slices.IndexFunc(r.world.Prompts, func(raw json.RawMessage) bool { return stringIn(raw, "name") == name })
	if i < 0 {
		return nil, &rpcError{Code: mcp.CodeInvalidParams, Message: fmt.Sprintf("unknown prompt %q", name)}
	}
	var p struct {
		Description string
		Arguments   []struct {
			Name     string
			Required bool
		}
	}
	if err := json.Unmarshal(r.world.Prompts[i], &p); err != nil {
		return nil, fmt.Errorf("prompt %s: %w", name, err)
	}
	for _, a := range p.Arguments {
		if _, ok := args[a.Name]; a.Required && !ok {
			return nil, r.world.invalidParams("参数 " + a.Name + " 是必需的")
		}
	}
	type message struct {
		Role    string  `json:"role"`
		Content content `json:"content"`
	}
	var result struct {
		Description string    `json:"description,omitempty"`
		Messages    []message `json:"messages"`
	}
	result.Description = p.Description
	say := func(role, words string) {
		result.Messages = append(result.Messages, message{role, textContent(words)})
	}
	switch name {
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
	return result, nil
}
