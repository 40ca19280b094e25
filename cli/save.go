package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/client/mcp"
)

// saved writes what --save asks for of a result whose bytes --json prints.
func (p *printing) saved() error {
	answer, ok := p.answer()
	if !ok {
		return nil
	}
	raw, err := p.o.Link.Client.Result(answer)
	if err != nil {
		return err
	}
	var contents []mcp.Content
	switch p.o.Verb {
	case "call":
		contents = mcp.DecodeCall(raw).Content
	case "read":
		contents = mcp.DecodeRead(raw).Contents
	case "get":
		for _, m := range mcp.DecodePrompt(raw).Messages {
			contents = append(contents, m.Content...)
		}
	}
	_, err = p.keep(contents)
	return err
}

// toStdout is the name for --save that stands for standard output.
const toStdout = "-"

// onlySaved reports whether standard output is for what --save keeps.
func (p *printing) onlySaved() bool { return p.save == toStdout }

// checkOutput refuses what would mix two things on standard output.
func checkOutput(save, jq string, json bool) error {
	if save == toStdout && (json || jq != "") {
		return usage("--save FILE keeps it in a file", "--save - and --json or --jq would both write to standard output")
	}
	return nil
}

// keep writes images, audio and resources to the file that --save names, or, if
// there are several, to numbered files beside it. It gives for each block of
// content the file that it went to, "" for none.
func (p *printing) keep(contents []mcp.Content) (files []string, err error) {
	files = make([]string, len(contents))
	if p.save == "" {
		return files, nil
	}
	var blocks []mcp.Content
	var at []int // the index of each
	for i, c := range contents {
		if c.Data != nil || c.Type == "resource" && c.Text != "" || p.o.Verb == "read" {
			blocks, at = append(blocks, c), append(at, i)
		}
	}
	if len(blocks) == 0 {
		return files, &failure{word: "nothing", message: "the result has nothing for --save: no image, no audio, no resource",
			hint: "text goes to standard output; > FILE keeps it"}
	}
	if p.onlySaved() {
		return files, p.pass(blocks)
	}
	names := numbered(p.save, len(blocks))
	for _, name := range names {
		if err := p.mayWrite(name); err != nil {
			return files, err
		}
	}
	for i, c := range blocks {
		data, err := bytesOf(c)
		if err != nil {
			return files, err
		}
		if err := p.write(names[i], data); err != nil {
			return files, err
		}
		p.note("%s written to %s", size(int64(len(data))), names[i])
		files[at[i]] = names[i]
	}
	return files, nil
}

// bytesOf are the bytes that a block of content stands for.
func bytesOf(c mcp.Content) ([]byte, error) {
	data, err := c.Blob()
	switch {
	case err != nil && data == nil:
		return nil, &failure{word: "contents", message: fmt.Sprintf("contents of %s: %v", or(c.URI, c.Type), err),
			hint: "the server sent what is no base64; --json prints it as it came"}
	case c.Data == nil:
		return []byte(c.Text), nil
	}
	return data, nil
}

// pass writes the one thing that --save - asks for to standard output, as it is.
func (p *printing) pass(blocks []mcp.Content) error {
	if len(blocks) > 1 {
		return usage("--save FILE keeps each in a file of its own, numbered", "--save - takes one image, audio or resource, the result has %d", len(blocks))
	}
	data, err := bytesOf(blocks[0])
	if err != nil {
		return err
	}
	if p.io.OutTTY && blocks[0].Data != nil {
		return usage("--save FILE keeps them; a pipe takes them", "binary contents are not written to a terminal")
	}
	_, err = p.io.Out.Write([]byte(p.shown(string(data))))
	return err
}

// numbered gives n names: the file's own for one, name-1.ext, name-2.ext … for more.
func numbered(file string, n int) []string {
	if n == 1 {
		return []string{file}
	}
	ext := filepath.Ext(file)
	stem := strings.TrimSuffix(file, ext)
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s-%d%s", stem, i+1, ext)
	}
	return names
}

// mayWrite refuses files that exist, unless --yes was given, and folders that do
// not.
func (a *app) mayWrite(name string) error {
	folder := filepath.Dir(name)
	if _, err := os.Stat(folder); err != nil {
		return usage("--save names a file in a folder that exists", "%s cannot be written: %s: %v", name, folder, cause(err))
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return usage("name a file in it", "%s is a directory", name)
	case err == nil && !a.yes && info.Mode().IsRegular():
		return exists(name)
	}
	return nil
}

// cause is an error without the path, which the message has already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func exists(name string) error {
	return usage("--yes writes over it", "%s exists already; nothing was written", name)
}

// write makes a file of its own, or writes over one with --yes.
func (a *app) write(name string, data []byte) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if info, err := os.Stat(name); a.yes || err == nil && !info.Mode().IsRegular() { // a device, a pipe
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return exists(name)
	}
	if err == nil {
		_, err = f.Write(data)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return &failure{word: "error", message: fmt.Sprintf("%s cannot be written: %v", name, cause(err)), hint: "--save names a file in a folder that exists and can be written to"}
	}
	return nil
}
