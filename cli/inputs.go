package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"parley/config"
	"parley/ui/theme"
)

// asking gives the person at the terminal who answers what a configuration asks
// for, nil where there is none, or where the screen has the terminal.
func (a *app) asking() config.Ask {
	if !a.io.InTTY || !a.io.ErrTTY || a.json || a.onScreen {
		return nil
	}
	return func(in config.Input) (string, error) {
		answer, err := a.askInput(in)
		switch {
		case a.ctx.Err() != nil:
			return "", context.Cause(a.ctx)
		case err != nil:
			return "", usage("set "+in.Variable()+" in the environment to answer it unasked", "the input %s was not given: %v", in.ID, err)
		}
		return answer, nil
	}
}

// askInput asks on the terminal, on standard error as the answer is none of the
// command's output. What is secret is not shown while it is typed.
func (a *app) askInput(in config.Input) (string, error) {
	what := in.Description
	if what == "" {
		what = in.ID
	}
	fmt.Fprintf(a.io.Err, "%s\n", theme.Safe(what))
	for i, option := range in.Options {
		fmt.Fprintf(a.io.Err, "  %d  %s\n", i+1, theme.Safe(option))
	}
	fmt.Fprintf(a.io.Err, "%s: ", theme.Safe(in.ID))
	line, err := a.readAnswer(in.Secret)
	if err != nil {
		return "", err
	}
	return choose(in.Options, strings.TrimRight(line, "\r\n"))
}

// yesOrNo is a question that yes or no answers.
type yesOrNo struct {
	text      string
	otherwise string // what is said where nobody can answer
	hint      string // what to do there
	refused   string // what no means
}

// ask puts a question. Where nobody can answer it fails with what would happen.
func (a *app) ask(q yesOrNo) error {
	if a.yes {
		return nil
	}
	if !a.io.InTTY || !a.io.ErrTTY {
		return usage(q.hint, "%s", q.otherwise)
	}
	fmt.Fprintf(a.io.Err, "parley: %s [y/N] ", theme.Safe(q.text))
	line, err := a.readAnswer(false)
	if a.ctx.Err() != nil {
		return context.Cause(a.ctx)
	}
	if answer := strings.ToLower(strings.TrimSpace(line)); err == nil && (answer == "y" || answer == "yes") {
		return nil
	}
	return &failure{word: "declined", message: q.refused, hint: "--yes does not ask"}
}

// readAnswer reads a line that is typed, one that is secret without showing it. It
// ends with the program's context; the terminal then is as it was.
func (a *app) readAnswer(secret bool) (string, error) {
	file, isFile := a.io.In.(*os.File)
	read := func() (string, error) { return readLine(a.io.In) }
	if isFile {
		fd := int(file.Fd())
		if before, err := term.GetState(fd); err == nil {
			defer func() { _ = term.Restore(fd, before) }()
		}
		if secret {
			read = func() (string, error) {
				text, err := term.ReadPassword(fd)
				return string(text), err
			}
		}
	}
	type answer struct {
		text string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		text, err := read()
		got <- answer{text, err}
	}()
	select {
	case line := <-got:
		if secret && isFile {
			fmt.Fprintln(a.io.Err) // the one that was typed is not shown
		}
		return line.text, line.err
	case <-a.ctx.Done():
		fmt.Fprintln(a.io.Err)
		return "", context.Cause(a.ctx)
	}
}

// choose takes an option by its text or its number; without options anything.
func choose(options []string, typed string) (string, error) {
	if len(options) == 0 || slices.Contains(options, typed) {
		return typed, nil
	}
	if n, err := strconv.Atoi(strings.TrimSpace(typed)); err == nil && n >= 1 && n <= len(options) {
		return options[n-1], nil
	}
	return "", fmt.Errorf("%q is none of %s", typed, strings.Join(options, ", "))
}

// readLine reads one line and nothing after it.
func readLine(in io.Reader) (string, error) {
	line, err := bufio.NewReaderSize(oneByte{in}, 16).ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	return line, err
}

// oneByte reads no further than it must: what comes after the line is for
// whoever reads standard input next.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) {
	if len(p) > 1 {
		p = p[:1]
	}
	return o.r.Read(p)
}
