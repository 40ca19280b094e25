package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// runtimes are the programs that servers are usually started with: what they
// belong to, and what may be there instead.
var runtimes = map[string]struct {
	product string
	instead []string
}{
	"node":    {"Node.js", []string{"nodejs"}},
	"npm":     {"Node.js", nil},
	"npx":     {"Node.js", []string{"bunx"}},
	"pnpm":    {"pnpm", []string{"npm"}},
	"yarn":    {"Yarn", []string{"npm"}},
	"bun":     {"Bun", nil},
	"bunx":    {"Bun", []string{"npx"}},
	"deno":    {"Deno", nil},
	"tsx":     {"tsx", []string{"npx"}},
	"python":  {"Python", []string{"python3"}},
	"python3": {"Python", []string{"python"}},
	"pip":     {"Python", []string{"pip3"}},
	"pipx":    {"pipx", []string{"uvx"}},
	"uv":      {"uv", nil},
	"uvx":     {"uv", []string{"pipx"}},
	"java":    {"Java", nil},
	"docker":  {"Docker", []string{"podman"}},
	"podman":  {"Podman", []string{"docker"}},
	"dotnet":  {".NET", nil},
	"go":      {"Go", nil},
	"cargo":   {"Rust", nil},
	"ruby":    {"Ruby", nil},
	"php":     {"PHP", nil},
}

// interpreters run files by their ending.
var interpreters = map[string]string{
	".js": "node", ".mjs": "node", ".cjs": "node", ".ts": "npx tsx", ".mts": "npx tsx",
	".py": "python3", ".sh": "sh", ".rb": "ruby", ".php": "php", ".pl": "perl",
	".jar": "java -jar", ".dll": "dotnet", ".go": "go run", ".lua": "lua",
}

// interpreted is the command line that runs a script, or "".
func interpreted(file string) string {
	if with := interpreters[strings.ToLower(filepath.Ext(file))]; with != "" {
		return with + " " + file
	}
	return ""
}

// searchHint says what to do about a program that PATH does not have.
func (c Command) searchHint(name, list string) string {
	if strings.ContainsAny(name, " \t") {
		return "the name has spaces in it: give the program and its arguments as separate words"
	}
	if own := os.Getenv("PATH"); own != list {
		for _, dir := range filepath.SplitList(own) {
			if path, err := executable(filepath.Join(dir, name), os.Environ()); err == nil {
				return fmt.Sprintf("parley's own PATH has it, %s: the PATH in the server's environment does not", path)
			}
		}
	}
	if hint := c.localHint(name); hint != "" {
		return hint
	}
	known, ok := runtimes[name]
	if !ok {
		return ""
	}
	for _, other := range known.instead {
		for _, dir := range filepath.SplitList(list) {
			if _, err := executable(c.abs(filepath.Join(dir, other)), os.Environ()); err == nil {
				return fmt.Sprintf("%s is not installed under this name; %s is there", known.product, other)
			}
		}
	}
	hint := known.product + " is not installed, or its directory is not in PATH"
	if known.product == "Node.js" {
		hint += " (nvm and the like add it in interactive shells only)"
	}
	return hint
}

// localHint is about a file of that name in the working directory.
func (c Command) localHint(name string) string {
	path := c.abs(name)
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	here := "." + string(filepath.Separator) + name
	if info.IsDir() {
		if runtimes[name].product != "" {
			return ""
		}
		return "there is a directory of that name: " + directoryHint(path)
	}
	_, err = executable(path, os.Environ())
	run := interpreted(name)
	switch {
	case err == nil && run != "":
		return fmt.Sprintf("did you mean %s or %s?", here, run)
	case err == nil:
		return fmt.Sprintf("did you mean %s?", here)
	case run != "":
		return fmt.Sprintf("did you mean %s?", run)
	}
	return fmt.Sprintf("%s is there but not executable: %s", here, notExecutableHint(here))
}

