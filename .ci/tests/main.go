// Command tests reads what "go test -json" prints, says what it showed in a few
// lines, and keeps a list of every test with its outcome.
//
//	go test -json ./... | go run .ci/tests/main.go LIST
//
// LIST gets a line a test: pass, fail or skip, the package, the test. The exit
// code is 1 when anything failed or nothing ran.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// position is where a line of a test's output comes from.
var position = regexp.MustCompile(`^\S+\.go:\d+: `)

type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

type key struct{ pkg, test string }

type results struct {
	output  map[key][]string
	outcome map[key]string
	order   []key
	built   []string // what the compiler said
	other   []string // lines that are no events
	slowest map[string]float64
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: tests LIST < events")
		os.Exit(2)
	}
	r := read()
	if err := r.write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if !r.report() {
		os.Exit(1)
	}
}

func read() *results {
	r := &results{output: map[key][]string{}, outcome: map[key]string{}, slowest: map[string]float64{}}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			r.take(line)
		}
		if err != nil {
			return r
		}
	}
}

func (r *results) take(line string) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		r.other = append(r.other, line)
		return
	}
	k := key{e.Package, e.Test}
	switch e.Action {
	case "output":
		r.output[k] = append(r.output[k], e.Output)
	case "build-output":
		r.built = append(r.built, e.Output)
	case "pass", "fail", "skip":
		r.outcome[k] = e.Action
		r.order = append(r.order, k)
		if e.Test == "" {
			r.slowest[e.Package] = e.Elapsed
		}
	}
}

func (r *results) write(path string) error {
	var b strings.Builder
	for _, k := range r.order {
		if k.test != "" {
			fmt.Fprintf(&b, "%s %s %s\n", r.outcome[k], k.pkg, k.test)
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// report prints the skipped tests by reason, the failed ones whole, and counts.
func (r *results) report() bool {
	count := map[string]int{}
	packages, failed := 0, 0
	for _, k := range r.order {
		switch {
		case k.test != "":
			count[r.outcome[k]]++
		case r.outcome[k] == "pass":
			packages++
		}
		if r.outcome[k] == "fail" {
			failed++
		}
	}
	r.skips()
	for _, k := range r.order {
		if r.outcome[k] == "fail" {
			fmt.Printf("✗ %s %s\n%s", k.pkg, k.test, strings.Join(r.output[k], ""))
		}
	}
	if failed > 0 || packages == 0 {
		fmt.Print(strings.Join(r.built, ""), strings.Join(r.other, ""))
	}
	fmt.Printf("%d packages: %d tests passed, %d skipped, %d failed; slowest %s\n", packages, count["pass"], count["skip"], count["fail"], r.slow())
	return failed == 0 && count["pass"] > 0
}

// skips says what was skipped and why, a line a reason.
func (r *results) skips() {
	var reasons []string
	tests := map[string][]string{}
	for _, k := range r.order {
		if r.outcome[k] != "skip" || k.test == "" {
			continue
		}
		why := r.reason(k)
		if tests[why] == nil {
			reasons = append(reasons, why)
		}
		tests[why] = append(tests[why], k.test)
	}
	for _, why := range reasons {
		fmt.Printf("skipped: %s: %s\n", strings.Join(tests[why], " "), why)
	}
}

// reason is the line that a test gave when it skipped.
func (r *results) reason(k key) string {
	for _, line := range r.output[k] {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "===") && !strings.HasPrefix(line, "---") {
			return position.ReplaceAllString(line, "")
		}
	}
	return "no reason given"
}

func (r *results) slow() string {
	pkg, most := "", 0.0
	for p, s := range r.slowest {
		if s > most || (s == most && p < pkg) {
			pkg, most = p, s
		}
	}
	return fmt.Sprintf("%s %.1f s", pkg, most)
}
