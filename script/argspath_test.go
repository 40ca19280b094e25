package script_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"parley/client/schema"
	"parley/script"
)

const nested = `{"type":"object","properties":{
 "user":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}}},
 "tags":{"type":"array","items":{"type":"string"}},
 "points":{"type":"array","items":{"type":"object","properties":{"x":{"type":"number"}}}},
 "a.b":{"type":"integer"}, "on":{"type":"boolean"}, "text":{"type":"string"}
}}`

// words parses a call of a tool and gives the words of its arguments.
func words(t *testing.T, arguments string) []script.Word {
	t.Helper()
	step, err := script.ParseLine("call tool " + arguments)
	if err != nil {
		t.Fatal(err)
	}
	return step.Words[1:]
}

// values evaluates plain paths into variables.
func values(e *script.Expr) (json.RawMessage, error) {
	vars := map[string]string{"$n": "1.0", "$s": `"\u0061"`, "$five": `"5"`, "$o": `{"text":"b"}`, "$l": `[ 1 ]`, "$q": `"a \"b\""`, "$at": `"@file"`}
	if raw, ok := vars[e.Source]; ok {
		return json.RawMessage(raw), nil
	}
	return nil, fmt.Errorf("no value for %s", e.Source)
}

func TestArguments(t *testing.T) {
	form, err := schema.Parse([]byte(nested))
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"user.name=5 user.age=5":               `{"user":{"name":"5","age":5}}`,
		"tags[0]=1 tags[1]=2":                  `{"tags":["1","2"]}`,
		"tags[1]=b tags[0]=a":                  `{"tags":["a","b"]}`,
		"tags[]=a tags[]=b":                    `{"tags":["a","b"]}`,
		"points[0].x=1.0 points[0].y=2":        `{"points":[{"x":1.0,"y":"2"}]}`,
		"points[].x=1 points[].x=2":            `{"points":[{"x":1},{"x":2}]}`,
		"a.b=1":                                `{"a.b":1}`,
		"a.c=1":                                `{"a":{"c":"1"}}`,
		"m[0][1]:=2 m[0][0]:=1":                `{"m":[[1,2]]}`,
		"on=true user.age:=3 tags[]=x":         `{"user":{"age":3},"tags":["x"],"on":true}`,
		"a..b=1 .c=2 d[x]=3 e[01]=4 f.=5 g[=6": `{"a..b":"1",".c":"2","d[x]":"3","e[01]":"4","f.":"5","g[":"6"}`,
		"text=$s":                              `{"text":"\u0061"}`,
		"text=$n":                              `{"text":1.0}`,
		"user.age=$five":                       `{"user":{"age":5}}`,
		"text=a${n}b${s}":                      `{"text":"a1.0ba"}`,
		`text="${q}!"`:                         `{"text":"a \"b\"!"}`,
		"text=$at":                             `{"text":"@file"}`,
		"other=$l":                             `{"other":[ 1 ]}`,
		"other:=$l":                            `{"other":[ 1 ]}`,
		"other:=$s":                            `{"other":"\u0061"}`,
		`other:={"a": [${n}, $s], "b":"${q}"}`: `{"other":{"a":[1.0,"\u0061"],"b":"a \"b\""}}`,
		"$o":                                   `{"text":"b"}`,
		`{"text": $s}`:                         `{"text":"\u0061"}`,
		"":                                     "",
	} {
		got, err := script.Arguments(t.Context(), form, words(t, line), values, nil)
		if err != nil || string(got) != want {
			t.Errorf("%s\ngives %s, %v\nwant  %s", line, got, err, want)
		}
	}
}

func TestArgumentsErrors(t *testing.T) {
	form, err := schema.Parse([]byte(nested))
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"user.age=old":          `argument user.age=old: expected a whole number, found "old"`,
		"user.age=$s":           `argument user.age=$s: expected a whole number, found "a"`,
		"tags[0]=a tags[2]=b":   "argument tags: tags[1] is missing",
		"x.y[1].z=a":            "argument x: x.y[0] is missing",
		"user=1 user.name=a":    `argument user.name=a: user has a value already`,
		"text=a text.b=c":       "argument text.b=c: text has a value already",
		"user.name=a user:={}":  "argument user:={}: given twice",
		"x.a=1 x[0]=2":          "argument x[0]=2: x is an array and an object",
		"tags[0]=a tags[0]=b":   "argument tags[0]=b: given twice",
		"$n":                    "argument $n: the value is a number, not an object",
		"text=$nothing":         "no value for $nothing",
		"text=@-":               "argument text=@-: there is no standard input here",
		`other:={"a":${s}${n}}`: "column 27: expected a comma or } in JSON, found $n",
	} {
		step, err := script.ParseLine("call tool " + line)
		if err == nil {
			_, err = script.Arguments(t.Context(), form, step.Words[1:], values, nil)
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
		var wrong *script.ArgError
		if errors.As(err, &wrong) && (wrong.Hint() == "" || wrong.Word() != "usage") {
			t.Errorf("%s: hint %q", line, wrong.Hint())
		}
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]string{"5s": "5s", "1m30s": "1m30s", "0s": "0s", "5": "", "0": "", "-1s": "", "": "", "1.5": "", "soon": ""} {
		d, err := script.ParseDuration(text)
		if want == "" {
			var wrong *script.DurationError
			if !errors.As(err, &wrong) || wrong.Hint() == "" || wrong.Word() != "usage" {
				t.Errorf("%q: %v", text, err)
			}
		} else if err != nil || d.String() != want {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
}

func TestHelp(t *testing.T) {
	var all strings.Builder
	if err := script.Help(&all, ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range append(script.Commands(), script.Topics()...) {
		if !strings.Contains(all.String(), "  "+c.Forms[0]) {
			t.Errorf("help does not tell of %s", c.Name)
		}
		var one strings.Builder
		if err := script.Help(&one, c.Name); err != nil || !strings.HasPrefix(one.String(), c.Forms[0]) || !strings.Contains(one.String(), c.Example) {
			t.Errorf("help %s: %v, %s", c.Name, err, one.String())
		}
	}
	var some strings.Builder
	if err := script.Help(&some, "flow"); err != nil || !strings.HasPrefix(some.String(), "Flow\n") {
		t.Errorf("%v, %s", err, some.String())
	}
	err := script.Help(&some, "cal")
	var wrong *script.SyntaxError
	if !errors.As(err, &wrong) || err.Error() != "expected a command or a topic, found cal" || wrong.Hint() != "did you mean call?" {
		t.Error(err)
	}
}

// The table says what the parser does.
func TestExamplesOfTheTableParse(t *testing.T) {
	for _, c := range append(script.Commands(), script.Topics()...) {
		if c.Name == "include" {
			continue // its file is nowhere
		}
		step, err := script.ParseLine(c.Example)
		if err != nil || step == nil {
			t.Errorf("%s: %s: %v", c.Name, c.Example, err)
			continue
		}
		if !c.Topic && step.Verb != c && step.Let == "" {
			t.Errorf("%s: the example is one of %s", c.Name, step.Verb.Name)
		}
		if c.Short == "" || c.Group == "" || len(c.Forms) == 0 {
			t.Errorf("%s says too little", c.Name)
		}
		if found, ok := script.Lookup(c.Name); !ok || found != c {
			t.Errorf("%s is not found", c.Name)
		}
	}
}
