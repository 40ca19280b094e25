package client

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// How often the state of a task is asked for: as the server suggests, within these
// bounds, and so often if it says nothing.
const (
	shortestPoll = 100 * time.Millisecond
	usualPoll    = time.Second
	longestPoll  = time.Minute
)

// asTask adds to the params of a request what makes it a task, if that was wanted and
// the tool can be one, or if the tool can be nothing else (spec: 2025-11-25,
// basic/utilities/tasks, tool-level negotiation). [Client.Preview] calls it too.
func (c *Client) asTask(method string, params json.RawMessage, opt *CallOptions) json.RawMessage {
	if method != "tools/call" || !c.hasTasks() && !(opt.Task && opt.Force && c.Era() != Modern) {
		return params
	}
	if _, has := rawjson.Get(params, "task"); has {
		return params
	}
	switch support := c.taskSupport(nameOf(params)); {
	case support == "required", opt.Task && support == "optional", opt.Task && opt.Force:
	default:
		return params
	}
	opt.Task = true
	task := []byte(`{}`)
	if opt.TTL > 0 {
		task = strconv.AppendInt([]byte(`{"ttl":`), opt.TTL.Milliseconds(), 10)
		task = append(task, '}')
	}
	return withMember(params, "task", task)
}

// hasTasks reports whether tools can be called as tasks of 2025-11-25.
func (c *Client) hasTasks() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shaken && c.era != Modern && c.info.ProtocolVersion == mcp.V20251125 && c.info.Has("tasks.requests.tools.call")
}

// taskSupport is what a tool says of itself: optional, required or anything else.
func (c *Client) taskSupport(tool string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mirror.tools[tool].task
}

// legacyTask fetches the result of a call that became a task of 2025-11-25: tasks/get
// until the task has ended or waits for us, then tasks/result. Any other answer is
// returned as it is.
func (c *Client) legacyTask(ctx context.Context, p *Pending, a Answer) (Answer, error) {
	if p.method != "tools/call" {
		return a, nil
	}
	if _, asked := rawjson.Get(p.params, "task"); !asked {
		return a, nil
	}
	result, err := c.Result(a)
	if err != nil {
		return a, err
	}
	if inner, ok := rawjson.Get(result, "task"); !ok || rawjson.KindOf(inner) != rawjson.Object {
		return a, nil // it was done at once
	}
	t := &taskRun{c: c, p: p, task: mcp.DecodeTask(result), answer: a, earlier: a.Rounds, cancels: c.declares("tasks.cancel")}
	if t.task.ID == "" {
		return a, t.fail()
	}
	t.announce()
	return t.until(ctx, t.legacyStep)
}

// modernTask fetches the result of a call that became a task of the extension.
func (c *Client) modernTask(ctx context.Context, p *Pending, a Answer) (Answer, error) {
	c.mu.Lock()
	declared := hasExtension(c.capabilities, mcp.TasksExtension)
	c.mu.Unlock()
	if p.method != "tools/call" || !declared {
		return a, &ResultTypeError{Method: p.method, Type: "task"}
	}
	result, err := c.Result(a)
	if err != nil {
		return a, err
	}
	t := &taskRun{c: c, p: p, task: mcp.DecodeTask(result), answer: a, earlier: a.Rounds, cancels: true, answered: map[string]bool{}}
	if t.task.ID == "" {
		return a, t.fail()
	}
	t.announce()
	return t.until(ctx, t.modernStep)
}

// hasExtension reports whether capabilities have an extension.
func hasExtension(capabilities []byte, id string) bool {
	_, ok := rawjson.Get(capabilities, "extensions", id)
	return ok
}

// declares reports whether the server declared a capability.
func (c *Client) declares(capability string) bool {
	info, _ := c.Server()
	return info.Has(capability)
}

// relatedTask is the key of _meta that names the task to which a message belongs.
const relatedTask = "io.modelcontextprotocol/related-task"

// related gives the answer to a question of a task the name of the task, as the
// question has it (spec: 2025-11-25, basic/utilities/tasks, related messages).
func related(params, result json.RawMessage) json.RawMessage {
	task, ok := rawjson.Get(params, "_meta", relatedTask)
	if !ok {
		return result
	}
	return withMeta(result, []metaField{{relatedTask, task}})
}

