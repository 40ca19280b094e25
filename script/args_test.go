package script_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/client/schema"
	"parley/script"
)

const form = `{"type":"object","properties":{
 "text":{"type":"string"}, "count":{"type":"integer"}, "ratio":{"type":"number"}, "on":{"type":"boolean"},
 "unit":{"enum":["km","mile"]}, "tags":{"type":"array","items":{"type":"string"}}, "any":{}, "maybe":{"type":["integer","null"]}
},"required":["text"]}`

func parse(t *testing.T) *schema.Object {
	t.Helper()
	o, err := schema.Parse([]byte(form))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// file writes a file and returns its name as an argument has it.
func file(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "value")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return "@" + name
}

func TestArgs(t *testing.T) {
	for name, c := range map[string]struct {
		words []string
		stdin string
		want  string
	}{
		"nothing":                         {nil, "", ""},
		"text":                            {[]string{"text=hello world"}, "", `{"text":"hello world"}`},
		"text that looks like a number":   {[]string{"text=5"}, "", `{"text":"5"}`},
		"an equals sign in the value":     {[]string{"text=a=b"}, "", `{"text":"a=b"}`},
		"an empty text":                   {[]string{"text="}, "", `{"text":""}`},
		"not ASCII":                       {[]string{"text=北京 ✓"}, "", `{"text":"北京 ✓"}`},
		"lines":                           {[]string{"text=a\nb\t\"c\""}, "", `{"text":"a\nb\t\"c\""}`},
		"a large number keeps its digits": {[]string{"count=9007199254740993"}, "", `{"count":9007199254740993}`},
		"numbers keep their spelling":     {[]string{"ratio=1.0", "count=1e2"}, "", `{"count":1e2,"ratio":1.0}`},
		"a negative number":               {[]string{"ratio=-0.5"}, "", `{"ratio":-0.5}`},
		"a boolean":                       {[]string{"on=true"}, "", `{"on":true}`},
		"one of several":                  {[]string{"unit=mile"}, "", `{"unit":"mile"}`},
		"an array":                        {[]string{`tags=["a", "b"]`}, "", `{"tags":["a","b"]}`},
		"null where it may be":            {[]string{"maybe=null"}, "", `{"maybe":null}`},
		"no type is text":                 {[]string{"any=5"}, "", `{"any":"5"}`},
		"a name the schema does not have": {[]string{"other=5"}, "", `{"other":"5"}`},
		"JSON":                            {[]string{"any:=5", `other:={"a": [1, 2]}`}, "", `{"any":5,"other":{"a":[1,2]}}`},
		"JSON keeps its spelling":         {[]string{"any:=1.10"}, "", `{"any":1.10}`},
		"JSON against the schema":         {[]string{"count:=\"x\""}, "", `{"count":"x"}`},
		"the order of the schema":         {[]string{"zz=1", "on=false", "text=a", "aa=2"}, "", `{"text":"a","on":false,"zz":"1","aa":"2"}`},
		"standard input":                  {[]string{"text=@-"}, "two\nlines\n", `{"text":"two\nlines\n"}`},
		"standard input as JSON":          {[]string{"any:=@-"}, "{\"a\":\n1}\n", `{"any":{"a":1}}`},
		"the whole object":                {[]string{` {"a": 1.0, "b": "x y"} `}, "", `{"a":1.0,"b":"x y"}`},
		"the whole object, as written":    {[]string{"{\n  // why\n  \"a\": 1,\n}"}, "", `{"a":1}`},
		"a key with a colon":              {[]string{"a:b=1"}, "", `{"a:b":"1"}`},
		"an at sign as text":              {[]string{`any:="@ann"`}, "", `{"any":"@ann"}`},
	} {
		t.Run(name, func(t *testing.T) {
			if err := script.CheckArgs(c.words); err != nil {
				t.Errorf("checking: %v", err)
			}
			got, err := script.Args(parse(t), c.words, strings.NewReader(c.stdin))
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
		})
	}
}

