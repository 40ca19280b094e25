package script

import (
	"slices"

	"parley/client/rawjson"
	"parley/history"
)

// given are texts that mean something only to the server that gave them: the state of a
// multi round-trip request and the ids of tasks. The key is the text as it was recorded,
// the value its JSON as it was given now.
type given map[string][]byte

// givenAt are the places in a result where there are such texts.
var givenAt = [][]string{{"result", "requestState"}, {"result", "taskId"}, {"result", "task", "taskId"}}

// learn notes what the recorded answer and the one of now gave.
func (g given) learn(then, now []byte) {
	for _, path := range givenAt {
		before, ok := rawjson.Get(then, path...)
		after, too := rawjson.Get(now, path...)
		text, isText := rawjson.Unquote(before)
		if ok && too && isText && rawjson.KindOf(after) == rawjson.String {
			g[path[len(path)-1]+" "+text] = slices.Clone(after)
		}
	}
}

// put gives a request what the server gave now in the place of what it gave then; every
// other byte stays.
func (g given) put(request []byte) ([]byte, error) {
	for _, key := range []string{"requestState", "taskId"} {
		before, ok := rawjson.Get(request, "params", key)
		text, isText := rawjson.Unquote(before)
		now := g[key+" "+text]
		if !ok || !isText || now == nil {
			continue
		}
		var err error
		if request, err = rawjson.Set(request, "/params/"+key, now); err != nil {
			return nil, err
		}
	}
	return request, nil
}

// apart leaves out the differences of such texts: they are ids of a kind.
func (g given) apart(list []history.Difference) []history.Difference {
	return slices.DeleteFunc(list, func(d history.Difference) bool {
		return d.Kind == history.Changed && slices.ContainsFunc(givenAt, func(path []string) bool {
			at := ""
			for _, key := range path {
				at += "." + key
			}
			return d.Path == at
		})
	})
}