// directoryHint says how what is in a directory is usually run.
func directoryHint(dir string) string {
	for _, try := range []struct{ file, hint string }{
		{"package.json", "it has a package.json: name the file in it that node runs"},
		{"pyproject.toml", "it has a pyproject.toml: uv run --directory runs what it defines"},
		{"go.mod", "it has a go.mod: go run builds and runs it"},
	} {
		if _, err := os.Stat(filepath.Join(dir, try.file)); err == nil {
			return try.hint
		}
	}
	return "name the program in it"
}

func notExecutableHint(file string) string {
	run := interpreted(file)
	switch {
	case run != "" && runtime.GOOS == "windows":
		return "did you mean " + run + "?"
	case run != "":
		return fmt.Sprintf("%s, or chmod +x %s", run, file)
	case runtime.GOOS == "windows":
		return "Windows runs files that end in .exe, .cmd or .bat"
	}
	return "chmod +x " + file
}

func missingFileHint(typed, nearest string) string {
	switch {
	case strings.HasPrefix(typed, "~"):
		return "~ is expanded by shells only: write the whole path"
	case nearest != "":
		return "did you mean " + nearest + "?"
	}
	return ""
}

// inspect says what is wrong with an executable file that the system does not
// run, as words that follow its name. It reads the beginning of the file.
func inspect(path, shown string) (what, hint string) {
	f, err := os.Open(path)
	if err != nil {
		return "", ""
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 512)
	n, _ := f.Read(head)
	head = head[:n]
	if script, ok := bytes.CutPrefix(head, []byte("#!")); ok {
		return inspectScript(script, shown)
	}
	if system := binarySystem(head); system != "" {
		if here := runtime.GOOS + "/" + runtime.GOARCH; system != here {
			return fmt.Sprintf("is a program for %s, and this is %s", system, here), "build or install it for this system"
		}
		return "needs a loader that is not installed", "it was built for another C library (glibc, musl): build or install it for this system"
	}
	switch run := interpreted(shown); {
	case n == 0:
		return "is empty", ""
	case bytes.IndexByte(head, 0) >= 0:
		return "is not a program that this system runs", ""
	case run != "":
		return "is a script without a #! line", run + " runs it"
	}
	return "is a script without a #! line", "sh " + shown + " runs it, if it is a shell script"
}

func inspectScript(script []byte, shown string) (what, hint string) {
	line, _, _ := bytes.Cut(script, []byte{'\n'})
	interpreter, _, _ := strings.Cut(strings.TrimLeft(string(line), " \t"), " ")
	if name, ok := strings.CutSuffix(interpreter, "\r"); ok {
		return "is a script whose lines end in CRLF, so that " + name + " is not found", "convert its line endings to LF"
	}
	what = "is a script for " + interpreter + ", which does not exist"
	if run := interpreted(shown); run != "" {
		hint = run + " may run it"
	}
	return what, hint
}

// binarySystem tells a program's operating system and architecture, in Go's
// words, from its first bytes; "" for what is no program.
func binarySystem(head []byte) string {
	switch {
	case len(head) >= 20 && bytes.HasPrefix(head, []byte("\x7fELF")):
		order := binary.ByteOrder(binary.LittleEndian)
		if head[5] == 2 {
			order = binary.BigEndian
		}
		archs := map[uint16]string{3: "386", 8: "mips", 20: "ppc", 21: "ppc64", 22: "s390x", 40: "arm", 62: "amd64", 183: "arm64", 243: "riscv64", 258: "loong64"}
		arch := archs[order.Uint16(head[18:])]
		if arch == "" {
			arch = "another processor"
		}
		if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
			return "linux/" + arch
		}
		return runtime.GOOS + "/" + arch // the file itself does not say
	case len(head) >= 8 && (bytes.HasPrefix(head, []byte("\xcf\xfa\xed\xfe")) || bytes.HasPrefix(head, []byte("\xce\xfa\xed\xfe"))):
		switch binary.LittleEndian.Uint32(head[4:]) {
		case 0x0100000c:
			return "darwin/arm64"
		case 0x01000007:
			return "darwin/amd64"
		}
		return "darwin"
	case bytes.HasPrefix(head, []byte("\xca\xfe\xba\xbe")):
		return "darwin"
	case bytes.HasPrefix(head, []byte("MZ")):
		return "windows"
	}
	return ""
}
