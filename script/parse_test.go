package script_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"parley/script"
)

// told writes a step in one line: its verb, then words, where <…> is a value.
func told(s *script.Step) string {
	var b strings.Builder
	b.WriteString([]string{"", "! ", "- "}[s.Want])
	if s.Let != "" {
		b.WriteString("let " + s.Let + " ")
	}
	b.WriteString(s.Verb.Name)
	if s.Each != "" {
		b.WriteString(" " + s.Each)
	}
	word := func(w script.Word) {
		b.WriteString(" (")
		for _, p := range w.Parts {
			if p.Expr != nil {
				b.WriteString("<" + p.Expr.Source + ">")
			}
			b.WriteString(p.Text)
		}
		b.WriteString(")")
	}
	for _, w := range s.Words {
		word(w)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Flags)) {
		b.WriteString(" " + name)
		if len(s.Flags[name].Parts) > 0 {
			word(s.Flags[name])
		}
	}
	if s.Raw != nil {
		fmt.Fprintf(&b, " %q", s.Raw)
	}
	if s.Expr != nil {
		b.WriteString(" <" + s.Expr.Source + ">")
	}
	if s.Test != nil {
		b.WriteString(" " + toldTest(s.Test))
	}
	if s.Pattern != nil {
		b.WriteString(" ~ " + s.Pattern.String())
	}
	for _, inner := range s.Body {
		b.WriteString(" : " + told(inner))
	}
	return b.String()
}

func toldTest(t *script.Test) string {
	side := func(o script.Operand) string {
		switch {
		case o.Expr != nil:
			return "<" + o.Expr.Source + ">"
		case o.Regexp != nil:
			return "/" + o.Regexp.String() + "/"
		case o.Duration != nil:
			return o.Duration.String()
		}
		return string(o.JSON)
	}
	out := side(t.Left)
	if t.Not {
		out = "not " + out
	}
	if t.Count {
		out += " count"
	}
	return strings.TrimSpace(out + " " + string(t.Op) + " " + side(t.Right))
}

