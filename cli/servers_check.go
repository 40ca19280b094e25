package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"parley/client"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/config"
	"parley/history"
)

// checkTimeout is how long a server may take for each answer, unless --timeout
// says otherwise: a first start may have to fetch it.
const checkTimeout = 30 * time.Second

// serverCheck is what connecting to a server gave.
type serverCheck struct {
	server, file            string // its name in the configuration, and where that is
	name, version, protocol string
	counts                  [4]int // as client.ListMethods; -1 where the list is not declared
	took                    time.Duration
	err                     error
	learn                   func() // keeps what was found out; nil where nothing was
}

// listWords are the words for the lists, as client.ListMethods.
var listWords = [4]struct{ key, one, many string }{
	{"tools", "tool", "tools"}, {"resources", "resource", "resources"},
	{"resourceTemplates", "template", "templates"}, {"prompts", "prompt", "prompts"},
}

// checkServers connects to all servers that count, several at a time.
func (a *app) checkServers(groups [][]*serverRow, patient bool) error {
	opt, err := a.clientOptions()
	if err != nil {
		return err
	}
	if !patient {
		opt.Timeout = checkTimeout
	}
	if a.insecure {
		a.warnOf("certificates are")
	}
	var rows []*serverRow
	for _, group := range groups {
		for _, r := range group {
			if r.state == "ready" || r.state == "problem" {
				rows = append(rows, r)
			}
		}
	}
	p := a.newCheckProgress(len(rows))
	defer p.end()
	limit := make(chan struct{}, max(4, runtime.NumCPU()))
	var all sync.WaitGroup
	for _, r := range rows {
		all.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			p.started(r.Name)
			r.check = a.checkServer(r, opt)
			p.finished(r.Name)
		})
	}
	all.Wait()
	for _, r := range rows { // one after the other, as all of it is in one file
		if r.check.learn != nil {
			r.check.learn()
		}
	}
	return a.ctx.Err()
}

// checkServer connects to a server, counts what it has, and ends it. Nothing is
// recorded.
func (a *app) checkServer(r *serverRow, opt client.Options) *serverCheck {
	c := &serverCheck{server: r.Name, file: r.File, counts: [4]int{-1, -1, -1, -1}}
	began := time.Now()
	c.err = a.visit(r, opt, c)
	c.took = time.Since(began)
	return c
}

func (a *app) visit(r *serverRow, opt client.Options, c *serverCheck) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	ready, err := r.Expand()
	if err != nil {
		return err
	}
	t, err := a.serverTarget(r.Server, ready)
	if err == nil {
		err = t.ready()
	}
	if err != nil {
		return err
	}
	opt.Protocol, opt.Guess = a.protocolFor(&t), a.guess(&t)
	log, err := history.Create(history.Options{Spool: true, Header: history.Header{Target: t.recorded(), Client: a.clientName + " " + a.clientVersion}})
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	l := &link{target: t, log: log, client: client.New(log, a.dialer(t, grace, nil), opt)}
	ctx, cancel := context.WithTimeout(a.ctx, 2*opt.Timeout) // of all answers together
	defer cancel()
	err = c.meet(ctx, l)
	_ = l.end(a.ctx) // first: while it talks on there is no end of evidence
	if err != nil {
		return withEvidence(err, log)
	}
	c.learn = func() { a.learn(&t, &opt, l.client.Era()) }
	return nil
}

// meet shakes hands and counts.
func (c *serverCheck) meet(ctx context.Context, l *link) error {
	if err := l.client.Connect(ctx); err != nil {
		var ended *wire.ExitError
		if errors.As(err, &ended) {
			err = client.About("initialize", err)
		}
		return err
	}
	if info, ok := l.client.Server(); ok {
		c.name, c.version, c.protocol = info.ServerName, info.ServerVersion, info.ProtocolVersion
	}
	declared := l.client.Declared()
	for i, method := range client.ListMethods {
		for _, m := range declared {
			if m != method {
				continue
			}
			var err error
			if c.counts[i], err = l.count(ctx, method, listWords[i].key); err != nil {
				return client.About(method, err)
			}
		}
	}
	return nil
}

// count asks for all pages of a list and counts its items.
func (l *link) count(ctx context.Context, method, key string) (int, error) {
	pages, err := l.client.List(ctx, method, client.CallOptions{By: wire.ByAuto})
	n := 0
	for _, page := range pages {
		if page.Head.Form != wire.Result {
			continue
		}
		raw, err := l.client.Result(page)
		if err != nil {
			return n, err
		}
		items, _ := rawjson.Get(raw, key)
		_ = rawjson.Elements(items, func(int, []byte) bool { n++; return true }) // what is no array has no items
	}
	return n, err
}

