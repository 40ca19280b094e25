package history

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// SessionInfo is what can be said of a session file without reading all of it.
type SessionInfo struct {
	Path    string
	Name    string // of the target, as in the file's name
	Started time.Time
	Ended   time.Time // of the last frame, zero if there is none
	Target  Target
	Client  string
	Frames  uint64 // the last number
	Size    int64  // bytes of the file
	Problem string // why it cannot be opened; then the rest is what the file system says
}

// Sessions lists the session files in a directory, newest first. A directory
// that does not exist has none. It reads the two ends of each file.
func Sessions(dir string) ([]SessionInfo, error) { return Newest(dir, math.MaxInt) }

// Newest lists the n newest session files in a directory as Sessions does, and
// reads no others: the name of a recording begins with its time. Files with
// other names are read too, to see how old they are.
func Newest(dir string, n int) ([]SessionInfo, error) {
	names, err := sessionFiles(dir)
	if err != nil {
		return nil, err
	}
	var list []SessionInfo
	stamps, last := 0, ""
	for _, name := range names {
		if stamp, ok := stampOf(name); ok {
			if stamps >= n && stamp != last {
				continue
			}
			stamps, last = stamps+1, stamp
		}
		list = append(list, sessionInfo(filepath.Join(dir, name)))
	}
	slices.SortStableFunc(list, func(a, b SessionInfo) int {
		if c := b.Started.Compare(a.Started); c != 0 {
			return c
		}
		return strings.Compare(b.Path, a.Path)
	})
	return list[:min(n, len(list))], nil
}

// sessionFiles gives the names of the session files in a directory, the last in
// the alphabet, which is the newest, first.
func sessionFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the sessions: %w", err)
	}
	var names []string
	for _, e := range slices.Backward(entries) { // ReadDir sorts
		if filepath.Ext(e.Name()) == extension && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// stampOf gives the time with which the name of a recording begins.
func stampOf(name string) (stamp string, ok bool) {
	stamp, _, _ = strings.Cut(name, "-")
	_, err := time.Parse(nameTime, stamp)
	return stamp, err == nil
}

const (
	maxHeader = 1 << 20  // a longer first line is no header
	tailLen   = 4 << 10  // read at first
	maxTail   = 16 << 20 // more than the longest line that is written here
)

func sessionInfo(path string) SessionInfo {
	info := SessionInfo{Path: path, Name: nameOf(path)}
	err := info.read()
	if err != nil {
		info.Problem = err.Error()
	}
	return info
}

func (s *SessionInfo) read() error {
	f, err := os.Open(s.Path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	stat, err := f.Stat()
	if err != nil {
		return err
	}
	s.Size, s.Started = stat.Size(), stat.ModTime().UTC()
	line, err := bufio.NewReader(io.LimitReader(f, maxHeader)).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	h, err := parseHeader(s.Path, line)
	if err != nil {
		return err
	}
	if !h.Started.IsZero() {
		s.Started = h.Started
	}
	s.Target, s.Client = h.Target, h.Client
	return s.readTail(f)
}

// readTail finds the last number and time. A frame in parts may end last with
// a number that others have passed.
func (s *SessionInfo) readTail(f *os.File) error {
	for size := int64(tailLen); ; size *= 8 {
		start := max(0, s.Size-size)
		buf := make([]byte, s.Size-start)
		n, err := f.ReadAt(buf, start)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		lines := bytes.Split(buf[:n], []byte{'\n'})
		var r lineReader
		for _, line := range lines[1:] { // the first is the header, or torn
			if r.read(line) != nil {
				continue
			}
			s.Frames = max(s.Frames, r.seq)
			if at := time.UnixMicro(r.time).UTC(); r.hasTime && at.After(s.Ended) {
				s.Ended = at
			}
		}
		if s.Frames > 0 || start == 0 || size > maxTail {
			return nil
		}
	}
}

// nameOf takes the target's name out of a file's name.
func nameOf(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), extension)
	if stamp, ok := stampOf(base); ok {
		base = strings.TrimPrefix(strings.TrimPrefix(base, stamp), "-")
		if i := strings.LastIndexByte(base, '-'); i > 0 {
			base = base[:i]
		}
	}
	return base
}