func TestArgsFromFiles(t *testing.T) {
	for name, c := range map[string]struct{ key, content, want string }{
		"text as it is":                 {"text=", "a\r\nb\n", `{"text":"a\r\nb\n"}`},
		"a number in a file":            {"count=", "42\n", `{"count":42}`},
		"a choice in a file":            {"unit=", "km\r\n", `{"unit":"km"}`},
		"a boolean in a file":           {"on=", "true\n", `{"on":true}`},
		"JSON behind a byte order mark": {"tags:=", "\ufeff[\"a\"]", `{"tags":["a"]}`},
		"JSON in a file":                {"tags:=", "[\n\"a\"\n]\n", `{"tags":["a"]}`},
		"a file for an untyped member":  {"any=", "5\n", `{"any":"5\n"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := script.Args(parse(t), []string{c.key + file(t, c.content)}, nil)
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
		})
	}
}

func TestArgsWithoutASchema(t *testing.T) {
	got, err := script.Args(nil, []string{"b=1", "a:=2"}, nil)
	if want := `{"b":"1","a":2}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestArgsErrors(t *testing.T) {
	for name, c := range map[string]struct {
		words  []string
		want   string
		form   bool // the form of the words is wrong already
		advice string
	}{
		"a word":                   {[]string{"node"}, "argument node: is not key=value", true, "write key=text"},
		"no key":                   {[]string{"=x"}, "argument =x: is not key=value", true, ""},
		"no key but a colon":       {[]string{":=x"}, "argument :=x: is not key=value", true, ""},
		"a key twice":              {[]string{"count=1", "count=2"}, "argument count=2: given twice", false, "count:='[…]'"},
		"no number":                {[]string{"count=two"}, `argument count=two: expected a whole number, found "two"`, false, "count:=json"},
		"nothing for a number":     {[]string{"count="}, "argument count=: expected a whole number, found nothing", false, ""},
		"none of several":          {[]string{"unit=m"}, `argument unit=m: expected one of km, mile, found "m"`, false, ""},
		"no boolean":               {[]string{"on=yes"}, `argument on=yes: expected true or false, found "yes"`, false, ""},
		"no JSON":                  {[]string{"any:=foo"}, "argument any:=foo: not JSON at byte 1", true, "any:= takes JSON"},
		"no file":                  {[]string{"text=@nosuch"}, "argument text=@nosuch: cannot read nosuch: ", false, `text:='"@…"'`},
		"a broken object":          {[]string{`{"a":`}, `argument {"a":: not JSON at byte 5`, true, "the whole arguments object"},
		"an object and more":       {[]string{`{"a":1}`, "b=2"}, `argument {"a":1}: an object is all arguments at once`, true, "one {…}"},
		"an object with an equals": {[]string{`{"a":"="}`, "b=2"}, "an object is all arguments at once", true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := script.Args(parse(t), c.words, nil)
			var wrong *script.ArgError
			if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want %s", err, c.want)
			}
			if !strings.Contains(wrong.Hint(), c.advice) || wrong.Hint() == "" || wrong.Word() != "usage" {
				t.Errorf("hint %q, word %q", wrong.Hint(), wrong.Word())
			}
			if early := script.CheckArgs(c.words) != nil; early != c.form {
				t.Errorf("told by the form of the words alone: %v, want %v", early, c.form)
			}
		})
	}
}

// A word's form is checked without reading what it names.
func TestCheckArgsReadsNothing(t *testing.T) {
	if err := script.CheckArgs([]string{"a=@nosuch", "b:=@-", "c:=@nosuch"}); err != nil {
		t.Error(err)
	}
}

func TestArgsStandardInputFails(t *testing.T) {
	broken := errors.New("broken")
	_, err := script.Args(nil, []string{"a=@-"}, io.MultiReader(strings.NewReader("x"), failing{broken}))
	if err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("error %v", err)
	}
}

func TestArgsStandardInputTwice(t *testing.T) {
	_, err := script.Args(nil, []string{"a=@-", "b:=@-"}, strings.NewReader("1"))
	if err == nil || !strings.Contains(err.Error(), "argument b:=@-: standard input was read already") {
		t.Errorf("error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func FuzzArgs(f *testing.F) {
	for _, w := range []string{"a=1", "a:={}", "{}", "text=\xff", "=", "count=1e999"} {
		f.Add(w)
	}
	o, _ := schema.Parse([]byte(form))
	f.Fuzz(func(t *testing.T, word string) {
		if strings.Contains(word, "=@") { // a file of this machine
			t.Skip()
		}
		got, err := script.Args(o, []string{word}, strings.NewReader(""))
		if err != nil {
			return
		}
		if problems := schema.Validate([]byte(`{"type":"object"}`), got); len(problems) > 0 {
			t.Errorf("%q gives %s: %v", word, got, problems)
		}
		if strings.ContainsAny(string(got), "\n\r") {
			t.Errorf("%q gives more than a line: %q", word, got)
		}
	})
}
