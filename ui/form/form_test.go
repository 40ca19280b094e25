package form

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/client/schema"
	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/uitest"
)

const forecast = `{
  "type": "object",
  "properties": {
    "latitude": {"type": "number", "minimum": -90, "maximum": 90},
    "longitude": {"type": "number", "description": "Longitude of the location"},
    "units": {"enum": ["metric", "imperial"], "default": "metric"},
    "days": {"type": "integer"},
    "note": {"type": ["string", "null"], "description": "Anything"},
    "story": {"type": "string", "contentMediaType": "text/markdown"},
    "verbose": {"type": "boolean"},
    "tags": {"type": "array", "items": {"type": "string"}}
  },
  "required": ["latitude", "longitude"]
}`

func newForm(t testing.TB, src string) *Form {
	t.Helper()
	o, err := schema.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	k := keys.New()
	f := New(o, Keys{Rows: k.Form.Rows, Fields: k.Field.Fields, Edit: k.Field.Edit, Leave: k.Field.Leave}, theme.Plain())
	f.SetFocused(true)
	f.SetSize(80, 24)
	return f
}

// do presses keys by name; words in quotes are typed.
func do(t testing.TB, f *Form, script string) {
	t.Helper()
	for _, word := range strings.Fields(script) {
		if strings.HasPrefix(word, "'") {
			for _, msg := range uitest.Type(strings.Trim(word, "'")) {
				if !f.Update(msg) {
					t.Errorf("%v was not taken", msg)
				}
			}
			continue
		}
		if !f.Update(uitest.Key(word)) {
			t.Errorf("%s was not taken", word)
		}
	}
}

func text(t testing.TB, f *Form) string {
	t.Helper()
	raw, err := f.JSON()
	if err != nil {
		return "error: " + err.Error()
	}
	return string(raw)
}

