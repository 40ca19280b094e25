package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/client/rawjson"
	"parley/script"
)

// varsAdvice says what variables are written as.
const varsAdvice = `variables are one JSON object: --vars '{"city":"Paris"}', or --vars @FILE`

// readVars reads the flags --vars and --vars-env. Of a name that is given twice
// the last value counts, and --vars over --vars-env. Values keep their bytes. What
// a program gives in its environment may have names that no script can use.
func (a *app) readVars(flags, names []string) (map[string]json.RawMessage, error) {
	vars := map[string]json.RawMessage{}
	for _, name := range names {
		if name == "" || strings.Contains(name, "=") {
			return nil, usage("it takes the name of a variable of the environment, which has a JSON object", "--vars-env %q: that is no name of a variable", name)
		}
		text, set := os.LookupEnv(name)
		if !set {
			continue
		}
		given, err := readObject(text)
		if err != nil {
			return nil, usage(varsAdvice, "--vars-env %s: the variable %s %v", name, name, err)
		}
		maps.Copy(vars, given)
	}
	for _, v := range flags {
		where, text := "the object", v
		if file, isFile := strings.CutPrefix(v, "@"); isFile {
			raw, err := os.ReadFile(file)
			if err != nil {
				return nil, usage(varsAdvice, "--vars: cannot read %q: %v", file, reasonOf(err))
			}
			where, text = file, string(raw)
		}
		given, err := readObject(text)
		if err != nil {
			return nil, usage(varsAdvice, "--vars: %s %v", where, err)
		}
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if !script.IsVariable(name) {
				return nil, usage("letters, digits and _, not beginning with a digit, and not env", "--vars: %q cannot be the name of a variable", name)
			}
		}
		maps.Copy(vars, given)
	}
	return vars, nil
}

// readObject reads the members of a JSON object. The error says what the text is.
func readObject(text string) (map[string]json.RawMessage, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	raw, err := rawjson.CompactLoose(nil, []byte(text))
	var wrong *rawjson.SyntaxError
	switch {
	case !utf8.ValidString(text):
		return nil, errors.New("is no UTF-8 text")
	case errors.As(err, &wrong):
		before := text[:min(wrong.Offset, len(text))]
		line := strings.Count(before, "\n") + 1
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		return nil, fmt.Errorf("is no JSON: line %d, column %d: %s", line, column, wrong.Reason)
	case err != nil:
		return nil, err
	}
	if kind := rawjson.KindOf(raw); kind != rawjson.Object {
		return nil, fmt.Errorf("is no JSON object but %s", kind)
	}
	vars := map[string]json.RawMessage{}
	err = rawjson.Each(raw, func(name string, _, value []byte) bool {
		vars[name] = bytes.Clone(value)
		return true
	})
	return vars, err
}