func TestParseLine(t *testing.T) {
	for line, want := range map[string]string{
		"":                           "",
		"  # only a comment":         "",
		"tools":                      "tools",
		"\ttools  # all of them":     "tools",
		"tools\r":                    "tools",
		"tools --json":               "tools --json",
		"tools --jq '.tools[] | .x'": "tools --jq (.tools[] | .x)",
		"tools --jq='.a, .b'":        "tools --jq (.a, .b)",
		"quit":                       "exit",

		"call echo text=hi":                                "call (echo) (text=hi)",
		"call echo text=a#b":                               "call (echo) (text=a#b)",
		"call echo text=it's":                              "call (echo) (text=it's)",
		"call echo text=[draft":                            "call (echo) (text=[draft)",
		"call echo text='a # b' --force":                   "call (echo) (text=a # b) --force",
		`call echo text="a\tb\u0041"`:                      "call (echo) (text=a\tbA)",
		`call 'my tool' "a b=c d"`:                         "call (my tool) (a b=c d)",
		`call e a:={"b": [1, "}"]} c=d`:                    `call (e) (a:={"b": [1, "}"]}) (c=d)`,
		`call e a=[1, 2] b:="x y"`:                         `call (e) (a=[1, 2]) (b:="x y")`,
		`call e a:='"@ann"'`:                               `call (e) (a:="@ann")`,
		`call e {"a": 1}`:                                  `call (e) ({"a": 1})`,
		"call e {\n  // why\n \"a\": 1,\n}  --json # done": "call (e) ({\n  // why\n \"a\": 1,\n}) --json",

		"call e $x":                        "call (e) (<$x>)",
		"call $t.name a=$x.b[0].c":         "call (<$t.name>) (a=<$x.b[0].c>)",
		`call e a:=$x.list|length`:         "call (e) (a:=<$x.list|length>)",
		`call e a=${x.y | tostring}!`:      "call (e) (a=<$x.y | tostring>!)",
		`call e a="${x.y}, $z and ${ 1"`:   "call (e) (a=<$x.y>, $z and ${ 1)",
		`call e a='$x ${x}'`:               "call (e) (a=$x ${x})",
		"call e a=5$ b=$5 c=$":             "call (e) (a=5$) (b=$5) (c=$)",
		"read note://$x.id/${x.part}":      "read (note://<$x.id>/<$x.part>)",
		"read note://$x.id?full=1":         "read (note://<$x.id>?full=1)",
		`call e {"a": $x.b, "$c": "${d}"}`: `call (e) ({"a": <$x.b>, "$c": "<$d>"})`,
		`call e a=$x["b c"].d`:             `call (e) (a=<$x["b c"].d>)`,
		`call e a=${x["}"]}`:               `call (e) (a=<$x["}"]>)`,

		`{"a": 1} # no comment`: `raw "{\"a\": 1} # no comment"`,
		"[broken\t ":            `raw "[broken\t "`,
		"raw  x\xff":            `raw " x\xff"`,
		"raw":                   `raw ""`,
		"! {bad":                `! raw "{bad"`,
		"- raw x ~ /y/":         `- raw "x ~ /y/"`,
		"let x = {\"id\":1}":    `let x raw "{\"id\":1}"`,

		"let x = call e a=b":     "let x call (e) (a=b)",
		"let x=tools":            "let x tools",
		"let x = $y | length":    "let x value <$y | length>",
		"let x = ($y + 1) # one": "let x value <($y + 1)>",
		"let x := [1, ${y}]":     "let x value ([1, <$y>])",
		"let x := 1e2":           "let x value (1e2)",
		"let x := 'true'":        "let x value (true)",
		"let x = duration($y)":   "let x value <duration($y)>",
		`$x | .a + "# }" # why`:  `value <$x | .a + "# }">`,

		"for t in $x.tools : call $t.name":       "for t <$x.tools> : call (<$t.name>)",
		"for t in $x[1:2]: - ping":               "for t <$x[1:2]> : - ping",
		"for a in [1,2] : for b in $a : echo $b": "for a <[1,2]> : for b <$a> : echo (<$b>)",

		"! call e":                         "! call (e)",
		"!call e":                          "! call (e)",
		"! call e a=~ ~ /no a\\/b/i":       "! call (e) (a=~) ~ (?i)no a/b",
		"- call e":                         "- call (e)",
		"! $x.a + 1 ~ /add/":               "! value <$x.a + 1> ~ add",
		"! let y = $x | error ~ /a b/ # c": "! let y value <$x | error> ~ a b",
		"! expect $x ~ /not/":              "! expect <$x> ~ not",
		"! expect $x == 1 ~ /is/":          "! expect <$x> == 1 ~ is",
		"! expect $x isEmpty ~ /is/":       "! expect <$x> isEmpty ~ is",
		"! set root no such ~ /x/":         "! set (root) (no such) ~ x",
		"! echo $env.A ~ b ~ /x/":          "! echo (<$env.A> ~ b) ~ x",
		"- echo a ~ /x/":                   "- echo (a ~ /x/)",

		"expect $x.a":                     "expect <$x.a>",
		"expect not $x.isError":           "expect not <$x.isError>",
		"expect $x.a == 3":                "expect <$x.a> == 3",
		"expect $x.a==1.0":                "expect <$x.a> == 1.0",
		"expect $x.a != 'a b' # c":        `expect <$x.a> != "a b"`,
		"expect $x.a == word":             `expect <$x.a> == "word"`,
		`expect $x == {"a": [1,],}`:       `expect <$x> == {"a":[1]}`,
		"expect $x.a <= $y.b":             "expect <$x.a> <= <$y.b>",
		"expect $x.a|length<3":            "expect <$x.a|length> < 3",
		"expect $x.list count >= 2":       "expect <$x.list> count >= 2",
		"expect $x.list count==2":         "expect <$x.list> count == 2",
		"expect $x.a matches /a b/i":      "expect <$x.a> matches /(?i)a b/",
		"expect $x.a matches '^a'":        "expect <$x.a> matches /^a/",
		"expect $x.a startsWith null":     "expect <$x.a> startsWith null",
		"expect $x.a exists":              "expect <$x.a> exists",
		"expect $x | contains(\"a\")":     `expect <$x | contains("a")>`,
		"expect ($x.a == 1 and $x.b)":     "expect <($x.a == 1 and $x.b)>",
		"expect duration($x) < 300ms":     "expect <duration($x)> < 300ms",
		"expect 3 < 4":                    "expect 3 < 4",
		"set timeout 20s":                 "set (timeout) (20s)",
		`set elicit accept:{"a": "b  c"}`: `set (elicit) (accept:{"a": "b  c"})`,
		"set sample 'text:a # b'":         "set (sample) (text:a # b)",
		"set sample text:it's $x.a":       "set (sample) (text:it's <$x.a>)",
		"set header 'A: b # c'":           "set (header) (A: b # c)",
		"set header A: b c # d":           "set (header) (A: b c)",
		"subscribe a://b 'a://c d' $x":    "subscribe (a://b) (a://c d) (<$x>)",
		"listen":                          "listen",
		"listen tools a://b 'resources'":  "listen (tools) (a://b) (resources)",
		"connect http://h:1/p?a=b&c=d#e":  "connect (http://h:1/p?a=b&c=d#e)",
		"sleep 1m30s":                     "sleep (1m30s)",
		"sleep $x":                        "sleep (<$x>)",
		"wait notifications/progress 5s":  "wait (notifications/progress) (5s)",
		"connect npx -y it --json":        "connect (npx) (-y) (it) (--json)",
		"connect":                         "connect",
		"echo":                            "echo",
		`echo a  'b # c' "d\n" it's # e`:  "echo (a  b # c d\n it's)",
		`echo {"a": "b"} $x.y.`:           `echo ({"a": "b"} <$x.y>.)`,
		"request x [1]":                   "request (x) ([1])",
		"notify x $y":                     "notify (x) (<$y>)",
		"help call":                       "help (call)",
	} {
		step, err := script.ParseLine(line)
		switch {
		case err != nil:
			t.Errorf("%q: %v", line, err)
		case step == nil && want != "":
			t.Errorf("%q is nothing", line)
		case step != nil && told(step) != want:
			t.Errorf("%q is\n%q, want\n%q", line, told(step), want)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for line, want := range map[string]string{ // the error, then the hint
		"clal x":                  "column 1: expected a command, found clal|did you mean call?",
		"zzzz":                    "column 1: expected a command, found zzzz|the commands are tools",
		"'call' x":                "column 1: expected a command, found 'call'|",
		`  {"a":1}`:               `column 3: expected a command, found {"a":1}|a raw line begins at the first column`,
		"call":                    "column 5: expected a tool's name, found the end of the line|it is written call NAME",
		"call # x":                "column 6: expected a tool's name, found the end of the line|",
		"call e word":             "column 8: expected key=value, found word|write key=text",
		"call e '--json'":         "column 8: expected key=value, found '--json'|",
		"call e --forse":          "column 8: expected a flag of call, found --forse|did you mean --force?",
		"call e --json --json":    "column 15: expected --json once, found it again|",
		"tools --jq '.['":         "column 12: .[: unexpected end at character 3|",
		"tools --jq=":             "column 12: expected a jq expression, found an empty one|",
		"call e --text=a":         "column 8: expected a flag of call, found --text|an argument has no -- before its name",
		"set timeout 0s":          "column 13: set timeout: must be longer than 0|",
		"set elicit accept:{":     "column 12: set elicit accept:{: column 9: expected a key|",
		"set force maybe":         "column 11: set force: expected on or off, found maybe|",
		"call e --json=1":         "column 8: expected --json without a value, found --json=1|",
		"call e --save":           "column 14: expected what --save takes, FILE, found the end of the line|",
		"sleep 5s --x":            "column 10: expected a flag of sleep, found --x|sleep has no flags",
		"call e a:=[1,,2]":        "column 14: expected a value in JSON, found ,|a:= takes JSON; text is written a=text",
		"call e a:=tru":           "column 14: expected true in JSON, found the end|",
		`call é a:='{"b":}'`:      "column 17: expected a value in JSON, found }|",
		`call e a:={"b":${x},}}`:  "column 22: expected a blank behind JSON, found }|",
		`call e a:={"b": ${x} 1}`: "column 22: expected a comma or } in JSON, found 1|",
		`call e {"a":}`:           "column 13: expected a value in JSON, found }|",
		`call e {"a":1} b=2`:      `column 8: expected key=value, found {"a":1}|an object is all arguments at once`,
		"call e $x a=1":           "column 8: expected key=value, found $x|an object is all arguments at once",
		`call e a:={"b":`:         "column 11: expected }, found the end of the line|goes on until that is closed",
		`call e {]`:               "column 9: expected the bracket closed that { opens, found ]|",
		"call e 'a":               "column 8: expected a closing ', found the end of the line|",
		`call e "a\q"`:            "column 11: expected an escape of JSON, found q|",
		"call e 'a'b":             "column 11: expected a blank behind the closing ', found b|",
		"call e a=${x":            "column 10: expected the } that closes ${, found the end of the line|a literal ${ stands in '…'",
		"call e a=$x[":            "column 12: expected the bracket closed that [ opens|",
		"read a b":                "column 8: expected the end of the line, found b|it is written read URI; a word with blanks stands in quotes",
		"request x y":             "column 11: expected params as JSON, {…}, found y|",
		`request x {"a"}`:         "column 15: expected a colon in JSON, found }|",
		"$x.a | lenth":            "column 8: expression $x.a | lenth: function not defined: lenth/0|",
		"$x.a |":                  "column 7: expression $x.a |: unexpected EOF|jq expressions over variables",
		"$x..a]":                  "column 6: expected an expression, found ]|",
		"let $x = ping":           "column 5: expected a variable's name, found $x|without a $",
		"let env = ping":          "column 5: expected a variable of one's own, found $env|",
		"let x ping":              "column 7: expected = or :=, found ping|",
		"let x =":                 "column 8: expected a step or an expression such as $x.path, found the end of the line|",
		"let x = 5":               "column 9: expected a step or an expression such as $x.path, found 5|let x := 5",
		"let x = sleep 1s":        "column 9: expected a step with a value, found sleep|sleep has none",
		"let x := word":           "column 10: expected a value in JSON, found w|a text is written in \"…\"",
		"! include a":             "column 1: expected include without ! or -, found it behind one|",
		"! ! ping":                "column 3: expected a step, found !|",
		"-":                       "column 2: expected a step, found the end of the line|",
		"! call e ~ /(/":          "column 12: pattern (: error parsing regexp|RE2",
		"! call e ~ /a":           "column 12: expected a closing /, found the end of the line|",
		"! call e ~ /a/x":         "column 15: expected i, m or s, or a blank, found x|",
		"! call e ~ /a/ b":        "column 16: expected the end of the line, found b|",
		"for x on $y : ping":      "column 7: expected in, found on|",
		"for x in y : ping":       "column 10: expression y: function not defined: y/0|did you mean $y?",
		"for x in $y ping":        "column 13: expression $y ping: unexpected token \"ping\"|",
		"for x in $y":             "column 12: expected a : and a step, found the end of the line|",
		"for x in $y :":           "column 14: expected a step, found the end of the line|",
		"! for x in $y : ping":    "column 1: expected for without !, - or let|",
		"expect":                  "column 7: expected a value, such as $x.path, found the end of the line|",
		"expect $x ==":            "column 13: expected what to compare with, found the end of the line|",
		"expect $x = 3":           "column 11: expected an operator or the end of the line, found =|did you mean ==?",
		"expect $x matchs 3":      "column 11: expression $x matchs 3: unexpected token \"matchs\"|did you mean matches?",
		"expect a matchs b":       "column 10: expected an operator or the end of the line, found matchs|did you mean matches?",
		"expect $x == 1 and 2":    "column 16: expected the end of the line, found and|in parentheses",
		"expect $x and $y":        "column 11: expected an operator or the end of the line, found and|in parentheses",
		"expect 1 == $x count":    "column 16: expected the end of the line, found count|on its right side",
		"expect $x count 3":       "column 17: expected a comparison, found 3|count == 3",
		"expect $x matches /(/":   "column 19: pattern (: error|",
		"sleep 5":                 "column 7: expected a duration, found the bare number 5|5ms, 5s, 5m",
		"sleep soon":              "column 7: expected a duration such as 200ms, found soon|",
		"sleep -5s":               "column 7: expected a duration such as 200ms, found -5s|",
		"wait x 5":                "column 8: expected a duration, found the bare number 5|",
		"set":                     "column 4: expected a setting's name, found the end of the line|",
		"set timout 5s":           "column 5: expected a setting's name, found timout|did you mean timeout?",
		"set timeout":             "column 12: expected a value for timeout, found the end of the line|",
		"include":                 "column 8: expected a file's name, found the end of the line|",
		"include nosuch":          "column 9: cannot read nosuch: |",
		"include $x":              "column 9: expected a file's name, found $x|before the script runs",
		"ping\nping":              "column 1: expected one line, found another|",
		"info x":                  "column 6: expected the end of the line, found x|",
	} {
		_, err := script.ParseLine(line)
		var wrong *script.SyntaxError
		if !errors.As(err, &wrong) {
			t.Errorf("%q: error %v", line, err)
			continue
		}
		k := strings.LastIndexByte(want, '|')
		message, hint := want[:k], want[k+1:]
		if !strings.HasPrefix(err.Error(), message) || !strings.Contains(wrong.Hint(), hint) || wrong.Word() != "usage" {
			t.Errorf("%q:\n%s (%s), want\n%s (%s)", line, err, wrong.Hint(), message, hint)
		}
		if wrong.Open != (line == `call e a:={"b":`) {
			t.Errorf("%q: open is %v", line, wrong.Open)
		}
	}
}

func TestExpressionsHaveNoEnvironmentOfTheirOwn(t *testing.T) {
	for _, line := range []string{"$env", "$env | .HOME", "echo ${env}", "$x | env", "$x | $ENV.HOME", "$env.A + ($env | .B)", "for v in $env : echo $v"} {
		_, err := script.ParseLine(line)
		var wrong *script.SyntaxError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "variable of the environment by its name") {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{"$env.A", `$env["A"]`, `$env."A" | length`, "echo ${env.A? // 1}", `$x | .env`, `$x | def env: 1; env`} {
		if _, err := script.ParseLine(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}
