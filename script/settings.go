package script

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/client"
	"parley/client/mcp"
	"parley/client/near"
)

// Settings are what set lines changed. What is nil or zero was not set.
type Settings struct {
	Elicit, Sample            client.Responder
	ElicitText, SampleText    string // as written; with none there is a text and no responder
	Roots                     []string
	Protocol                  string // auto, legacy, modern or a version
	LogLevel                  string
	Extensions                []string
	Timeout                   time.Duration
	Force                     *bool
	ClientName, ClientVersion string

	// What follows shapes how a connection over HTTP is opened. It is the host's to
	// heed, at each connect: see [Host].
	Headers   []string // "Name: value", one of a name; "Name:" takes back what the host itself would send
	Transport string   // auto, http or sse
}

// Apply lets what was set win in a client's options.
func (s *Settings) Apply(opt *client.Options) {
	if s.Elicit != nil || s.ElicitText != "" {
		opt.Elicit = s.Elicit
	}
	if s.Sample != nil || s.SampleText != "" {
		opt.Sample = s.Sample
	}
	if s.Roots != nil {
		opt.Roots = s.Roots
	}
	if s.Protocol != "" {
		opt.Protocol = s.Protocol
	}
	if s.LogLevel != "" {
		opt.LogLevel = s.LogLevel
	}
	if s.Extensions != nil {
		opt.Extensions = s.Extensions
	}
	if s.Timeout > 0 {
		opt.Timeout = s.Timeout
	}
	if s.Force != nil {
		opt.Force = *s.Force
	}
	if s.ClientName != "" {
		opt.Name = s.ClientName
	}
	if s.ClientVersion != "" {
		opt.Version = s.ClientVersion
	}
}

// Setting is a row of the table of settings.
type Setting struct {
	Name   string // "timeout"
	Form   string // "DURATION"
	Short  string
	Values []string // what completes it: "decline" …
	// Late says that it holds at once; the others shape what is declared and hold
	// at the next connect.
	Late     bool
	declares string // the capability without which it waits for the next connect
	set      func(s *Settings, value string, deps *AnswerDeps) error
}

// AllSettings are the settings that set changes, in the order of help.
func AllSettings() []Setting {
	return []Setting{
		{Name: "elicit", Form: "POLICY", Short: "answer what the server asks the user for", Values: ElicitForms, declares: "elicitation", set: setElicit},
		{Name: "sample", Form: "POLICY", Short: "answer what the server asks the model for", Values: SampleForms, declares: "sampling", set: setSample},
		{Name: "root", Form: "PATH", Short: "one more root that the server is told of", declares: "roots", set: setRoot},
		{Name: "protocol", Form: "VERSION", Short: "the version to offer, or auto, legacy or modern", Values: protocols(), set: setProtocol},
		{Name: "extension", Form: "ID", Short: "one more extension to declare (2026-07-28)", Values: []string{mcp.TasksExtension}, set: setExtension},
		{Name: settingHeader, Form: "'NAME: VALUE'", Short: "send a header over HTTP; 'NAME:' takes it back", Values: []string{`"Authorization: Bearer ${env.TOKEN}"`}, set: setHeader},
		{Name: "transport", Form: "auto|http|sse", Short: "Streamable HTTP, HTTP+SSE, or what the server has", Values: transports, set: setTransport},
		{Name: "log-level", Form: "LEVEL", Short: "how severe what the server logs has to be to be sent", Values: mcp.LogLevels(), Late: true, set: setLogLevel},
		{Name: "timeout", Form: "DURATION", Short: "how long a request waits for its answer", Values: []string{"5s", "20s", "1m"}, Late: true, set: setTimeout},
		{Name: "force", Form: "on|off", Short: "send what the schema refuses or the server does not list", Values: []string{"on", "off"}, Late: true, set: setForce},
		{Name: "client-name", Form: "NAME", Short: "the name to introduce ourselves by", set: setName},
		{Name: "client-version", Form: "VERSION", Short: "the version to introduce ourselves by", set: setVersion},
	}
}

// setting finds a row.
func setting(name string) (Setting, bool) {
	for _, s := range AllSettings() {
		if s.Name == name {
			return s, true
		}
	}
	return Setting{}, false
}

// SettingError is a setting that there is not, or a value that it does not take.
type SettingError struct {
	Name    string
	Problem string
	Advice  string
}

func (e *SettingError) Error() string { return fmt.Sprintf("set %s: %s", e.Name, e.Problem) }

// Hint says what it takes.
func (e *SettingError) Hint() string { return e.Advice }

// Word names the error for machines.
func (e *SettingError) Word() string { return "usage" }

// SetOption changes a setting by its name. deps may be nil: nobody can be asked
// then, and nobody is told what was answered.
func SetOption(s *Settings, name, value string, deps *AnswerDeps) error {
	row, ok := setting(name)
	if !ok {
		var names []string
		for _, row := range AllSettings() {
			names = append(names, row.Name)
		}
		advice := "there are " + strings.Join(names, ", ")
		if n := near.Best(name, names); n != "" {
			advice = "did you mean " + n + "?"
		}
		return &SettingError{name, "there is no such setting", advice}
	}
	if value == "" && row.Name != "force" {
		return &SettingError{name, "takes a value", "write set " + name + " " + row.Form}
	}
	if deps == nil {
		deps = &AnswerDeps{}
	}
	return row.set(s, value, deps)
}

func setElicit(s *Settings, value string, deps *AnswerDeps) error {
	respond, err := ParseElicit(value, *deps)
	if err != nil {
		return fmt.Errorf("set elicit %w", err)
	}
	s.Elicit, s.ElicitText = respond, value
	return nil
}

func setSample(s *Settings, value string, deps *AnswerDeps) error {
	respond, err := ParseSample(value, *deps)
	if err != nil {
		return fmt.Errorf("set sample %w", err)
	}
	s.Sample, s.SampleText = respond, value
	return nil
}

func setRoot(s *Settings, value string, _ *AnswerDeps) error {
	path, err := filepath.Abs(value)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return &SettingError{"root", value + " does not exist", "a root is a folder or a file that exists"}
	}
	s.Roots = append(s.Roots[:len(s.Roots):len(s.Roots)], path)
	return nil
}

func setTimeout(s *Settings, value string, _ *AnswerDeps) error {
	d, err := ParseDuration(value)
	if err != nil {
		return err
	}
	if d <= 0 {
		return &SettingError{"timeout", "must be longer than 0", "write a duration such as 30s"}
	}
	s.Timeout = d
	return nil
}

func setForce(s *Settings, value string, _ *AnswerDeps) error {
	on := false
	switch value {
	case "", "on", "true", "yes":
		on = true
	case "off", "false", "no":
	default:
		return &SettingError{"force", "expected on or off, found " + value, "set force on"}
	}
	s.Force = &on
	return nil
}

func setName(s *Settings, value string, _ *AnswerDeps) error {
	s.ClientName = value
	return nil
}

func setVersion(s *Settings, value string, _ *AnswerDeps) error {
	s.ClientVersion = value
	return nil
}
