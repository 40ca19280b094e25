package cli

import (
	"bufio"
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
	if !a.io.InTTY || !a.io.ErrTTY || a.json || a.io.Err == io.Discard {
		return nil
	}
	return func(in config.Input) (string, error) {
		answer, err := a.askInput(in)
		if err != nil {
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
	file, isFile := a.io.In.(*os.File)
	var line string
	var err error
	if in.Secret && isFile {
		var typed []byte
		typed, err = term.ReadPassword(int(file.Fd()))
		fmt.Fprintln(a.io.Err)
		line = string(typed)
	} else {
		line, err = readLine(a.io.In)
	}
	if err != nil {
		return "", err
	}
	return choose(in.Options, strings.TrimRight(line, "\r\n"))
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
