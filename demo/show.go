package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"time"

	"parley/client/mcp"
)

// The tools of this file are there to show what a client can do.

func slow(ctx context.Context, c *toolCall) (*toolResult, error) {
	seconds, steps := c.number("seconds"), c.integer("steps")
	step := time.Duration(seconds / float64(steps) * float64(time.Second))
	timer := time.NewTimer(step)
	defer timer.Stop()
	for i := 1; i <= steps; i++ {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("cancelled at step %d of %d: %w", i, steps, ctx.Err())
		case <-timer.C:
			timer.Reset(step)
		}
		said := fmt.Sprintf("step %d of %d", i, steps)
		if token := c.meta["progressToken"]; isID(token) {
			c.notify("notifications/progress", struct {
				Token    json.RawMessage `json:"progressToken"`
				Message  string          `json:"message"`
				Progress int             `json:"progress"`
				Total    int             `json:"total"`
			}{token, said, i, steps})
		}
		c.log("info", c.name, said)
	}
	return text(fmt.Sprintf("finished step %d of %d after %g s", steps, steps, seconds)), nil
}

func echo(_ context.Context, c *toolCall) (*toolResult, error) {
	return text(c.text("text")), nil
}

func fail(_ context.Context, c *toolCall) (*toolResult, error) {
	return failed("%s", c.text("message")), nil
}

// large returns lines of 64 bytes, the line end included, that say where they
// are.
func large(_ context.Context, c *toolCall) (*toolResult, error) {
	lines := c.integer("kilobytes") * 1024 / 64
	var out strings.Builder
	out.Grow(lines * 64)
	const filler = " the quick brown fox jumps over the lazy dog 0123456789\n"
	for i := range lines {
		fmt.Fprintf(&out, "%08d", i+1)
		out.WriteString(filler)
	}
	return text(out.String()), nil
}

// crash ends the server during the call: the client sees the process go.
func crash(ctx context.Context, c *toolCall) (*toolResult, error) {
	e := &Exit{Code: c.integer("code"), Signal: c.text("signal")}
	fmt.Fprintf(c.world.stderr, "fatal: %s\n    at crash (demo tool, called by the client)\n", e)
	c.end(e)
	<-ctx.Done() // which has ended with the server
	return nil, ctx.Err()
}

func toggleTool(_ context.Context, c *toolCall) (*toolResult, error) {
	w := c.world
	w.mu.Lock()
	there := len(w.tools) > len(w.catalogue.Tools)
	w.tools = w.catalogue.Tools
	if !there { // a new list: the old one may be on its way to the client
		w.tools = append(slices.Clone(w.catalogue.Tools), w.Toggled)
	}
	w.mu.Unlock()
	c.changed("notifications/tools/list_changed", "",
		func(s *session) bool { return s.version != "" },
		func(f mcp.Filter) bool { return f.Tools })
	said := "added"
	if there {
		said = "removed"
	}
	return text(said + " the tool " + stringIn(w.Toggled, "name")), nil
}

func surprise(context.Context, *toolCall) (*toolResult, error) {
	return text("🎉"), nil
}

var tripQuestions = json.RawMessage(`{"type":"object","properties":{"date":{"type":"string","title":"date","format":"date"},"class":{"type":"string","title":"class","enum":["economy","business","first"],"default":"economy"}},"required":["date"]}`)

// lacks is what a call comes to that needs something that the client did not
// declare. Without a handshake the protocol has an error for that.
func (c *toolCall) lacks(capability, consequence string) (*toolResult, error) {
	said := "the client did not declare " + capability + consequence
	if !c.modern {
		return failed("%s", said), nil
	}
	return nil, &rpcError{Code: mcp.CodeMissingCapability, Message: said,
		Data: json.RawMessage(`{"requiredCapabilities":{"` + capability + `":{}}}`)}
}

