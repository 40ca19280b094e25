package client

import (
	"encoding/json"
	"strconv"

	"parley/client/rawjson"
	"parley/client/wire"
)

func requestBytes(id int64, method string, params json.RawMessage) []byte {
	b := append(newMessage(method, params), `{"jsonrpc":"2.0","id":`...)
	return appendMethod(strconv.AppendInt(b, id, 10), method, params)
}

func notificationBytes(method string, params json.RawMessage) []byte {
	b := append(newMessage(method, params), `{"jsonrpc":"2.0"`...)
	return appendMethod(b, method, params)
}

// newMessage has room for a message, if its method needs no escapes.
func newMessage(method string, params json.RawMessage) []byte {
	return make([]byte, 0, 80+len(method)+len(params))
}

func appendMethod(b []byte, method string, params json.RawMessage) []byte {
	b = append(b, `,"method":`...)
	b = rawjson.Quote(b, method)
	if len(params) > 0 {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return append(b, '}')
}

func cancelParams(id wire.ID, why error) json.RawMessage {
	b := []byte(`{"requestId":`)
	if id.Type == wire.StringID {
		b = rawjson.Quote(b, id.Text)
	} else {
		b = append(b, id.String()...)
	}
	b = append(b, `,"reason":`...)
	b = rawjson.Quote(b, why.Error())
	return append(b, '}')
}