// verdict is the error of a check in which something failed.
func verdict(found *config.Set, groups [][]*serverRow) error {
	asked, failed := 0, 0
	for _, rows := range groups {
		for _, r := range rows {
			if r.check == nil {
				continue
			}
			asked++
			if r.check.err != nil {
				failed++
			}
		}
	}
	broken := len(found.Broken())
	var parts []string
	if failed > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s did not answer as they should", failed, number(asked, "server", "servers")))
	}
	if broken > 0 {
		parts = append(parts, number(broken, "file", "files")+" cannot be read")
	}
	if len(parts) == 0 {
		return nil
	}
	return &failure{word: "findings", message: strings.Join(parts, "; "), hint: "parley -v -s NAME shows what passes between parley and a server"}
}

func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func (c *serverCheck) mark() string {
	if c.err != nil {
		return "✗"
	}
	return "●"
}

func (c *serverCheck) about() string {
	if c.err != nil {
		text := strings.Join(strings.Fields(withoutPath(brief(c.err.Error(), c.server))), " ")
		text = strings.TrimPrefix(text, c.file+":")
		if _, rest, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(text, `server "`) {
			text = rest // its row says which server it is
		}
		var ended *wire.ExitError
		if errors.As(c.err, &ended) { // and its command
			for _, what := range []string{fmt.Sprintf("exited %d", ended.Code), "was killed by " + ended.Signal} {
				if i := strings.LastIndex(text, what); i > 0 {
					text = text[i:]
				}
			}
		}
		return text + "  (" + briefly(c.took) + ")"
	}
	parts := []string{strings.TrimSpace(c.name + " " + c.version), c.protocol}
	var counts []string
	for i, n := range c.counts {
		if n >= 0 {
			counts = append(counts, number(n, listWords[i].one, listWords[i].many))
		}
	}
	if len(counts) > 0 {
		parts = append(parts, strings.Join(counts, ", "))
	}
	return strings.Join(append(parts, briefly(c.took)), " · ")
}

// hint says what may help, or the last line that the server said.
func (c *serverCheck) hint() string {
	if c.err == nil {
		return ""
	}
	if lines := seenOf(c.err).stderr; len(lines) > 0 {
		return "it said: " + lines[len(lines)-1]
	}
	if h := hint(c.err); h != "" {
		return "hint: " + h
	}
	return ""
}

// briefly is a duration for people.
func briefly(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
}

// MarshalJSON is the check for machines.
func (c *serverCheck) MarshalJSON() ([]byte, error) {
	line := struct {
		OK        bool       `json:"ok"`
		Name      string     `json:"name,omitempty"`
		Version   string     `json:"version,omitempty"`
		Protocol  string     `json:"protocol,omitempty"`
		Tools     *int       `json:"tools,omitempty"`
		Resources *int       `json:"resources,omitempty"`
		Templates *int       `json:"templates,omitempty"`
		Prompts   *int       `json:"prompts,omitempty"`
		MS        int64      `json:"ms"`
		Error     *errorLine `json:"error,omitempty"`
	}{OK: c.err == nil, Name: c.name, Version: c.version, Protocol: c.protocol, MS: c.took.Milliseconds()}
	for i, to := range []**int{&line.Tools, &line.Resources, &line.Templates, &line.Prompts} {
		if c.counts[i] >= 0 {
			*to = &c.counts[i]
		}
	}
	if c.err != nil {
		wrong := lineOfError(c.err)
		line.Error = &wrong
	}
	return json.Marshal(line)
}

// checkProgress shows on a terminal how far a check is.
type checkProgress struct {
	app  *app
	mu   sync.Mutex
	all  int
	done int
	busy []string
	show bool
}

func (a *app) newCheckProgress(all int) *checkProgress {
	return &checkProgress{app: a, all: all, show: a.io.ErrTTY && !a.quiet && os.Getenv("TERM") != "dumb"}
}

func (p *checkProgress) started(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = append(p.busy, name)
	p.draw()
}

func (p *checkProgress) finished(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	for i, busy := range p.busy {
		if busy == name {
			p.busy = append(p.busy[:i], p.busy[i+1:]...)
			break
		}
	}
	p.draw()
}

// draw writes one line over the last one; it is kept short, as a line that wraps
// could not be taken back.
func (p *checkProgress) draw() {
	if !p.show {
		return
	}
	text := []rune(visible(fmt.Sprintf("%d of %d checked, waiting for %s", p.done, p.all, strings.Join(p.busy, ", "))))
	if len(text) > 70 {
		text = append(text[:69], '…')
	}
	fmt.Fprintf(p.app.io.Err, "\r\x1b[K%s", string(text))
}

func (p *checkProgress) end() {
	if p.show {
		fmt.Fprint(p.app.io.Err, "\r\x1b[K")
	}
}
