package cli

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"
)

// behindCursor is what each shell's script gets more than cobra's: it hands over
// what stands on the line behind the cursor, in restVariable.
var behindCursor = map[string][][2]string{
	"bash": {
		{`out=$(eval "${requestComp}"`, `out=$(` + restVariable + `="${COMP_LINE:COMP_POINT}" eval "${requestComp}"`},
	},
	"zsh": {
		{`    words=("${=words[1,CURRENT]}")`, `    local -x ` + restVariable + `="${(j: :)words[CURRENT+1,-1]}"` + "\n" + `    words=("${=words[1,CURRENT]}")`},
	},
	"fish": {
		{`    set -l args (commandline -opc)`, `    set -lx ` + restVariable + ` (commandline -b | string collect | string sub -s (math (commandline -C) + 1) | string collect)` + "\n" +
			`    set -l args (commandline -opc)`},
	},
}

const completionLong = `Print a completion script for a shell. It completes commands, flags, configured
servers, and the tools, arguments, prompts and resources that the server of the
line listed when parley last talked to it; no server is started for it.

  source <(parley completion bash)`

// loading is how a shell is given its script, for now and for good.
var loading = map[string]string{
	"bash": `The package bash-completion has to be there.

  source <(parley completion bash)
  parley completion bash > ~/.local/share/bash-completion/completions/parley`,
	"zsh": `Completion has to be on: autoload -U compinit; compinit

  source <(parley completion zsh)
  parley completion zsh > "${fpath[1]}/_parley"`,
	"fish": `It is read by new shells once it is in the folder of completions.

  parley completion fish | source
  parley completion fish > ~/.config/fish/completions/parley.fish`,
	"powershell": `The second line goes into the profile.

  parley completion powershell | Out-String | Invoke-Expression
  parley completion powershell >> $PROFILE`,
}

// completionScripts has the scripts of the shells printed with that.
func completionScripts(completion *cobra.Command) {
	for _, shell := range completion.Commands() {
		shell.Args = noWords
		shell.Short = "print the completion script for " + shell.Name()
		shell.Long = "Print the completion script for " + shell.Name() + ". " + loading[shell.Name()]
		if f := shell.Flags().Lookup("no-descriptions"); f != nil {
			f.Usage = "leave out what the names mean"
		}
		changes, ok := behindCursor[shell.Name()]
		if !ok {
			continue
		}
		shell.RunE = func(c *cobra.Command, _ []string) error {
			bare, _ := c.Flags().GetBool("no-descriptions")
			var script bytes.Buffer
			var err error
			switch c.Name() {
			case "bash":
				err = c.Root().GenBashCompletionV2(&script, !bare)
			case "fish":
				err = c.Root().GenFishCompletion(&script, !bare)
			case "zsh":
				if err = c.Root().GenZshCompletion(&script); bare {
					script.Reset()
					err = c.Root().GenZshCompletionNoDesc(&script)
				}
			}
			if err != nil {
				return err
			}
			text := script.String()
			for _, change := range changes {
				text = strings.Replace(text, change[0], change[1], 1)
			}
			_, err = c.OutOrStdout().Write([]byte(text))
			return err
		}
	}
}
