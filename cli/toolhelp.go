package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/client/mcp"
	"parley/client/near"
	"parley/client/rawjson"
	"parley/client/schema"
	"parley/script"
	"parley/ui/theme"
)

// helpOf lets --help, with a name before -- and a target after it, tell what that
// tool or prompt takes.
func (a *app) helpOf(c *cobra.Command, tell func(t *target, name string) error) {
	c.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		words, rest, forced := apart(cmd, cmd.Flags().Args())
		if len(words) == 0 || !a.given(rest) {
			cmd.Root().HelpFunc()(cmd, args)
			return
		}
		t, err := a.target(rest, forced)
		if err == nil {
			err = tell(&t, words[0])
		}
		a.helped = err
	})
}

// toolHelp prints what a tool takes, as the help of a command prints its flags.
func (a *app) toolHelp(t *target, name string) error {
	return a.lookAt(t, "tools", func(o *script.Outcome) error {
		pages, err := o.Pages()
		if err != nil {
			return err
		}
		var names []string
		for _, page := range pages {
			for _, tool := range mcp.DecodeTools(page).Items {
				if tool.Name == name {
					return a.printToolHelp(t, tool)
				}
				names = append(names, tool.Name)
			}
		}
		return notListed("tool", name, names, o.Err)
	})
}

// promptHelp prints what a prompt takes.
func (a *app) promptHelp(t *target, name string) error {
	return a.lookAt(t, "prompts", func(o *script.Outcome) error {
		pages, err := o.Pages()
		if err != nil {
			return err
		}
		var names []string
		for _, page := range pages {
			for _, prompt := range mcp.DecodePrompts(page).Items {
				if prompt.Name == name {
					return a.printPromptHelp(t, prompt)
				}
				names = append(names, prompt.Name)
			}
		}
		return notListed("prompt", name, names, o.Err)
	})
}

// notListed says that a list has no such name; why is what ended the list early.
func notListed(what, name string, names []string, why error) error {
	if why != nil {
		return nil // the list's own error is told
	}
	advice := "it lists no " + what + "s at all"
	if meant := near.Best(name, names); meant != "" {
		advice = "did you mean " + meant + "?"
	} else if len(names) > 0 {
		if len(names) > maxNames {
			names = append(names[:maxNames:maxNames], "…")
		}
		advice = "it lists: " + strings.Join(names, ", ")
	}
	return usage(advice, "the server lists no %s %q", what, name)
}

// argument is one row of the help of a tool or a prompt.
type argument struct {
	name, takes string // "city", "=string"
	required    bool
	text        string
	field       *schema.Field // of a tool
}

func (a *app) printToolHelp(t *target, tool mcp.Tool) error {
	if a.json {
		_, err := fmt.Fprintf(a.io.Out, "%s\n", tool.Raw)
		return err
	}
	form, err := schema.Parse(tool.InputSchema)
	if err != nil {
		form = &schema.Object{Problem: err.Error()}
	}
	args := fields(form)
	about := []string{tool.Description}
	if label := tool.Label(); label != tool.Name {
		about = []string{label, tool.Description}
	}
	a.printHelpOf("call", tool.Name, t, about, args)
	if form.Problem != "" {
		fmt.Fprintf(a.io.Out, "\n%s; give one JSON object: '{…}'. Its schema:\n", a.shown(form.Problem))
		pretty, _ := rawjson.Indent(nil, tool.InputSchema)
		fmt.Fprintf(a.io.Out, "%s\n", a.shown(string(pretty)))
	}
	if hints := hints(tool); hints != "" {
		fmt.Fprintf(a.io.Out, "\nThe server says that it %s.\n", hints)
	}
	return nil
}

func (a *app) printPromptHelp(t *target, prompt mcp.Prompt) error {
	if a.json {
		_, err := fmt.Fprintf(a.io.Out, "%s\n", prompt.Raw)
		return err
	}
	var args []argument
	for _, arg := range prompt.Arguments {
		args = append(args, argument{arg.Name, "=text", arg.Required, or(arg.Description, arg.Title), nil})
	}
	about := []string{prompt.Description}
	if label := prompt.Label(); label != prompt.Name {
		about = []string{label, prompt.Description}
	}
	a.printHelpOf("get", prompt.Name, t, about, args)
	return nil
}

// printHelpOf prints what something is, how it is called, and a row an argument.
func (a *app) printHelpOf(verb, name string, t *target, about []string, args []argument) {
	width, _ := a.io.size()
	if width <= 0 {
		width = usualWidth
	}
	if !a.io.OutTTY {
		width = endless
	}
	for _, text := range slices.DeleteFunc(about, func(s string) bool { return strings.TrimSpace(s) == "" }) {
		for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
			lines := wrapText(theme.Safe(strings.TrimRight(line, " \r")), width)
			fmt.Fprintln(a.io.Out, strings.Join(texts(lines), "\n"))
		}
		fmt.Fprintln(a.io.Out)
	}
	form := []string{"parley", verb, quoted([]string{name})}
	for _, arg := range args {
		switch word := arg.name + "=…"; {
		case strings.ContainsAny(arg.name, ".["): // a place inside another
		case arg.required:
			form = append(form, word)
		default:
			form = append(form, "["+word+"]")
		}
	}
	const gap = 2
	usage := wrapText(theme.Safe(strings.Join(append(form, a.behind(t)), " ")), width-2*gap)
	fmt.Fprintf(a.io.Out, "Usage:\n%s%s\n", theme.Spaces(gap), strings.Join(texts(usage), "\n"+theme.Spaces(2*gap)))
	if len(args) == 0 {
		return
	}
	fmt.Fprintln(a.io.Out, "\nArguments:")
	out := table{width: width, height: math.MaxInt, looks: a.looks()}
	for _, arg := range args {
		required := ""
		if arg.required {
			required = "required"
		}
		out.rows = append(out.rows, tableRow{name: theme.Safe("  " + arg.name + arg.takes), summary: theme.Text(required), text: arg.text})
	}
	fmt.Fprint(a.io.Out, out.String())
}

