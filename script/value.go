package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"reflect"
	"slices"

	"github.com/itchyny/gojq"

	"parley/client/rawjson"
)

// maxDepth is how deep values may be nested that jq expressions look into.
const maxDepth = 10_000

// decoded is a JSON value as gojq takes it, with the bytes that its objects and
// lists were read from: what passes through an expression unchanged is written as
// it was, with the order of its members and the spelling of its strings.
type decoded struct {
	value any
	from  map[container][]byte
}

// container tells an object or a list by where it is in memory. gojq never
// changes what it was given, and the decoded value lives as long as this is used.
type container struct {
	at  uintptr
	len int
}

func containerOf(v any) (container, bool) {
	switch v := v.(type) {
	case map[string]any:
		return container{reflect.ValueOf(v).Pointer(), -1}, true
	case []any:
		return container{reflect.ValueOf(v).Pointer(), len(v)}, len(v) > 0 // empty ones share a place
	}
	return container{}, false
}

// decode reads one JSON value, unless ctx ends before. Numbers keep their spelling.
func decode(ctx context.Context, raw []byte) (*decoded, error) {
	r := reader{ctx: ctx, raw: raw, dec: json.NewDecoder(bytes.NewReader(raw)), from: map[container][]byte{}}
	r.dec.UseNumber()
	v, err := r.value(0)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.New("unexpected end")
	}
	if err != nil {
		return nil, err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return &decoded{v, r.from}, nil
}

type reader struct {
	ctx  context.Context
	seen int // values so far
	raw  []byte
	dec  *json.Decoder
	from map[container][]byte
}

// lookEvery is after how many values a reader looks whether it is to go on.
const lookEvery = 4096

func (r *reader) value(depth int) (any, error) {
	if r.seen++; r.seen%lookEvery == 0 && r.ctx.Err() != nil {
		return nil, context.Cause(r.ctx)
	}
	token, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	bracket, ok := token.(json.Delim)
	if !ok {
		return token, nil
	}
	if depth == maxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	start := r.dec.InputOffset() - 1
	var v any
	if bracket == '{' {
		v, err = r.object(depth)
	} else {
		v, err = r.list(depth)
	}
	if err != nil {
		return nil, err
	}
	if _, err := r.dec.Token(); err != nil { // the closing bracket
		return nil, err
	}
	if c, ok := containerOf(v); ok {
		r.from[c] = r.raw[start:r.dec.InputOffset()]
	}
	return v, nil
}

func (r *reader) object(depth int) (any, error) {
	m := map[string]any{}
	for r.dec.More() {
		token, err := r.dec.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		if m[key], err = r.value(depth + 1); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (r *reader) list(depth int) (any, error) {
	list := []any{}
	for r.dec.More() {
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return slices.Clip(list), nil
}

// encode writes what an expression gave as JSON, in its own bytes where they are known.
func encode(dst []byte, v any, inputs ...*decoded) []byte {
	if c, ok := containerOf(v); ok {
		for _, in := range inputs {
			if raw, ok := in.from[c]; ok {
				return append(dst, raw...)
			}
		}
	}
	switch v := v.(type) {
	case map[string]any:
		dst = append(dst, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(rawjson.Quote(dst, key), ':')
			dst = encode(dst, v[key], inputs...)
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = encode(dst, v[i], inputs...)
		}
		return append(dst, ']')
	case string:
		return rawjson.Quote(dst, v)
	case *big.Int:
		return v.Append(dst, 10)
	}
	raw, err := gojq.Marshal(v)
	if err != nil { // gojq gives nothing else than values
		return append(dst, "null"...)
	}
	return append(dst, raw...)
}
