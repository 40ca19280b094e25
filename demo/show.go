package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools of this file are there to show what a client can do.

func slow(ctx context.Context, c *toolCall) (*mcp.CallToolResult, error) {
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
		if token := c.req.Params.GetProgressToken(); token != nil {
			err := c.req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(i), Total: float64(steps), Message: said,
			})
			if err != nil {
				return nil, fmt.Errorf("telling progress: %w", err)
			}
		}
		if err := c.log(ctx, "info", said); err != nil {
			return nil, err
		}
	}
	return text(fmt.Sprintf("finished step %d of %d after %g s", steps, steps, seconds)), nil
}

// log sends a log message to the client.
func (c *toolCall) log(ctx context.Context, level mcp.LoggingLevel, said string) error {
	err := c.req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: level, Logger: c.req.Params.Name, Data: said})
	if err != nil {
		return fmt.Errorf("sending a log message: %w", err)
	}
	return nil
}

func echo(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
	return text(c.text("text")), nil
}

func fail(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
	return failed("%s", c.text("message")), nil
}

// large returns lines of 64 bytes, the line end included, that say where they
// are.
func large(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
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
func crash(ctx context.Context, c *toolCall) (*mcp.CallToolResult, error) {
	e := &Exit{Code: c.integer("code"), Signal: c.text("signal")}
	fmt.Fprintf(c.world.stderr, "fatal: %s\n    at crash (demo tool, called by the client)\n", e)
	c.world.conn.end(e)
	<-ctx.Done() // of this session, which ends with the server
	return nil, ctx.Err()
}

func toggleTool(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
	w := c.world
	name := nameOf(w.Toggled)
	w.mu.Lock()
	there := len(w.tools) > len(w.catalogue.Tools)
	w.tools = w.catalogue.Tools
	if !there { // a new list: the old one may be on its way to the client
		w.tools = append(slices.Clone(w.catalogue.Tools), w.Toggled)
	}
	w.mu.Unlock()
	said := "added"
	if there {
		said = "removed"
		w.server.RemoveTools(name)
	} else if err := w.addTool(w.Toggled); err != nil {
		return nil, err
	}
	w.conn.announce("notifications/tools/list_changed")
	return text(said + " the tool " + name), nil
}

func surprise(context.Context, *toolCall) (*mcp.CallToolResult, error) {
	return text("🎉"), nil
}

var tripQuestions = json.RawMessage(`{"type":"object","properties":{"date":{"type":"string","title":"date","format":"date"},"class":{"type":"string","title":"class","enum":["economy","business","first"],"default":"economy"}},"required":["date"]}`)

// The three questions to the client are asked in the way that works with and
// without a handshake: the first round returns what is to be asked, the SDK asks
// (or has the client answer in its next request), the second has the answer.
const theAnswer = "answer"

func asking(what mcp.InputRequest) *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{theAnswer: what}}
}

func askUser(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
	if caps := c.req.ClientCapabilities(); caps == nil || caps.Elicitation == nil {
		return failed("the client did not declare elicitation, so nobody can be asked"), nil
	}
	got, ok := c.req.Params.InputResponses[theAnswer].(*mcp.ElicitResult)
	if !ok {
		return asking(&mcp.ElicitParams{Message: c.text("message"), RequestedSchema: tripQuestions}), nil
	}
	if got.Action != "accept" {
		return text("the answer was " + got.Action), nil
	}
	return text("the answer was accept: " + string(plainJSON(got.Content))), nil
}

func sampleModel(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
	if caps := c.req.ClientCapabilities(); caps == nil || caps.Sampling == nil {
		return failed("the client did not declare sampling, so no model can be asked"), nil
	}
	got, ok := c.req.Params.InputResponses[theAnswer].(*mcp.CreateMessageWithToolsResult)
	if !ok {
		return asking(&mcp.CreateMessageParams{
			MaxTokens:    int64(c.integer("maxTokens")),
			SystemPrompt: "Answer in one sentence.",
			Messages:     []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: c.text("prompt")}}},
		}), nil
	}
	r := text("the model " + got.Model + " wrote:")
	r.Content = append(r.Content, got.Content...)
	return r, nil
}

func showRoots(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
	if caps := c.req.ClientCapabilities(); caps == nil || caps.RootsV2 == nil {
		return failed("the client did not declare roots"), nil
	}
	got, ok := c.req.Params.InputResponses[theAnswer].(*mcp.ListRootsResult)
	if !ok {
		return asking(&mcp.ListRootsParams{}), nil
	}
	var out strings.Builder
	fmt.Fprintf(&out, "roots: %d", len(got.Roots))
	for _, r := range got.Roots {
		fmt.Fprintf(&out, "\n%s %s", r.URI, r.Name)
	}
	return text(out.String()), nil
}

// bookTrip returns its arguments byte by byte, so that a form can be checked.
func bookTrip(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
	r := text(string(c.raw))
	r.StructuredContent = c.raw
	return r, nil
}

func picture(_ context.Context, c *toolCall) (*mcp.CallToolResult, error) {
	tints := map[string]color.RGBA{"red": {200, 40, 40, 255}, "green": {40, 160, 60, 255}, "blue": {40, 80, 200, 255}}
	raw, err := logo(tints[c.text("color")])
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: raw, MIMEType: "image/png"}}}, nil
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

func linkResource(context.Context, *toolCall) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{
		&mcp.ResourceLink{URI: "demo://readme", Name: "readme", Title: "Read me", Description: "What this server is for", MIMEType: "text/markdown"},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "demo://readme", MIMEType: "text/markdown", Text: readme}},
	}}, nil
}
