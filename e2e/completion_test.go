package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const bashCompletion = "/usr/share/bash-completion/bash_completion"

// shells start with nothing of the person's own, read the completion as its help
// says, and show $ when they are ready.
var shells = []struct {
	name  string
	start string   // a file of this name in the place's folder …
	argv  []string // … is read by this, START stands for it
	text  string
}{
	{"bash", "bashrc", []string{"bash", "--noprofile", "--rcfile", "START", "-i"}, `
. ` + bashCompletion + `
. <(parley completion bash)
bind 'set bell-style none' 'set show-all-if-ambiguous on'
PS1='ready> '
`},
	{"zsh", ".zshrc", []string{"zsh", "-i"}, `
autoload -U compinit; compinit -u -D
source <(parley completion zsh)
unsetopt beep
bindkey -e
PS1='ready> '
`},
	{"fish", "start.fish", []string{"fish", "--no-config", "--init-command", "source START"}, `
parley completion fish | source
function fish_prompt; echo -n 'ready> '; end
function fish_greeting; end
set -g fish_autosuggestion_enabled 0
`},
}

// TestStoryCompletion has real shells complete the names that the last session
// with a server had.
func TestStoryCompletion(t *testing.T) {
	for _, s := range shells {
		t.Run(s.name, func(t *testing.T) {
			needProgram(t, s.name)
			if s.name == "bash" {
				_, err := os.Stat(bashCompletion)
				need(t, err == nil, "bash-completion is not installed")
			}
			p := newPlace(t)
			term := p.shell(t, s.start, s.text, s.argv)
			term.wait("ready>")

			term.typed("parley call get_fo")
			term.keys("Tab")
			term.match(`^ready> parley call get_forecast`)
			term.typed("lat")
			term.keys("Tab")
			term.match(`^ready> parley call get_forecast latitude=`)
			term.keys("C-u")

			// the target stands behind the cursor
			term.typed("parley call  -- files")
			for range len(" -- files") {
				term.keys("Left")
			}
			term.typed("li")
			term.keys("Tab")
			term.match(`^ready> parley call link +-- files`)
			term.keys("C-e", "C-u")
			term.typed("parley tools weath")
			term.keys("Tab")
			term.match(`^ready> parley tools weather`)
			term.keys("C-u")
			term.typed("parley help exi")
			term.keys("Tab")
			term.match(`^ready> parley help exit-codes`)
		})
	}
}

// shell opens a shell in a place where a session was recorded with each of two
// configured servers.
func (p *place) shell(t *testing.T, file, text string, argv []string) *terminal {
	t.Helper()
	bin := parley(t)
	demo := func(world string) map[string]any {
		return map[string]any{"command": bin, "args": []string{"demo", "--stdio", "--as", world}}
	}
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"weather": demo("weather"), "files": map[string]any{"command": bin, "args": []string{"demo", "--stdio"}}}})
	if err != nil {
		t.Fatal(err)
	}
	start := filepath.Join(p.work, file)
	for name, content := range map[string]string{filepath.Join(p.work, "mcp.json"): string(config), start: strings.ReplaceAll(text, "START", start)} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, server := range []string{"files", "weather"} {
		cmd := exec.Command(bin, "tools", server)
		cmd.Dir, cmd.Env = p.work, p.environ()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	link := filepath.Join(p.work, "bin")
	if err := os.Mkdir(link, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(bin, filepath.Join(link, "parley")); err != nil {
		t.Fatal(err)
	}
	words := []string{"env", "PATH=" + link + ":" + os.Getenv("PATH"), "ZDOTDIR=" + p.work}
	for _, word := range argv {
		words = append(words, strings.ReplaceAll(word, "START", start))
	}
	return p.open(t, 100, 30, words...)
}
