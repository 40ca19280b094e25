package script

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/client/mcp"
	"parley/client/rawjson"
)

func shortURI(verb string, params []byte) ([]string, bool) {
	values, ok := members(params, "uri")
	if !ok {
		return nil, false
	}
	uri, ok := wordOf(values[0])
	return []string{verb, uri}, ok
}

// shortLevel writes logging/setLevel, if the level is one that set takes.
func shortLevel(params []byte) ([]string, bool) {
	values, ok := members(params, "level")
	if !ok {
		return nil, false
	}
	level, ok := wordOf(values[0])
	return []string{"set", "log-level", level}, ok && slices.Contains(mcp.LogLevels(), level)
}

// shortListen writes subscriptions/listen, if listen asks for exactly that.
func shortListen(params []byte) ([]string, bool) {
	values, ok := members(params, "notifications")
	if !ok || rawjson.KindOf(values[0]) != rawjson.Object {
		return nil, false
	}
	words := []string{"listen"}
	sound := true
	at := 0 // of the members there may be, the next one
	_ = rawjson.Each(values[0], func(key string, _, value []byte) bool {
		i := slices.Index(filterKeys[at:], key)
		if sound = i >= 0; !sound {
			return false
		}
		if at += i + 1; at <= len(listenNames) {
			words = append(words, listenNames[at-1])
			sound = string(value) == "true"
			return sound
		}
		n := len(words)
		_ = rawjson.Elements(value, func(_ int, raw []byte) bool {
			word, ok := wordOf(raw)
			sound = sound && ok && strings.Contains(word, ":") // any other is no URI where it stands bare
			words = append(words, word)
			return sound
		})
		sound = sound && len(words) > n
		return sound
	})
	return words, sound && len(words) > 1
}

// filterKeys are the members of what a listen asks for, in the order in which they
// are written (spec: 2026-07-28, basic/subscriptions).
var filterKeys = []string{"toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions"}

func shortCall(verb string, params []byte) ([]string, bool) {
	if verb == "call" {
		if values, ok := members(params, "name", "arguments", "task"); ok {
			return shortTask(values)
		}
	}
	values, ok := members(params, "name", "arguments")
	if !ok {
		if values, ok = members(params, "name"); !ok || verb == "call" {
			return nil, false // call always sends arguments
		}
	}
	return callWords([]string{verb}, values)
}

// shortTask writes a call that runs as a task.
func shortTask(values [][]byte) ([]string, bool) {
	words := []string{"call", flagTask.Name}
	if ttl, ok := members(values[2], "ttl"); ok {
		ms, err := strconv.ParseInt(string(ttl[0]), 10, 64)
		if err != nil || ms <= 0 || ms > int64(maxTTL/time.Millisecond) {
			return nil, false
		}
		words = append(words, flagTTL.Name, (time.Duration(ms) * time.Millisecond).String())
	} else if string(values[2]) != "{}" {
		return nil, false
	}
	return callWords(words, values[:2])
}

// maxTTL is the longest life of a task that a duration can say.
const maxTTL = time.Duration(1<<63 - 1)

// callWords adds a name and arguments to the words of a call.
func callWords(words []string, values [][]byte) ([]string, bool) {
	call := words[0] == "call"
	name, ok := wordOf(values[0])
	if !ok {
		return nil, false
	}
	words = append(words, name)
	if len(values) == 1 {
		return words, true
	}
	if rawjson.KindOf(values[1]) != rawjson.Object {
		return nil, false
	}
	arguments, plain := argumentWords(values[1], !call)
	switch {
	case plain && (len(arguments) > 0 || call):
		return append(words, arguments...), true
	case !call:
		return nil, false
	}
	j, ok := quoteJSON(values[1])
	return append(words, j), ok
}

// argumentWords writes an arguments object as words. It reports false if one of the
// names cannot be written so, or comes twice.
func argumentWords(object []byte, texts bool) (words []string, ok bool) {
	ok = true
	seen := map[string]bool{}
	_ = rawjson.Each(object, func(key string, rawKey, value []byte) bool {
		_, path := keyPath(key)
		ok = !path && !seen[key] && isBare(key) && !strings.ContainsAny(key, "=@") && !strings.HasSuffix(key, ":") &&
			bytes.Equal(rawjson.Quote(nil, key), rawKey)
		seen[key] = true
		if !ok {
			return false
		}
		var word string
		word, ok = argumentWord(key, value, texts)
		words = append(words, word)
		return ok
	})
	return words, ok
}

func argumentWord(key string, value []byte, texts bool) (string, bool) {
	if rawjson.KindOf(value) == rawjson.String {
		text, _ := rawjson.Unquote(value)
		_, _, looksLikeJSON := rawjson.Valid([]byte(text))
		exact := bytes.Equal(rawjson.Quote(nil, text), value)
		if exact && (!looksLikeJSON || texts) && !strings.HasPrefix(text, "@") {
			if text == "" {
				return key + "=", true
			}
			quoted, ok := quoteText(text)
			return key + "=" + quoted, ok
		}
	}
	if texts {
		return "", false
	}
	j, ok := quoteJSON(value)
	return key + ":=" + j, ok
}

func shortComplete(params []byte) ([]string, bool) {
	values, ok := members(params, "ref", "argument", "context")
	if !ok {
		values, ok = members(params, "ref", "argument")
	}
	if !ok {
		return nil, false
	}
	key, kind := "name", `"ref/prompt"`
	ref, ok := members(values[0], "type", key)
	if !ok {
		key, kind = "uri", `"ref/resource"`
		ref, ok = members(values[0], "type", key)
	}
	argument, ok2 := members(values[1], "name", "value")
	if !ok || !ok2 || string(ref[0]) != kind {
		return nil, false
	}
	words := []string{"complete"}
	for i, raw := range [][]byte{ref[1], argument[0], argument[1]} {
		empty := string(raw) == `""`
		switch w, ok := wordOf(raw); {
		case i == 2 && empty && len(values) == 2:
		case i == 2 && empty: // something follows
			words = append(words, "''")
		case !ok || i == 0 && strings.ContainsAny(string(raw), ":{") != (key == "uri"):
			return nil, false
		default:
			words = append(words, w)
		}
	}
	if len(values) == 2 {
		return words, true
	}
	given, ok := members(values[2], "arguments")
	if !ok || rawjson.KindOf(given[0]) != rawjson.Object {
		return nil, false
	}
	others, ok := argumentWords(given[0], true)
	return append(words, others...), ok && len(others) > 0
}