// taskRun is a task whose result is being fetched.
type taskRun struct {
	c        *Client
	p        *Pending        // of the call
	task     mcp.Task        // as last seen
	answer   Answer          // the last one
	earlier  []Answer        // those before it
	cancels  bool            // the server has tasks/cancel
	answered map[string]bool // keys of questions
	asked    bool            // for its state
}

// announce names the task as soon as there is one: it may outlive the connection, and
// whoever knows its id can ask for it in a later one.
func (t *taskRun) announce() {
	t.c.Announce("the call runs as the task " + strconv.Quote(t.task.ID) + ": tasks/get asks for it, also later")
}

// until does steps until one says that the answer is there. When ctx ends before that
// the server is told.
func (t *taskRun) until(ctx context.Context, step func(context.Context) (bool, error)) (Answer, error) {
	for {
		done, err := step(ctx)
		if err != nil && ctx.Err() != nil && !t.task.Final() {
			t.cancel(ctx)
			return t.answer, context.Cause(ctx)
		}
		if done || err != nil {
			return t.answer, err
		}
	}
}

// modernStep does what the state of a task of the extension asks for.
func (t *taskRun) modernStep(ctx context.Context) (bool, error) {
	switch t.task.Status {
	case mcp.TaskCompleted, mcp.TaskFailed:
		if !t.asked && t.task.Result == nil && t.task.Error == nil {
			return false, t.get(ctx) // born finished
		}
		return true, t.inner()
	case mcp.TaskInput:
		if err := t.update(ctx); err != nil {
			return false, err
		}
	case mcp.TaskWorking:
	default:
		return true, t.fail()
	}
	if err := pause(ctx, t.poll()); err != nil {
		return false, err
	}
	return false, t.get(ctx)
}

// legacyStep does what the state of a task of 2025-11-25 asks for.
func (t *taskRun) legacyStep(ctx context.Context) (bool, error) {
	switch t.task.Status {
	case mcp.TaskCompleted, mcp.TaskFailed:
		return true, t.request(ctx, "tasks/result", t.params())
	case mcp.TaskInput:
		return true, t.await(ctx)
	case mcp.TaskWorking:
	default:
		return true, t.fail()
	}
	if err := pause(ctx, t.poll()); err != nil {
		return false, err
	}
	return false, t.get(ctx)
}

// await asks for the result of a task that waits for us: what it asks comes while that
// request is open, which has no time limit as long as the task has not ended.
func (t *taskRun) await(ctx context.Context) error {
	p, err := t.c.transmit(ctx, "tasks/result", t.params(), t.options())
	if err != nil {
		return err
	}
	for !t.task.Final() {
		clock := time.NewTimer(t.poll())
		select {
		case <-p.call.done:
			clock.Stop()
			return t.wait(ctx, p)
		case <-ctx.Done():
			clock.Stop()
			return t.wait(ctx, p)
		case <-clock.C:
		}
		if err := t.get(ctx); err != nil && !t.task.Final() {
			return t.wait(ctx, p)
		}
	}
	return t.wait(ctx, p)
}

// get asks for the state of the task.
func (t *taskRun) get(ctx context.Context) error {
	t.asked = true
	if err := t.request(ctx, "tasks/get", t.params()); err != nil {
		return err
	}
	result, err := t.c.Result(t.answer)
	if err != nil {
		return err
	}
	id := t.task.ID
	t.task = mcp.DecodeTask(result)
	if t.task.ID == "" { // it was asked for by its id
		t.task.ID = id
	}
	return nil
}

// update answers what the task asks, each question once.
func (t *taskRun) update(ctx context.Context) error {
	var open []mcp.InputRequest
	for _, q := range t.task.Requests {
		if !t.answered[q.Key] {
			open = append(open, q)
		}
	}
	if len(open) == 0 {
		return nil
	}
	results, err := t.c.inputs(ctx, "task "+t.task.ID, open)
	if err != nil {
		return err
	}
	params := withMember(t.params(), "inputResponses", mcp.AppendInputResponses(nil, open, results))
	if err := t.request(ctx, "tasks/update", params); err != nil {
		return err
	}
	for _, q := range open {
		t.answered[q.Key] = true
	}
	return nil
}

