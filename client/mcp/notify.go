package mcp

import (
	"encoding/json"
	"slices"
	"strconv"

	"parley/client/rawjson"
)

// Progress is the content of notifications/progress. The numbers are for bars
// and comparisons; show the spellings, which are as sent.
type Progress struct {
	Progress float64
	Total    *float64
	Message  string

	Token                         json.RawMessage
	ProgressSpelled, TotalSpelled string
	Problem                       string
}

// DecodeProgress reads the params of notifications/progress.
func DecodeProgress(params []byte) Progress {
	var p Progress
	r := newReader("params")
	r.object(params, func(key string, raw []byte) {
		switch key {
		case "progressToken":
			p.Token = raw
		case "progress":
			if n := r.float(key, raw); n != nil {
				p.Progress, p.ProgressSpelled = *n, string(raw)
			}
		case "total":
			if p.Total = r.float(key, raw); p.Total != nil {
				p.TotalSpelled = string(raw)
			}
		case "message":
			p.Message = r.text(key, raw)
		}
	})
	r.require("progressToken")
	r.require("progress")
	p.Problem = r.problem()
	return p
}

func (r *reader) float(key string, raw []byte) *float64 {
	if !r.want(key, raw, rawjson.Number) {
		return nil
	}
	// out of range gives an infinity, which is what a bar should show
	n, _ := strconv.ParseFloat(string(raw), 64)
	return &n
}

// LogMessage is the content of notifications/message.
type LogMessage struct {
	Level, Logger string
	Data          json.RawMessage
	Problem       string
}

// Text is the message for people: a string's text, or other data as sent.
func (m LogMessage) Text() string {
	if s, ok := rawjson.Unquote(m.Data); ok && rawjson.KindOf(m.Data) == rawjson.String {
		return s
	}
	return string(m.Data)
}

// Severity is the place of the level among [LogLevels], -1 for unknown ones.
func (m LogMessage) Severity() int { return slices.Index(logLevels, m.Level) }

var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// LogLevels returns the levels of log messages, least severe first.
func LogLevels() []string { return slices.Clone(logLevels) }

// DecodeLog reads the params of notifications/message.
func DecodeLog(params []byte) LogMessage {
	var m LogMessage
	r := newReader("params")
	r.object(params, func(key string, raw []byte) {
		switch key {
		case "level":
			m.Level = r.text(key, raw)
		case "logger":
			m.Logger = r.text(key, raw)
		case "data":
			m.Data = raw
		}
	})
	r.require("level")
	r.require("data")
	if m.Level != "" && m.Severity() < 0 {
		r.say("level " + strconv.Quote(m.Level) + " is not one of the eight")
	}
	m.Problem = r.problem()
	return m
}
