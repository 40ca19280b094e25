package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"parley/ui/keys"
)

var update = flag.Bool("update", false, "write what is generated into the documentation")

// TestKeysInTheREADMEAreTheKeyTable holds the generated part of the README.
func TestKeysInTheREADMEAreTheKeyTable(t *testing.T) {
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "-update -->\n", "<!-- keys:end -->"
	head, rest, ok := strings.Cut(string(raw), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("README.md has lost the marks of its key table")
	}
	all := keys.New()
	want := head + begin + "\n" + all.Markdown() + "\n" + end + tail
	if string(raw) == want {
		return
	}
	if !*update {
		t.Fatal("the key table of README.md is not that of ui/keys: go test . -run Keys -update")
	}
	if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