func TestTypingMakesExactJSON(t *testing.T) {
	tests := []struct{ name, keys, want string }{
		{"nothing", "", `{}`},
		{"numbers as typed", "enter '40.70' tab '-7.40e1'", `{"latitude":40.70,"longitude":-7.40e1}`},
		{"beyond 2^53", "j j j enter '9007199254740993'", `{"days":9007199254740993}`},
		{"not a number", "enter 'abc'", `error: latitude: expected a number, found "abc"`},
		{"enter goes on", "enter '1' enter '2'", `{"latitude":1,"longitude":2}`},
		{"back with shift+tab", "enter tab '2' shift+tab '1'", `{"latitude":1,"longitude":2}`},
		{"tab goes round", "enter shift+tab '[1,2]' tab '3'", `{"latitude":3,"tags":[1,2]}`},
		{"the default comes first", "j j space", `{"units":"metric"}`},
		{"choices", "j j right right", `{"units":"imperial"}`},
		{"choices backwards", "j j left", `{"units":"imperial"}`},
		{"a letter chooses", "j j enter 'i'", `{"units":"imperial"}`},
		{"absent again", "j j right ctrl+l", `{}`},
		{"boolean", "G k right", `{"verbose":true}`},
		{"boolean by letter", "G k enter 'f'", `{"verbose":false}`},
		{"null", "j j j j ctrl+n", `{"note":null}`},
		{"null while typing", "j j j j enter 'x' ctrl+n", `{"note":null}`},
		{"typing over null", "j j j j enter ctrl+n 'y'", `{"note":"y"}`},
		{"empty text", "j j j j enter 'x' backspace", `{"note":""}`},
		{"backspace on empty text", "j j j j enter 'x' backspace backspace", `{}`},
		{"moving sets nothing", "j j j j enter left right home ctrl+k", `{}`},
		{"an emptied number is absent", "enter '5' backspace", `{}`},
		{"several lines", "j j j j j enter 'one' enter 'two'", `{"story":"one\ntwo"}`},
		{"out of several lines", "j j j j j enter 'one' up 'x'", ``},
		{"JSON", "G enter '[\"a\",1.0]'", `{"tags":["a",1.0]}`},
		{"broken JSON", "G enter '[1'", `error: tags: expected JSON (array of strings), found "[1"`},
		{"leaving keeps", "enter '7' esc", `{"latitude":7}`},
		{"letters are letters", "enter tab tab tab tab 'jkgGqxRZ?/1 '", `{"note":"jkgGqxRZ?/1"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newForm(t, forecast)
			do(t, f, tt.keys)
			got := text(t, f)
			if tt.name == "out of several lines" {
				got, tt.want = fmt.Sprintf("%s %v", f.Current(), f.Typing()), "note true"
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestPasteArrivesComplete(t *testing.T) {
	f := newForm(t, forecast)
	do(t, f, "j j j j enter")
	f.Update(uitest.Paste("a\tb\x1b\r\u202e\"'"))
	if got, want := text(t, f), `{"note":"a\tb\u001b\n`+"\u202e"+`\"'"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if f.Update(uitest.Key("esc")); f.Update(uitest.Paste("x")) {
		t.Error("a paste was taken though no field has the keys")
	}
}

func TestKeysThatAreNotForTheForm(t *testing.T) {
	f := newForm(t, forecast)
	for _, k := range []string{"ctrl+s", "ctrl+o", "f1", "q", "tab", "ctrl+c", "x"} {
		if f.Update(uitest.Key(k)) {
			t.Errorf("%s was taken", k)
		}
	}
	do(t, f, "enter")
	for _, k := range []string{"ctrl+s", "ctrl+o", "f1", "ctrl+c", "alt+x"} {
		if f.Update(uitest.Key(k)) {
			t.Errorf("%s was taken while typing", k)
		}
	}
	do(t, f, "tab tab q ? 1") // letters on a row that is chosen from do nothing
	if got := text(t, f); got != `{}` {
		t.Errorf("got %s", got)
	}
	do(t, f, "esc")
	if f.Typing() {
		t.Error("esc did not leave the field")
	}
	if f.Update(uitest.Key("esc")) {
		t.Error("esc was taken though there is no field to leave")
	}
}

func TestSetJSON(t *testing.T) {
	for _, args := range []string{
		`{}`,
		`{"latitude":1.0,"units":"imperial","days":9007199254740993,"note":null,"story":"a\nb","verbose":false,"tags":["x"]}`,
		`{"note":""}`,
	} {
		f := newForm(t, forecast)
		do(t, f, "enter '99'")
		if err := f.SetJSON([]byte(args)); err != nil {
			t.Fatal(err)
		}
		if got := text(t, f); got != args {
			t.Errorf("got %s, want %s", got, args)
		}
	}
	f := newForm(t, forecast)
	args := `{"latitude":1,"longitude":"east","other":{"a":1.0}}`
	if err := f.SetJSON([]byte(args)); err != nil {
		t.Fatal(err)
	}
	if got := text(t, f); got != args {
		t.Errorf("got %s, want %s", got, args)
	}
	if view := f.View(); !strings.Contains(view, "(other)") || !strings.Contains(view, "unknown name") && !strings.Contains(view, `"east"`) {
		t.Errorf("what no field holds is not shown:\n%s", view)
	}
	if !strings.Contains(f.View(), "expected a number") {
		t.Errorf("the value of another type is not pointed out:\n%s", f.View())
	}
	do(t, f, "G enter ctrl+l")
	if got := text(t, f); got != `{"latitude":1}` {
		t.Errorf("without the rest: %s", got)
	}
	for _, bad := range []string{`{`, `[1]`, ``} {
		if err := f.SetJSON([]byte(bad)); err == nil || text(t, f) != `{"latitude":1}` {
			t.Errorf("%q gives %v and %s", bad, err, text(t, f))
		}
	}
	if err := f.SetJSON([]byte(`{}`)); err != nil || strings.Contains(f.View(), "(other)") {
		t.Error("the row for the rest stays")
	}
}

func TestSchemaThatIsNoForm(t *testing.T) {
	f := newForm(t, `null`)
	if got := text(t, f); got != `{}` {
		t.Errorf("untouched: %s", got)
	}
	if view := f.View(); !strings.Contains(view, "arguments") || !strings.Contains(view, "the schema is null") {
		t.Errorf("the reason is not shown:\n%s", view)
	}
	do(t, f, "enter '{\"a\":' space '1.0}'")
	if got := text(t, f); got != `{"a":1.0}` {
		t.Errorf("typed: %s", got)
	}
	if err := f.SetJSON([]byte(`[1]`)); err != nil || text(t, f) != `[1]` {
		t.Errorf("any JSON: %v, %s", err, text(t, f))
	}

	none := newForm(t, `{"type":"object","properties":{}}`)
	if got := text(t, none); got != `{}` {
		t.Errorf("no arguments: %s", got)
	}
	if !strings.Contains(none.View(), "no arguments") {
		t.Errorf("it is not said that there are none:\n%s", none.View())
	}
	if none.Update(uitest.Key("enter")) || none.Typing() || !none.Check() {
		t.Error("a form without fields took a key")
	}
}

func TestConstants(t *testing.T) {
	f := newForm(t, `{"type":"object","properties":{"v":{"const":"1.0"},"w":{"const":2}},"required":["v"]}`)
	if got := text(t, f); got != `{"v":"1.0"}` {
		t.Errorf("a required constant is not sent: %s", got)
	}
	do(t, f, "right j right")
	if got := text(t, f); got != `{"w":2}` {
		t.Errorf("turned over: %s", got)
	}
}

func TestProblemsAreShownBesideTheField(t *testing.T) {
	f := newForm(t, forecast)
	line := func(name string) string {
		for _, l := range strings.Split(uitest.Plain(f.View()), "\n") {
			if strings.Contains(l, name) {
				return l
			}
		}
		return ""
	}
	if strings.Contains(f.View(), "✗") {
		t.Errorf("an untouched form complains:\n%s", f.View())
	}
	do(t, f, "enter '91'")
	if l := line("latitude"); !strings.Contains(l, "✗") || !strings.Contains(l, "90") {
		t.Errorf("a value that is too large: %s", l)
	}
	if strings.Contains(line("longitude"), "✗") {
		t.Errorf("what is missing is pointed out before sending: %s", line("longitude"))
	}
	do(t, f, "backspace")
	if l := line("latitude"); strings.Contains(l, "✗") {
		t.Errorf("the complaint stays: %s", l)
	}
	if f.Check() {
		t.Error("a form with a missing field is in order")
	}
	if f.Current() != "longitude" || !f.Typing() {
		t.Errorf("after the check the field is %q, typing %v", f.Current(), f.Typing())
	}
	if l := line("longitude"); !strings.Contains(l, "✗ required") {
		t.Errorf("what is missing is not pointed out: %s", l)
	}
	if p := f.Problems(); len(p) != 1 || p[0].Field != "longitude" {
		t.Errorf("problems %v", p)
	}
	do(t, f, "'1'")
	if !f.Check() || len(f.Problems()) != 0 {
		t.Errorf("a complete form is not in order:\n%s", f.View())
	}
}

func TestSnapshotKeepsWhatWasTyped(t *testing.T) {
	f := newForm(t, forecast)
	do(t, f, "enter 'abc' tab '2' tab right tab tab ctrl+n")
	want := f.View()
	saved, err := json.Marshal(f.Snapshot())
	if err != nil {
		t.Fatal(err)
	}

	var s Snapshot
	if err := json.Unmarshal(saved, &s); err != nil {
		t.Fatal(err)
	}
	g := newForm(t, forecast)
	g.Restore(s)
	g.Start()
	if got := g.View(); got != want {
		t.Errorf("restored\n%s\nwant\n%s", got, want)
	}

	// A schema that lost a field keeps its value for when it comes back.
	less := newForm(t, strings.Replace(forecast, `"latitude": {`, `"breadth": {`, 1))
	less.Restore(s)
	again := newForm(t, forecast)
	again.Restore(less.Snapshot())
	if v := again.Snapshot().Values["latitude"]; v.Text != "abc" {
		t.Errorf("the value of the lost field is %+v", v)
	}
	again.Reset()
	if s := again.Snapshot(); len(s.Values) != 0 || text(t, again) != `{}` {
		t.Errorf("after a reset %+v", s)
	}
}

func TestGoto(t *testing.T) {
	f := newForm(t, forecast)
	if !f.Goto("verbose") || f.Current() != "verbose" || f.Goto("nobody") || f.Goto("") {
		t.Errorf("at %q", f.Current())
	}
}
