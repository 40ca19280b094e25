package wire

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"parley/client/near"
)

// Check finds the file that the command runs, without starting it. A name
// without a slash is searched in the PATH that the server will have, relative
// names are relative to Dir. Errors are of type [*StartError].
func (c Command) Check() (path string, err error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return "", &StartError{Command: nil, Err: exec.ErrNotFound, hint: "name the server's program, or a URL"}
	}
	if err := c.checkDir(); err != nil {
		return "", err
	}
	if name := c.Args[0]; !strings.ContainsRune(filepath.ToSlash(name), '/') {
		return c.search(name)
	}
	path = c.abs(c.Args[0])
	found, err := executable(path, c.Environ())
	if err != nil {
		return "", c.fileError(path, err)
	}
	return found, nil
}

func (c Command) checkDir() error {
	if c.Dir == "" {
		return nil
	}
	info, err := os.Stat(c.Dir)
	switch {
	case err != nil:
		return &StartError{
			Command: c.told(), Err: err, reason: "its working directory " + c.Dir + " " + plain(err),
			hint: "the working directory is set by --cwd, or by the server's configuration",
		}
	case !info.IsDir():
		return &StartError{Command: c.told(), Err: syscall.ENOTDIR, reason: "its working directory " + c.Dir + " is no directory"}
	}
	return nil
}

// absDir is the working directory as an absolute path.
func (c Command) absDir() string {
	if abs, err := filepath.Abs(c.Dir); err == nil {
		return abs
	}
	return c.Dir
}

// abs makes a file name absolute as the server would understand it.
func (c Command) abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.absDir(), name)
}

// search looks for the program in PATH.
func (c Command) search(name string) (string, error) {
	env := c.Environ()
	list, set := lookupEnv(env, "PATH")
	var refused string // found, but not executable
	for _, dir := range filepath.SplitList(list) {
		path := c.abs(filepath.Join(dir, name))
		found, err := executable(path, env)
		if err == nil {
			return found, nil
		}
		if refused == "" && errors.Is(err, fs.ErrPermission) {
			refused = path
		}
	}
	if refused != "" {
		return "", c.fileError(refused, fs.ErrPermission)
	}
	e := &StartError{Command: c.told(), Path: list, Err: exec.ErrNotFound}
	switch {
	case !set:
		e.reason = "not found, PATH is not set"
	case list == "":
		e.reason = "not found, PATH is empty"
	default:
		e.reason = "not found in PATH (" + list + ")"
	}
	e.Nearest = near.Best(name, c.programs(list))
	e.hint = c.searchHint(name, list)
	return "", e
}

// The limits of the search for similar names.
const (
	maxPathDirs = 64
	maxPathName = 20_000
)

// programs lists the names of what PATH offers, in the order of PATH.
func (c Command) programs(list string) []string {
	var names []string
	seen := map[string]bool{}
	for i, dir := range filepath.SplitList(list) {
		if i == maxPathDirs || len(names) >= maxPathName {
			break
		}
		f, err := os.Open(c.abs(dir))
		if err != nil {
			continue
		}
		entries, _ := f.Readdirnames(maxPathName - len(names))
		_ = f.Close()
		for _, name := range entries {
			if runtime.GOOS == "windows" {
				name = strings.TrimSuffix(strings.ToLower(name), ".exe")
			}
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// fileError says why a file cannot be run that the command names or that was
// found in PATH.
func (c Command) fileError(path string, err error) *StartError {
	e := &StartError{Command: c.told(), File: path, Err: err}
	info, statErr := os.Stat(path)
	link, linkErr := os.Lstat(path)
	switch {
	case statErr == nil && info.IsDir():
		e.reason = path + " is a directory"
		e.hint = directoryHint(path)
	case statErr == nil && errors.Is(err, fs.ErrPermission):
		e.reason = path + " is not executable"
		e.hint = notExecutableHint(c.shown(path))
	case linkErr == nil && link.Mode()&fs.ModeSymlink != 0 && errors.Is(err, fs.ErrNotExist):
		target, _ := os.Readlink(path)
		e.reason = path + " is a link to " + target + ", which does not exist"
	default:
		e.reason = path + " " + plain(err)
		if errors.Is(err, fs.ErrNotExist) {
			e.Nearest = c.nearestFile(path)
			e.hint = missingFileHint(c.Args[0], e.Nearest)
		}
	}
	return e
}

// nearestFile finds a file of a similar name beside the one that is missing.
func (c Command) nearestFile(path string) string {
	f, err := os.Open(filepath.Dir(path))
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	names, _ := f.Readdirnames(maxPathName)
	if best := near.Best(filepath.Base(path), names); best != "" {
		return c.shown(filepath.Join(filepath.Dir(path), best))
	}
	return ""
}

// shown is how a file is named to the user: as briefly as it can be typed.
func (c Command) shown(path string) string {
	rel, err := filepath.Rel(c.absDir(), path)
	if err != nil || strings.HasPrefix(rel, "..") || len(rel) >= len(path) {
		return path
	}
	return "." + string(filepath.Separator) + rel
}

// startError explains why the system refused to run a file that is executable.
func (c Command) startError(path string, err error) *StartError {
	e := &StartError{Command: c.told(), File: path, Err: err, reason: fmt.Sprintf("%s: %s", path, plain(err))}
	what, hint := inspect(path, c.shown(path))
	switch {
	case errors.Is(err, syscall.ENOEXEC), errors.Is(err, fs.ErrNotExist):
		if what != "" {
			e.reason, e.hint = path+" "+what, hint
		}
	case errors.Is(err, fs.ErrPermission):
		e.reason = path + " may not be run"
		e.hint = "look at the permissions of the file, of its directories and of its file system (noexec)"
	case errors.Is(err, syscall.E2BIG):
		e.hint = "its arguments and environment are too long for the system"
	}
	return e
}

// plain is the system's error without the operation and path around it.
func plain(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "does not exist"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	if errors.Is(err, fs.ErrPermission) {
		return "may not be read"
	}
	return "cannot be used: " + err.Error()
}
