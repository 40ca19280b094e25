package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/itchyny/gojq"

	"parley/client/near"
	"parley/client/rawjson"
)

// variable is the value of a variable.
type variable struct {
	raw     json.RawMessage
	took    time.Duration // of what gave it
	timed   bool          // an exchange gave it
	decoded *decoded      // for jq, once it was needed
}

func (v *variable) forJQ(ctx context.Context) (*decoded, error) {
	if v.decoded == nil {
		d, err := decode(ctx, v.raw)
		if err != nil {
			return nil, err
		}
		v.decoded = d
	}
	return v.decoded, nil
}

// VariableError is a variable, or one of the environment, that there is not.
type VariableError struct {
	Pos    Pos
	Name   string // as it is written: $x, $env.HOME
	Advice string
}

func (e *VariableError) Error() string {
	if strings.HasPrefix(e.Name, "$env.") {
		return fmt.Sprintf("the environment has no variable %s", strings.TrimPrefix(e.Name, "$env."))
	}
	return fmt.Sprintf("there is no variable %s", e.Name)
}

// Hint names the variable that was probably meant.
func (e *VariableError) Hint() string { return e.Advice }

// Word names the error for machines.
func (e *VariableError) Word() string { return "usage" }

// Place is where it is used.
func (e *VariableError) Place() Pos { return e.Pos }

// evaluator gives the values of expressions to those who read words.
func (in *Interp) evaluator(ctx context.Context) Eval {
	return func(e *Expr) (json.RawMessage, error) {
		raw, there, err := in.one(ctx, e)
		if err == nil && !there {
			in.opt.Host.Note("warning", in.absent(e))
		}
		return raw, err
	}
}

// one gives the one value of an expression. A path to where nothing is gives null,
// and says so.
func (in *Interp) one(ctx context.Context, e *Expr) (raw json.RawMessage, there bool, err error) {
	values, there, err := in.values(ctx, e)
	switch {
	case err != nil:
		return nil, false, err
	case !there:
		return json.RawMessage("null"), false, nil
	case len(values) == 0:
		return nil, false, &QueryError{Pos: e.Pos, Expr: e.Source, Offset: -1, Err: errors.New("gives nothing")}
	case len(values) > 1:
		return nil, false, &QueryError{Pos: e.Pos, Expr: e.Source, Offset: -1,
			Err: fmt.Errorf("gives %d values where one is needed; $x | [.…] makes one list of several", len(values))}
	}
	return values[0], true, nil
}

// values gives all values of an expression. there is false for a path to where
// nothing is.
func (in *Interp) values(ctx context.Context, e *Expr) (values []json.RawMessage, there bool, err error) {
	if e.Duration {
		took, err := in.took(e)
		return []json.RawMessage{rawjson.Quote(nil, took.String())}, true, err
	}
	if err := in.known(e); err != nil {
		return nil, false, err
	}
	if e.Path != nil && e.Path.Var != "env" {
		if raw, ok := rawjson.Get(in.vars[e.Path.Var].raw, e.Path.Keys...); ok {
			return []json.RawMessage{raw}, true, nil
		}
	}
	values, err = in.jq(ctx, e)
	if e.Path == nil || e.Path.Var == "env" || err != nil {
		return values, true, err
	}
	there = len(values) != 1 || string(values[0]) != "null" // null is how jq says that nothing is there
	return values, there, nil
}

// took is how long what gave a variable took.
func (in *Interp) took(e *Expr) (time.Duration, error) {
	if err := in.known(e); err != nil {
		return 0, err
	}
	v := in.vars[e.Vars[0]]
	if v == nil || !v.timed {
		return 0, &QueryError{Pos: e.Pos, Expr: e.Source, Offset: -1, Err: fmt.Errorf("$%s is not what a request gave", e.Vars[0])}
	}
	return v.took, nil
}

// known checks that the variables of an expression exist.
func (in *Interp) known(e *Expr) error {
	for _, name := range e.Vars {
		if in.vars[name] != nil || name == "env" && !e.Duration {
			continue
		}
		wrong := &VariableError{Pos: e.Pos, Name: "$" + name, Advice: "let " + name + " = … sets it"}
		if n := near.Best(name, in.Vars()); n != "" {
			wrong.Advice = "did you mean $" + n + "?"
		}
		return wrong
	}
	return nil
}

// jq runs an expression and gives all its values.
func (in *Interp) jq(ctx context.Context, e *Expr) (out []json.RawMessage, err error) {
	err = in.eachValue(ctx, e, func(raw json.RawMessage) error {
		out = append(out, raw)
		return nil
	})
	return out, err
}