// inner makes the answer that of the call: of a tasks/get, the result or the error
// that stands in it, exactly as it came.
func (t *taskRun) inner() error {
	result, err := t.c.Result(t.answer)
	if err != nil {
		return err
	}
	within := "/"
	if _, flat := rawjson.Get(result, "taskId"); !flat {
		within = "/task/"
	}
	keys := []string{"result", "error"}
	if t.task.Status == mcp.TaskFailed {
		keys = []string{"error", "result"}
	}
	key := keys[0]
	off, n, ok := rawjson.Find(result, within+key)
	if !ok { // the other one is better than nothing
		key = keys[1]
		off, n, ok = rawjson.Find(result, within+key)
	}
	if !ok {
		return t.fail()
	}
	h := &t.answer.Head
	at := wire.Span{Off: h.Result.Off + int64(off), Len: int64(n)}
	isError, _ := rawjson.Get(result[off:off+n], "isError")
	h.Type, h.Next, h.IsError, t.answer.result = wire.ResultComplete, false, string(isError) == "true", nil
	if key == "error" {
		h.Form, h.Result, h.Error = wire.Failure, wire.Span{}, at
		e := mcp.DecodeError(result[off : off+n])
		h.Code = e.Code
		return e
	}
	h.Result = at
	return nil
}

// request sends a request about the task and makes its answer the last one.
func (t *taskRun) request(ctx context.Context, method string, params json.RawMessage) error {
	p, err := t.c.transmit(ctx, method, params, t.options())
	if err != nil {
		return err
	}
	return t.wait(ctx, p)
}

func (t *taskRun) wait(ctx context.Context, p *Pending) error {
	_, a, err := p.answer(ctx)
	if a.Request.Seq == 0 {
		return err
	}
	t.earlier = append(t.earlier, t.answer.alone())
	a.Rounds = t.earlier
	t.answer = a
	return err
}

func (t *taskRun) options() CallOptions {
	return CallOptions{By: wire.ByAuto, Timeout: t.p.opt.Timeout}
}

func (t *taskRun) params() json.RawMessage {
	b := rawjson.Quote([]byte(`{"taskId":`), t.task.ID)
	return append(b, '}')
}

func (t *taskRun) poll() time.Duration {
	if !t.task.HasPoll {
		return usualPoll
	}
	return min(max(t.task.Poll, shortestPoll), longestPoll)
}

// cancel tells the server that nobody waits for the task any more: tasks/cancel, never
// a notification (spec: 2025-11-25, basic/utilities/tasks). It is a wish; its answer is
// awaited only for a moment.
func (t *taskRun) cancel(ctx context.Context) {
	if !t.cancels {
		return
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer stop()
	p, err := t.c.transmit(ctx, "tasks/cancel", t.params(), t.options())
	if err == nil {
		select {
		case <-p.call.done:
		case <-ctx.Done():
		}
	}
}

func (t *taskRun) fail() error {
	return &TaskError{ID: t.task.ID, Status: t.task.Status, Message: t.task.Message, Problem: t.task.Problem}
}

// TaskError is a task that ended without a result, or that cannot be followed.
type TaskError struct {
	ID, Status string
	Message    string // the server's words
	Problem    string // what is wrong with what it said
}

func (e *TaskError) Error() string {
	text := fmt.Sprintf("task %s", strconv.Quote(e.ID))
	switch {
	case e.ID == "":
		return "the call became a task that cannot be followed: " + e.Problem
	case e.Status == mcp.TaskCancelled:
		text += " was cancelled"
	case e.Status == mcp.TaskCompleted || e.Status == mcp.TaskFailed:
		text += " is " + e.Status + ", but what it came to is not with it"
	default:
		text += " is in no state that is known: " + e.Problem
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Hint says what can be looked at.
func (e *TaskError) Hint() string {
	if e.ID == "" {
		return "a task has a taskId and a status"
	}
	return "request tasks/get " + `{"taskId":` + string(rawjson.Quote(nil, e.ID)) + "} asks for its state"
}

// Word names the error for machines.
func (e *TaskError) Word() string { return "task" }
