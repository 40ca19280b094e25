package history

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	fileMode = 0o600
	dirMode  = 0o700

	extension = ".jsonl"
	nameTime  = "20060102T150405Z"
	maxName   = 60 // bytes of the target's name in a file's name
	maxTries  = 1000
)

// createFile creates the file to record into and sets where it is.
func (l *Log) createFile(opt *Options) (File, error) {
	switch {
	case opt.File != nil:
		return opt.File, nil
	case opt.Spool:
		return l.createSpool()
	case opt.Path != "":
		f, err := createNew(opt.Path)
		if err != nil {
			return nil, fmt.Errorf("creating the session file: %w", err)
		}
		l.path = opt.Path
		return f, nil
	case opt.Dir == "":
		return nil, errors.New("creating the session file: neither a path nor a directory is given")
	}
	if err := os.MkdirAll(opt.Dir, dirMode); err != nil {
		return nil, fmt.Errorf("creating the directory for session files: %w", err)
	}
	name := opt.Name
	if name == "" {
		name = targetName(&l.header.Target)
	}
	for try := 1; ; try++ {
		path := filepath.Join(opt.Dir, sessionName(l.header.Started, name, os.Getpid(), try))
		f, err := createNew(path)
		if err == nil {
			l.path = path
			return f, nil
		}
		if !errors.Is(err, fs.ErrExist) || try == maxTries {
			return nil, fmt.Errorf("creating the session file: %w", err)
		}
	}
}

// createNew creates a file that does not exist: a recording never writes over
// another.
func createNew(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, fileMode)
}

// createSpool creates a file that goes away with the process. Where an open
// file cannot be unlinked, it is removed at Close.
func (l *Log) createSpool() (File, error) {
	f, err := os.CreateTemp("", "parley-*.spool")
	if err != nil {
		return nil, fmt.Errorf("creating the spool file: %w", err)
	}
	if os.Remove(f.Name()) != nil {
		l.remove = f.Name()
	}
	return f, nil
}

// sessionName makes the name of a session file: when, what, by which process,
// and from the second try on a counter.
func sessionName(started time.Time, name string, pid, try int) string {
	s := started.UTC().Format(nameTime) + "-" + safeName(name) + "-" + strconv.Itoa(pid)
	if try > 1 {
		s += "-" + strconv.Itoa(try)
	}
	return s + extension
}

// targetName makes a name out of what was connected to.
func targetName(t *Target) string {
	if t.Name != "" {
		return t.Name
	}
	if u, err := url.Parse(t.URL); err == nil && u.Host != "" {
		return u.Host
	}
	if len(t.Command) > 0 {
		// Both separators: a file recorded elsewhere may be read here.
		path := t.Command[0]
		return path[strings.LastIndexAny(path, `/\`)+1:]
	}
	return "session"
}

// safeName makes a name that every file system takes: letters, digits and a
// few signs stay, runs of anything else become one hyphen.
func safeName(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r == utf8.RuneError:
			r = '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.':
		default:
			r = '-'
		}
		if b.Len()+utf8.RuneLen(r) > maxName {
			break
		}
		if r == '-' && strings.HasSuffix(b.String(), "-") {
			continue
		}
		b.WriteRune(r)
	}
	s := strings.Trim(b.String(), "-.")
	if s == "" {
		return "session"
	}
	return s
}
