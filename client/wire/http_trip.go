package wire

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// headWait is how long the head of a response waits for the beginning of its body, so
// that both are one append.
const headWait = 20 * time.Millisecond

// reply is a response whose head may not have been appended yet. Its body must be
// closed.
type reply struct {
	*http.Response
	via  string
	lead lead
}

// lead is a frame that is appended together with the next one, or by itself when that
// does not come soon.
type lead struct {
	rec   *recorder
	timer *time.Timer

	mu     sync.Mutex
	frames [2]Frame
	told   bool
}

func (l *lead) set(rec *recorder, f Frame) {
	f.Size = int64(len(f.Raw))
	l.rec, l.frames[0] = rec, f
}

// soon sees to it that the frame is appended before long.
func (l *lead) soon() { l.timer = time.AfterFunc(headWait, l.flush) }

// flush appends the frame if that was not done.
func (l *lead) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.told {
		l.told = true
		l.rec.append(l.frames[:1])
	}
}

// with appends f, after the frame if that is waiting. It gives f's number.
func (l *lead) with(f Frame) (seq uint64) {
	if l.timer != nil {
		l.timer.Stop()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	frames := l.frames[:]
	if l.told {
		frames = frames[1:]
	}
	l.told = true
	frames[len(frames)-1] = f
	l.rec.append(frames)
	return frames[len(frames)-1].Seq
}

// nextVia gives the next HTTP request its name.
func (c *HTTPConn) nextVia(method string) string {
	return method + " " + strconv.FormatInt(c.requests.Add(1), 10)
}

// trip sends a request and waits for the head of its response, following redirects. The
// heads on the way are appended, the last one when the body comes or is asked about.
// Errors are of type [*NetError], of [*StreamError] if the request had been sent by then,
// or [*RedirectError].
func (c *HTTPConn) trip(ctx context.Context, method string, u *url.URL, header http.Header, body []byte, via string) (*reply, error) {
	req := newRequest(ctx, method, u, header, body)
	for {
		resp, err := c.hop(req, via)
		if err != nil {
			return nil, err
		}
		r := &reply{Response: resp, via: via}
		r.lead.set(c.rec, Frame{Dir: In, Kind: HTTP, Via: via, Time: c.now(), Raw: responseHead(resp)})
		if !isRedirect(resp) {
			return r, nil
		}
		r.lead.flush()
		discard(resp.Body)
		if req, err = nextHop(req, resp, c.opt.Header); err != nil {
			return nil, err
		}
		via = c.nextVia(method)
	}
}

// hop is one request and the head of its response.
func (c *HTTPConn) hop(req *http.Request, via string) (*http.Response, error) {
	var sent atomic.Bool
	traced, told := traceHead(req, func(head []byte) {
		sent.Store(true)
		c.rec.http(Out, via, head)
	})
	resp, err := c.client.Do(traced)
	told()
	if err == nil {
		return resp, nil
	}
	address := req.URL.String()
	err = newNetError(address, err)
	if sent.Load() {
		err = &StreamError{URL: maskURL(address), Via: via, Err: err}
	}
	return nil, err
}

func (r *reply) ok() bool { return r.StatusCode/100 == 2 }

// String says what was asked and answered, for notices.
func (r *reply) String() string {
	return fmt.Sprintf("%s %s answered %s", r.Request.Method, maskURL(r.Request.URL.String()), r.Status)
}
