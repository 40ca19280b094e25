package script

import (
	"time"

	"parley/client"
)

// Settings are what set lines changed. What is nil or zero was not set.
type Settings struct {
	Elicit, Sample            client.Responder
	ElicitText, SampleText    string // as written, for info and help
	Roots                     []string
	Protocol                  string
	Timeout                   time.Duration
	Force                     *bool
	ClientName, ClientVersion string
}

// Setting is a row of the table of settings.
type Setting struct {
	Name   string // "timeout"
	Form   string // "DURATION"
	Short  string
	Values []string // what completes it: "decline" …
	// Late says that it holds at once; the others shape what is declared and hold
	// at the next connect.
	Late bool
	set  func(s *Settings, value string, deps *AnswerDeps) error
}

// AllSettings are the settings that set changes, in the order of help.
func AllSettings() []Setting { return nil }

// SetOption changes a setting by its name. deps may be nil.
func SetOption(s *Settings, name, value string, deps *AnswerDeps) error { return nil }
