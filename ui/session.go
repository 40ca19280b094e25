package ui

import (
	"context"
	"time"

	"parley/client"
	"parley/history"
	"parley/script"
)

// Session is what the panes show: a log, and the client that fills it while it
// is live.
type Session struct {
	Log       *history.Log
	Client    *client.Client // nil for a file that was opened
	Name      string         // the target's name
	Target    string         // its command line, for people
	Transport string         // as package wire names it; "file" for one that was opened
	Warning   string         // what the header says all the time; empty if nothing
	// Reconnects is how many times in a row a stream that broke is opened again; 0 is
	// the usual number, less than 0 never.
	Reconnects int
	Recording  bool     // the log is kept as a file
	Again      []string // the words that name the target behind a command of parley
	// End closes the connection and the log, in order. It may be called twice.
	End func(ctx context.Context)
}

// Live reports whether something can be sent.
func (s *Session) Live() bool { return s.Client != nil }

// Server is a configured server, for the start screen.
type Server struct {
	Name    string
	Command string
	Problem string // why it cannot be started; empty if it can
	Hint    string
	File    string
}

// Start is what the start screen offers.
type Start struct {
	Servers  []Server
	Problem  string // of the configuration
	Sessions []history.SessionInfo
	Connect  func(ctx context.Context, server string) (*Session, error)
	Open     func(path string) (*Session, error)
	Demo     func(ctx context.Context) (*Session, error)
}

// Options are what the program is started with: a session, or a start screen.
type Options struct {
	Session *Session
	Start   *Start
	// Connect prepares the session of another target, for connect NAME; nothing is
	// started yet. nil where there is none. It is called from other goroutines.
	Connect func(ctx context.Context, words []string, settings *script.Settings) (*Session, error)
	Servers func() []string // the configured names that Connect knows; may be nil
	Notes   <-chan string   // what is said on the side while the screen shows; may be nil
	Version string
	Memory  *Memory          // remembered arguments; nil remembers nothing
	Now     func() time.Time // the clock; time.Now if nil
	Editor  func(file string) (name string, args []string)
}
