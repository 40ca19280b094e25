package cli_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The script that the README shows does on the demo what is said there.
func TestReadmeScript(t *testing.T) {
	raw, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(raw), "\n## The command language\n")
	_, fenced, open := strings.Cut(section, "\n```\n")
	source, _, closed := strings.Cut(fenced, "\n```\n")
	if !found || !open || !closed || !strings.Contains(source, "expect ") {
		t.Fatal("the README shows no script")
	}
	cmd := exec.CommandContext(t.Context(), "parley", "run", "-", "parley", "demo", "--stdio")
	cmd.Stdin, cmd.Env, cmd.WaitDelay = strings.NewReader(source), environment(t.TempDir()), patience
	out, err := cmd.CombinedOutput()
	for _, want := range []string{"failed as expected: ", "\nget_forecast\n", `{"jsonrpc":"2.0","id":"x","result":{}}`, " steps ok, "} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in what it prints", want)
		}
	}
	if err != nil || t.Failed() {
		t.Errorf("%v\n%s", err, out)
	}
}
