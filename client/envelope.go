package client

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"parley/client/mcp"
	"parley/client/rawjson"
)

// envelope is what each modern request says of itself in params._meta: the version,
// who asks, what the client can answer, how much is to be logged (spec: 2026-07-28,
// basic, _meta). Notifications carry none of it: their _meta has no such keys.
type envelope []metaField

type metaField struct {
	key   string
	value []byte // JSON
}

func newEnvelope(opt *Options, version string, capabilities []byte) envelope {
	e := envelope{{mcp.MetaVersion, rawjson.Quote(nil, version)}}
	if !opt.Anonymous {
		e = append(e, metaField{mcp.MetaClientInfo, clientInfo(opt)})
	}
	e = append(e, metaField{mcp.MetaCapabilities, slices.Clone(capabilities)})
	if opt.LogLevel != "" {
		e = append(e, metaField{mcp.MetaLogLevel, rawjson.Quote(nil, opt.LogLevel)})
	}
	return e
}

func clientInfo(opt *Options) []byte {
	b := append([]byte(`{"name":`), rawjson.Quote(nil, opt.Name)...)
	b = append(b, `,"version":`...)
	b = rawjson.Quote(b, opt.Version)
	return append(b, '}')
}

// withMeta gives params with the fields in their _meta. What is there already wins, and
// every other byte stays; params that are no object, or have a _meta that is none, stay
// as they are altogether.
func withMeta(params json.RawMessage, fields []metaField) json.RawMessage {
	if len(fields) == 0 {
		return params
	}
	if len(params) == 0 {
		b := append(make([]byte, 0, sizeOf(fields)), `{"_meta":`...)
		return append(appendFields(b, fields), '}')
	}
	meta, ok := rawjson.Get(params, "_meta")
	switch {
	case !ok && isCompactObject(params): // as most are: nothing has to be parsed again
		end := len(params) - 1
		b := append(make([]byte, 0, end+sizeOf(fields)), params[:end]...)
		b = append(b, `,"_meta":`...)
		return append(appendFields(b, fields), '}')
	case !ok:
		meta = appendFields(nil, fields)
	case rawjson.KindOf(meta) != rawjson.Object:
		return params
	default:
		for _, f := range fields {
			if _, has := rawjson.Get(meta, f.key); has {
				continue
			}
			with, err := rawjson.Set(meta, "/"+strings.ReplaceAll(f.key, "/", "~1"), f.value)
			if err != nil {
				return params
			}
			meta = with
		}
	}
	if with, err := rawjson.Set(params, "/_meta", meta); err == nil {
		return with
	}
	return params
}

func appendFields(b []byte, fields []metaField) []byte {
	b = append(b, '{')
	for i, f := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(rawjson.Quote(b, f.key), ':'), f.value...)
	}
	return append(b, '}')
}

func sizeOf(fields []metaField) int {
	n := len(`,"_meta":{}}`)
	for _, f := range fields {
		n += len(f.key) + len(f.value) + len(`"":,`)
	}
	return n
}

// isCompactObject reports whether valid JSON is an object that has members and ends
// without a space.
func isCompactObject(raw []byte) bool {
	n := len(raw)
	return n > 2 && raw[0] == '{' && raw[n-1] == '}' && raw[n-2] > ' '
}

// progressField asks for progress; the id of the request is the token.
func progressField(id int64) metaField {
	return metaField{"progressToken", strconv.AppendInt(nil, id, 10)}
}

// on gives the params of a request as they are sent.
func (e envelope) on(params json.RawMessage, id int64, progress bool) json.RawMessage {
	if progress {
		e = append(envelope{progressField(id)}, e...)
	}
	return withMeta(params, e)
}
