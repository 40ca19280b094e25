// Package rawjson works on JSON as bytes. It indents, compacts, colours, looks
// up, compares and edits without decoding what it does not have to, so that
// numbers keep their spelling, strings their escapes and objects their order.
//
// All functions are pure and safe for concurrent use. Results that are said to
// be part of src share its memory.
package rawjson
