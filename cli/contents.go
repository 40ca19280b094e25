package cli

import (
	"fmt"
	"slices"
	"strings"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/ui/theme"
)

// call prints the result of a tool: its contents, and its structured content where
// there are none. A person sees it too unless a text says the same; programs take
// it by --json or --jq, so that what a tool says goes into a file as it is.
func (p *printing) call(call mcp.Call) error {
	saved, err := p.keep(call.Content)
	if p.onlySaved() {
		return err
	}
	for i, c := range call.Content {
		p.content(c, saved[i])
	}
	said := func(c mcp.Content) bool { return says(c.Text, call.Structured) }
	if len(call.Structured) > 0 && (len(call.Content) == 0 || p.io.OutTTY && !slices.ContainsFunc(call.Content, said)) {
		p.indented(call.Structured)
	}
	p.problem(call.Problem)
	return err
}

// says reports whether a text says what JSON does: it is that JSON, or the text of
// its only member.
func says(text string, structured []byte) bool {
	if rawjson.Equal([]byte(text), structured) {
		return true
	}
	members, same := 0, false
	_ = rawjson.Each(structured, func(_ string, _, raw []byte) bool {
		members++
		only, ok := rawjson.Unquote(raw)
		same = ok && only == text
		return members < 2
	})
	return members == 1 && same
}

// read prints the contents of a resource. Binary ones go to a file or a pipe as
// they are, never to a terminal.
func (p *printing) read(read mcp.Read) error {
	p.problem(read.Problem)
	if p.save != "" {
		_, err := p.keep(read.Contents)
		return err
	}
	for _, c := range read.Contents {
		blob, err := c.Blob()
		switch {
		case err != nil && blob == nil:
			_, err := bytesOf(c)
			return err
		case len(blob) > 0 && p.io.OutTTY:
			fmt.Fprintf(p.io.Out, "[%s]\n", blobLine("", c, int64(len(blob))))
			p.note("binary contents are not written to a terminal; --save FILE keeps them")
		case len(blob) > 0:
			if _, err := p.io.Out.Write(blob); err != nil {
				return err
			}
		default:
			p.content(c, "")
		}
	}
	return nil
}

// prompt prints the messages of a prompt, each under its role.
func (p *printing) prompt(prompt mcp.PromptResult) error {
	p.problem(prompt.Problem)
	var all []mcp.Content
	for _, m := range prompt.Messages {
		all = append(all, m.Content...)
	}
	saved, err := p.keep(all)
	if p.onlySaved() {
		return err
	}
	i := 0
	for _, m := range prompt.Messages {
		fmt.Fprintf(p.io.Out, "%s:\n", theme.Safe(m.Role))
		for _, c := range m.Content {
			p.content(c, saved[i])
			i++
		}
	}
	return err
}

// completion prints what a value can be completed to, a line each.
func (p *printing) completion(c mcp.Completion) {
	p.problem(c.Problem)
	for _, v := range c.Values {
		fmt.Fprintln(p.io.Out, p.shown(v))
	}
	switch n := int64(len(c.Values)); {
	case c.Problem != "":
	case n == 0:
		p.note("the server knows no completion")
	case c.Total != nil && *c.Total > n:
		p.note("these are %d of %d", n, *c.Total)
	case c.HasMore:
		p.note("there are more than these")
	}
}

// content prints text as it is and names everything else in a line. What was
// saved is named with its file.
func (p *printing) content(c mcp.Content, file string) {
	p.problem(c.Problem)
	switch {
	case file != "":
		fmt.Fprintf(p.io.Out, "[%s → %s]\n", blobLine(c.Type, c, contentSize(c)), theme.Safe(file))
	case c.Text != "":
		_ = p.text(c.Text)
	case c.Type == "text":
		fmt.Fprintln(p.io.Out)
	case c.Type == "resource_link":
		fmt.Fprintf(p.io.Out, "%s\n", theme.Safe(strings.TrimSpace(c.URI+"  "+or(c.Title, c.Name))))
	case c.BlobSize() > 0:
		fmt.Fprintf(p.io.Out, "[%s]\n", blobLine(c.Type, c, c.BlobSize()))
	default:
		p.indented(c.Raw)
	}
}

// blobLine is a blob in a line: its kind, type, size and URI.
func blobLine(kind string, c mcp.Content, n int64) theme.Text {
	words := []string{kind, c.MIMEType, size(n)}
	if kind != "" {
		words = append(words, c.URI)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return theme.Safe(strings.Join(words, " "))
}

func contentSize(c mcp.Content) int64 {
	if c.Data != nil {
		return c.BlobSize()
	}
	return int64(len(c.Text))
}