// eachValue runs an expression and gives its values to yield as they come.
func (in *Interp) eachValue(ctx context.Context, e *Expr, yield func(json.RawMessage) error) error {
	code, err := in.code(e)
	if err != nil {
		return err
	}
	values := make([]any, len(e.Vars))
	var from []*decoded
	for i, name := range e.Vars {
		if name == "env" {
			if values[i], err = in.environment(e); err != nil {
				return err
			}
			continue
		}
		d, err := in.vars[name].forJQ(ctx)
		if err != nil && ctx.Err() != nil {
			return err
		}
		if err != nil {
			return &QueryError{Pos: e.Pos, Expr: e.Source, Offset: -1, Err: fmt.Errorf("$%s: %w", name, err)}
		}
		values[i] = d.value
		from = append(from, d)
	}
	return at(e.Pos, run(ctx, e.Source, code.RunWithContext(ctx, nil, values...), yield, from...))
}

// at gives an error of an expression its place in the script.
func at(pos Pos, err error) error {
	var wrong *QueryError
	if errors.As(err, &wrong) && wrong.Pos == (Pos{}) {
		wrong.Pos = pos
	}
	return err
}

func (in *Interp) code(e *Expr) (*gojq.Code, error) {
	if code := in.codes[e]; code != nil {
		return code, nil
	}
	vars := make([]string, len(e.Vars))
	for i, name := range e.Vars {
		vars[i] = "$" + name
	}
	code, err := compile(e.Source, vars)
	if err != nil {
		return nil, at(e.Pos, err)
	}
	in.codes[e] = code
	return code, nil
}

// envName finds the variables of the environment that an expression names, and the
// ? of those that may be unset.
var envName = regexp.MustCompile(`\$env\s*(?:\.\s*(?:([A-Za-z_]\w*)|"([^"\\]*)")|\.?\[\s*"([^"\\]*)"\s*\])(\s*\?)?`)

// environment has the variables of the environment that the expression names. One
// that is unset is an error, unless a ? stands behind it.
func (in *Interp) environment(e *Expr) (map[string]any, error) {
	env := map[string]any{}
	for _, m := range envName.FindAllStringSubmatch(e.Source, -1) {
		name := m[1] + m[2] + m[3]
		value, ok := in.lookupEnv(name)
		if ok {
			env[name] = strings.ToValidUTF8(value, "\ufffd")
		} else if m[4] == "" {
			return nil, &VariableError{Pos: e.Pos, Name: "$env." + name, Advice: "$env." + name + "? is null then"}
		}
	}
	return env, nil
}

func (in *Interp) lookupEnv(name string) (string, bool) {
	if in.opt.Env != nil {
		return in.opt.Env(name)
	}
	return os.LookupEnv(name)
}

// absent says that a path leads nowhere, and where it ends.
func (in *Interp) absent(e *Expr) string {
	text := e.Source + " is not there: null"
	if why := in.astray(e); why != "" {
		text += "; " + why
	}
	return text
}

// astray says where a path that leads nowhere goes wrong: which member was probably
// meant, or what is null.
func (in *Interp) astray(e *Expr) string {
	raw := in.vars[e.Path.Var].raw
	for i, key := range e.Path.Keys {
		next, ok := rawjson.Get(raw, key)
		if ok {
			raw = next
			continue
		}
		place := jqPath(e.Path.Var, e.Path.Keys[:i])
		var names []string
		_ = rawjson.Each(raw, func(name string, _, _ []byte) bool {
			names = append(names, name)
			return len(names) < maxNames
		})
		if n := near.Best(key, names); n != "" {
			return "did you mean " + jqPath(e.Path.Var, append(slices.Clone(e.Path.Keys[:i]), n)) + "?"
		}
		if i > 0 && rawjson.KindOf(raw) == rawjson.Null {
			return place + " is null"
		}
		return ""
	}
	return ""
}

// maxNames is how many names are looked at for a near one.
const maxNames = 1000

var plainKey = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// jqPath writes a path as it is typed.
func jqPath(name string, keys []string) string {
	b := []byte("$" + name)
	for _, key := range keys {
		switch n, err := strconv.Atoi(key); {
		case err == nil && strconv.Itoa(n) == key:
			b = append(append(append(b, '['), key...), ']')
		case plainKey.MatchString(key):
			b = append(append(b, '.'), key...)
		default:
			b = rawjson.Quote(append(b, '.'), key)
		}
	}
	return string(b)
}
