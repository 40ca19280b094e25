package cli

import (
	"cmp"
	"context"
	"time"

	"parley/client"
	"parley/client/wire"
	"parley/config"
	"parley/script"
	"parley/ui/theme"
)

// ready looks whether a target can be connected to, before there is a session file
// without a session: whether its command can be found, or the files of its flags can
// be read.
func (t *target) ready() error {
	if t.remote == nil {
		_, err := t.command.Check()
		return err
	}
	if t.remote.address.Host == "" || t.remote.address.Scheme == "tcp" {
		return nil
	}
	_, err := t.remote.client() // reads the files of --ca, --cert and --key
	return err
}

// dialer opens the connection of each epoch: it starts the target's command, or
// connects to its URL. Ending a process takes up to grace a step. settings are those of
// a script, as they are by then; they may be nil.
func (a *app) dialer(t target, grace time.Duration, settings *script.Settings) client.Dial {
	ctx := a.ctx
	return func(sink wire.Sink, epoch int) (client.Conn, error) {
		now := t
		if t.remote != nil && settings != nil {
			now.remote = t.remote.with(settings)
		}
		return now.dial(ctx, sink, epoch, grace)
	}
}

// dial opens one connection. ctx bounds the opening alone.
func (t *target) dial(ctx context.Context, sink wire.Sink, epoch int, grace time.Duration) (client.Conn, error) {
	r := t.remote
	switch {
	case r == nil:
		return conn(wire.StartStdio(t.command, sink, wire.StdioOptions{Epoch: epoch, Grace: grace}))
	case r.address.Scheme == "tcp":
		return conn(wire.DialStream(ctx, "tcp", r.address.Host, wire.StreamOptions{Epoch: epoch, ConnectTimeout: r.patience}, sink))
	case r.address.Scheme == "unix":
		return conn(wire.DialStream(ctx, "unix", r.address.Path, wire.StreamOptions{Epoch: epoch, ConnectTimeout: r.patience}, sink))
	}
	web, err := r.client()
	if err != nil {
		return nil, err
	}
	if r.address.WebSocket() {
		return conn(wire.DialWebSocket(ctx, r.address.URL, wire.WebSocketOptions{Header: r.header, Secret: r.secret, Client: web, Epoch: epoch, ConnectTimeout: r.patience}, sink))
	}
	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	return conn(wire.DialHTTP(ctx, wire.HTTPOptions{
		URL: r.address.URL, Mode: r.mode, Header: r.header, Secret: r.secret, Client: web, Epoch: epoch, Reconnects: r.reconnects,
	}, sink))
}

// connectLimit is how long connecting may take.
const connectLimit = 10 * time.Second

// patience is how long connecting may take with the timeout of requests that was asked
// for: a little less, so that it is told as what it is.
func (a *app) patience() time.Duration {
	if a.timeout <= 0 {
		return connectLimit
	}
	return min(connectLimit, a.timeout-a.timeout/10)
}

// conn keeps an error from becoming a connection that is not nil.
func conn[C client.Conn](c C, err error) (client.Conn, error) {
	if err != nil {
		return nil, err
	}
	return c, nil
}

// protocolFor is what --protocol, the configuration or the transport says of how to
// speak to a target.
func (a *app) protocolFor(t *target) string {
	usual := "legacy" // a question that a server does not know can stall or confuse it
	if t.remote != nil && t.remote.address.OverHTTP() {
		usual = "auto"
	}
	return cmp.Or(a.protocol, t.protocol, usual)
}

// isVersion reports whether what --protocol says is a version to offer.
func isVersion(protocol string) bool {
	return protocol != "" && protocol != "auto" && protocol != "legacy" && protocol != "modern"
}

// optionsFor are the options of the client of a target, with what is remembered of it.
func (a *app) optionsFor(t *target) (client.Options, error) {
	opt, err := a.clientOptions()
	if err != nil {
		return opt, err
	}
	if err := asSetting("the protocol of "+t.name+" in the configuration", "protocol", t.protocol); err != nil {
		return opt, err
	}
	opt.Protocol = a.protocolFor(t)
	opt.Guess = a.guess(t)
	opt.Notice = func(text string) { a.note("%s", theme.Safe(text)) }
	a.warn(t)
	return opt, nil
}

// insecureWarning is said of each run with --insecure, and in the header of the screen.
const insecureWarning = "certificate not checked"

// warn says once in a run that a certificate is not checked, even where notes are not
// wanted; while the screen shows, its header says so.
func (a *app) warn(t *target) {
	if t.unchecked() && !a.warned && !a.onScreen {
		a.warned = true
		a.warnOf("the certificate of " + t.remote.address.Host + " is")
	}
}

func (a *app) warnOf(what string) {
	loud := *a
	loud.quiet = false
	loud.note("▲ --insecure: %s not checked: anybody on the way can read and change what is sent", what)
}

// unchecked reports whether the server's certificate is not checked.
func (t *target) unchecked() bool {
	return t.remote != nil && t.remote.insecure
}

// guess is the era that a configured server spoke when it was last asked. Of a target
// that was typed nothing is remembered: a server that is being written may speak
// otherwise by now, and what is at a port may be another one.
func (a *app) guess(t *target) client.Era {
	if t.configured == "" {
		return client.UnknownEra
	}
	m, err := config.OpenEras()
	if err != nil {
		return client.UnknownEra
	}
	era, err := m.Lookup(t.configured)
	if err != nil {
		a.note("%v", err)
	}
	switch era {
	case "legacy":
		return client.Legacy
	case "modern":
		return client.Modern
	}
	return client.UnknownEra
}

// learn remembers the era of a configured server that was found by asking, where it
// is news.
func (a *app) learn(t *target, opt *client.Options, found client.Era) {
	if t.configured == "" || opt.Protocol != "auto" || found == client.UnknownEra || found == opt.Guess {
		return
	}
	m, err := config.OpenEras()
	if err == nil {
		err = m.Remember(t.configured, found.String())
	}
	if err != nil {
		a.note("how %s speaks is not remembered: %v", t.name, err)
	}
}

// warning is what the header of the screen says of a target all the time.
func (t *target) warning() string {
	if t.unchecked() {
		return insecureWarning
	}
	return ""
}