func askUser(ctx context.Context, c *toolCall) (*toolResult, error) {
	if !c.session.declares("elicitation") {
		return c.lacks("elicitation", ", so nobody can be asked")
	}
	var got struct {
		Action  string
		Content json.RawMessage
	}
	err := c.ask(ctx, &got, "elicitation/create", struct {
		Mode    string          `json:"mode"`
		Message string          `json:"message"`
		Schema  json.RawMessage `json:"requestedSchema"`
	}{"form", c.text("message"), tripQuestions})
	if err != nil {
		return nil, err
	}
	if got.Action != "accept" {
		return text("the answer was " + got.Action), nil
	}
	fields, wrong := readArguments(tripQuestions, got.Content)
	if wrong != "" {
		return failed("the answer does not fit the questions: %s", wrong), nil
	}
	return text("the answer was accept: " + string(plainJSON(fields.named))), nil
}

func sampleModel(ctx context.Context, c *toolCall) (*toolResult, error) {
	if !c.session.declares("sampling") {
		return c.lacks("sampling", ", so no model can be asked")
	}
	var got struct {
		Model   string
		Content json.RawMessage
	}
	type message struct {
		Content content `json:"content"`
		Role    string  `json:"role"`
	}
	err := c.ask(ctx, &got, "sampling/createMessage", struct {
		MaxTokens    int       `json:"maxTokens"`
		Messages     []message `json:"messages"`
		SystemPrompt string    `json:"systemPrompt"`
	}{c.integer("maxTokens"), []message{{textContent(c.text("prompt")), "user"}}, "Answer in one sentence."})
	if err != nil {
		return nil, err
	}
	blocks := []json.RawMessage{got.Content} // one, or since 2025-11-25 several
	if len(got.Content) > 0 && got.Content[0] == '[' {
		_ = json.Unmarshal(got.Content, &blocks) // which it can: it is an array
	}
	r := text("the model " + got.Model + " wrote:")
	for _, b := range blocks {
		if stringIn(b, "type") == "" {
			return nil, errors.New("the answer has content without a type")
		}
		r.Content = append(r.Content, b)
	}
	return r, nil
}

func showRoots(ctx context.Context, c *toolCall) (*toolResult, error) {
	if !c.session.declares("roots") {
		return c.lacks("roots", "")
	}
	var got struct {
		Roots []struct{ URI, Name string }
	}
	if err := c.ask(ctx, &got, "roots/list", struct{}{}); err != nil {
		return nil, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "roots: %d", len(got.Roots))
	for _, r := range got.Roots {
		fmt.Fprintf(&out, "\n%s %s", r.URI, r.Name)
	}
	return text(out.String()), nil
}

// bookTrip returns its arguments byte by byte, so that a form can be checked.
func bookTrip(_ context.Context, c *toolCall) (*toolResult, error) {
	r := text(string(c.raw))
	r.Structured = c.raw
	return r, nil
}

func picture(_ context.Context, c *toolCall) (*toolResult, error) {
	tints := map[string]color.RGBA{"red": {200, 40, 40, 255}, "green": {40, 160, 60, 255}, "blue": {40, 80, 200, 255}}
	raw, err := logo(tints[c.text("color")])
	if err != nil {
		return nil, err
	}
	return &toolResult{Content: []any{content{Type: "image", MIMEType: "image/png", Data: raw}}}, nil
}

// logo draws a speech bubble of 16×16 pixels.
func logo(tint color.RGBA) ([]byte, error) {
	const size = 16
	img := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{color.Transparent, tint})
	for y := range size {
		for x := range size {
			bubble := x > 0 && x < size-1 && y > 1 && y < 11
			tail := y >= 11 && x > 3 && x < 17-y
			if bubble || tail {
				img.SetColorIndex(x, y, 1)
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("drawing the image: %w", err)
	}
	return out.Bytes(), nil
}

func linkResource(context.Context, *toolCall) (*toolResult, error) {
	said := readme
	return &toolResult{Content: []any{
		content{Type: "resource_link", MIMEType: "text/markdown", URI: "demo://readme", Name: "readme", Title: "Read me", Description: "What this server is for"},
		content{Type: "resource", Resource: &resourceContents{URI: "demo://readme", MIMEType: "text/markdown", Text: &said}},
	}}, nil
}