func texts(lines []theme.Text) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = string(l)
	}
	return out
}

// endless is the width of what is no terminal: lines are as they are.
const endless = 1 << 20

// maxDeep bounds how deep the help looks into arguments.
const maxDeep = 3

// fields makes rows of a form's fields, and of those inside of objects and of the
// elements of arrays.
func fields(form *schema.Object) (rows []argument) {
	for _, f := range form.Fields {
		rows = append(rows, rowOf(f.Name, f, f.Required))
		rows = append(rows, inside(form, []string{f.Name}, f.Name, f, 0)...)
	}
	return rows
}

func rowOf(name string, f *schema.Field, required bool) argument {
	takes := "=" + typeOf(f)
	if f.Type == schema.JSON && !f.Untyped {
		takes = ":=JSON"
	}
	return argument{name, takes, required, about(f), f}
}

// inside makes rows of what is inside of the field at a path, which arguments write
// as name.
func inside(form *schema.Object, path []string, name string, f *schema.Field, depth int) (rows []argument) {
	if f.Type != schema.JSON || depth == maxDeep || strings.ContainsAny(path[len(path)-1], ".[]=:") {
		return nil
	}
	raw := referred(form.Raw, f.Schema)
	if items, ok := rawjson.Get(raw, "items"); ok && rawjson.KindOf(items) == rawjson.Object {
		raw, path, name = referred(form.Raw, items), append(slices.Clip(path), "0"), name+"[0]"
	}
	object, err := schema.Parse(raw)
	if err != nil || object.Problem != "" {
		return nil
	}
	for _, inner := range object.Fields {
		at := append(slices.Clip(path), inner.Name)
		whole, ok := form.At(at...)
		if !ok {
			whole = inner
		}
		rows = append(rows, rowOf(name+"."+inner.Name, whole, inner.Required))
		rows = append(rows, inside(form, at, name+"."+inner.Name, whole, depth+1)...)
	}
	return rows
}

// referred follows references of a schema to places of its document.
func referred(document, raw []byte) []byte {
	for range maxDeep {
		ref, _ := rawjson.Get(raw, "$ref")
		place, ok := rawjson.Unquote(ref)
		if !ok || !strings.HasPrefix(place, "#") {
			break
		}
		off, n, found := rawjson.Find(document, place[1:])
		if !found {
			break
		}
		raw = document[off : off+n]
	}
	return raw
}

// about is a field's description with what else its schema says of it.
func about(f *schema.Field) string {
	var facts []string
	if f.Type == schema.JSON && f.Reason != "" && !f.Untyped {
		facts = append(facts, f.Reason)
	}
	if f.Type == schema.Enum && len(f.Enum) > maxChoices {
		var all []string
		for _, o := range f.Enum {
			all = append(all, plainValue(o.Raw))
		}
		facts = append(facts, "one of "+strings.Join(all, ", "))
	}
	if r := limits(f); r != "" {
		facts = append(facts, r)
	}
	if f.Pattern != "" {
		facts = append(facts, "matches "+f.Pattern)
	}
	if f.Default != nil {
		facts = append(facts, "default "+plainDefault(f.Default))
	}
	text := paragraph(or(f.Description, f.Title))
	if len(facts) > 0 {
		text = strings.TrimSpace(text + " (" + strings.Join(facts, "; ") + ")")
	}
	return text
}

func plainDefault(raw json.RawMessage) string {
	if text := plainValue(raw); text != "" {
		return text
	}
	return `""`
}

// limits are the bounds of a number or of a text's length, in words.
func limits(f *schema.Field) string {
	low, high := f.Minimum, f.Maximum
	what := ""
	if f.MinLength != nil {
		low, what = fmt.Sprint(*f.MinLength), " characters"
	}
	if f.MaxLength != nil {
		high, what = fmt.Sprint(*f.MaxLength), " characters"
	}
	if f.ExclusiveMinimum != "" {
		low = "more than " + f.ExclusiveMinimum
	}
	if f.ExclusiveMaximum != "" {
		high = "less than " + f.ExclusiveMaximum
	}
	switch {
	case low != "" && high != "":
		return low + " to " + high + what
	case low != "" && f.ExclusiveMinimum == "":
		return "at least " + low + what
	case high != "" && f.ExclusiveMaximum == "":
		return "at most " + high + what
	}
	return low + high
}

// hints are the annotations of a tool in words: the server's own, nothing proves them.
func hints(tool mcp.Tool) string {
	var words []string
	add := func(hint *bool, yes, no string) {
		switch {
		case hint == nil:
		case *hint:
			words = append(words, yes)
		default:
			words = append(words, no)
		}
	}
	add(tool.ReadOnly, "only reads", "changes things")
	add(tool.Destructive, "may destroy", "destroys nothing")
	add(tool.Idempotent, "may be repeated without more effect", "has an effect each time")
	add(tool.OpenWorld, "reaches outside", "stays inside")
	return strings.Join(words, ", ")
}
