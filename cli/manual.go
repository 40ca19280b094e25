package cli

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Page is a page of help that belongs to no one command. Text is laid out for a
// terminal: what is indented is to stay as it is.
type Page struct{ Name, Short, Text string }

// Manual is what manual pages are made from: the tree of commands, and the pages
// beside it. Paths in them are those of the environment it is called in.
func Manual() (*cobra.Command, []Page, error) {
	a := &app{ctx: context.Background(), io: Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}}
	var pages []Page
	for _, t := range topics {
		var text strings.Builder
		if err := t.print(&text); err != nil {
			return nil, nil, err
		}
		pages = append(pages, Page{t.name, t.short, text.String()})
	}
	return a.root(), pages, nil
}
