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

// keep writes images, audio and resources to the file that --save names, or, if
// there are several, to numbered files beside it. It says which block of content
// went where, by the block's bytes.
func (p *printing) keep(contents []mcp.Content) (files map[string]string, err error) {
	if p.save == "" {
		return nil, nil
	}
	var blocks []mcp.Content
	for _, c := range contents {
		if c.Data != nil || c.Type == "resource" && c.Text != "" || p.o.Verb == "read" {
			blocks = append(blocks, c)
		}
	}
	if len(blocks) == 0 {
		return nil, &failure{word: "nothing", message: "the result has nothing for --save: no image, no audio, no resource",
			hint: "text goes to standard output; > FILE keeps it"}
	}
	files = map[string]string{}
	names := numbered(p.save, len(blocks))
	for _, name := range names {
		if err := p.mayWrite(name); err != nil {
			return files, err
		}
	}
	for i, c := range blocks {
		data, err := c.Blob()
		if err != nil && data == nil {
			return files, &failure{word: "contents", message: fmt.Sprintf("contents of %s: %v", or(c.URI, c.Type), err),
				hint: "the server sent what is no base64; --json prints it as it came"}
		}
		if c.Data == nil {
			data = []byte(c.Text)
		}
		if err := p.write(names[i], data); err != nil {
			return files, err
		}
		p.note("%s written to %s", size(int64(len(data))), names[i])
		files[string(c.Raw)] = names[i]
	}
	return files, nil
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

// mayWrite refuses files that exist, unless --yes was given.
func (a *app) mayWrite(name string) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return usage("name a file in it", "%s is a directory", name)
	case err == nil && !a.yes && info.Mode().IsRegular():
		return exists(name)
	}
	return nil
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
		return &failure{word: "error", message: err.Error(), hint: "--save names a file in a folder that exists and can be written to"}
	}
	return nil
}
