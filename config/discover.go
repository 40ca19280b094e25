package config

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// Set is the configuration that counts somewhere: the files that are there, the
// ones that win first. A Set is not changed after it was made; its methods may
// be called from several goroutines.
type Set struct {
	Files []*File

	explicit string
}

// Discover reads the configuration for a directory: the explicit file alone if
// there is one, else all files of [Places] that exist. A file that is there but
// cannot be read or understood has its Err set and no servers, so that the
// others can be used. The error is only that of an explicit file.
func Discover(dir, explicit string) (*Set, error) {
	if explicit != "" {
		file, err := Load(explicit)
		if err != nil {
			return nil, err
		}
		return &Set{Files: []*File{file}, explicit: explicit}, nil
	}
	return discover(Places(dir), os.ReadFile), nil
}

func discover(places []Place, read func(string) ([]byte, error)) *Set {
	type result struct {
		content []byte
		err     error
		told    bool // that it cannot be read; once is enough
	}
	seen := map[string]result{} // of files that have several places
	set := &Set{}
	for i, p := range places {
		again := slices.ContainsFunc(places[:i], func(o Place) bool {
			return o.Path == p.Path && o.sections == nil && p.sections == nil
		})
		if again {
			continue // the project is the home directory
		}
		r, known := seen[p.Path]
		if !known {
			r.content, r.err = read(p.Path)
		}
		if errors.Is(r.err, fs.ErrNotExist) || errors.Is(r.err, syscall.ENOTDIR) {
			seen[p.Path] = r
			continue
		}
		file := &File{Path: p.Path, Program: p.Program, Project: p.Project, Own: p.own}
		if r.err != nil {
			file.Err = reading(p.Path, r.err)
		} else if parsed, err := p.parse(r.content); err != nil {
			file.Err = err
		} else {
			file = parsed
		}
		if file.Err != nil && !r.told || len(file.Servers) > 0 || file.Own {
			set.Files = append(set.Files, file)
		}
		if p.sections != nil {
			r.told = file.Err != nil
			seen[p.Path] = r
		}
	}
	return set
}

// Servers returns all servers of all files, the ones that win first.
func (s *Set) Servers() []Server {
	var out []Server
	for _, f := range s.Files {
		out = append(out, f.Servers...)
	}
	return out
}

// Same returns all servers of a name. The first one counts.
func (s *Set) Same(name string) []Server {
	var out []Server
	for _, f := range s.Files {
		if v, ok := f.Lookup(name); ok {
			out = append(out, v)
		}
	}
	return out
}

// Lookup finds the server that counts among those of a name.
func (s *Set) Lookup(name string) (Server, bool) {
	same := s.Same(name)
	if len(same) == 0 {
		return Server{}, false
	}
	return same[0], true
}

// Names returns the names of all servers, each once.
func (s *Set) Names() []string {
	var names []string
	seen := map[string]bool{}
	for _, f := range s.Files {
		for _, v := range f.Servers {
			if !seen[v.Name] {
				seen[v.Name] = true
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// Nearest returns the configured names that were probably meant by one that is
// not configured, the likeliest first, at most three.
func (s *Set) Nearest(name string) []string { return nearest(name, s.Names()) }

// Broken returns the files that are there and could not be read.
func (s *Set) Broken() []*File { return s.BrokenBefore(Server{}) }

// BrokenBefore returns those of them that come before the file of a server: what
// they have would win over it.
func (s *Set) BrokenBefore(v Server) []*File {
	var out []*File
	for _, f := range s.Files {
		if f == v.file && f != nil {
			break
		}
		if f.Err != nil {
			out = append(out, f)
		}
	}
	return out
}

// Unknown is the error for a name that no file has. It tells what is wrong with
// the first file that could not be read, as that may have the server.
func (s *Set) Unknown(name string) error {
	e := &UnknownError{Name: name, File: s.explicit, Known: s.Names(), Nearest: s.Nearest(name)}
	if broken := s.Broken(); len(broken) > 0 {
		e.Broken = broken[0].Err
	}
	return e
}

// bare is an error without the path, which the message has already.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
