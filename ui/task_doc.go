package ui

import (
	"strings"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// taskView is a call that became a task, as far as it is known.
type taskView struct {
	task   mcp.Task
	asked  int      // how often its state was asked for
	called bool     // off, by a tasks/cancel that was not refused
	waits  bool     // somebody here waits for its result
	frame  wire.Ref // the answer that this was read from
	result []byte   // what the call gave; nil before that is there
}

// maxTaskAnswer bounds the answers that are looked at for whether they begin a task.
const maxTaskAnswer = 64 << 10

// taskOf is the id of the task that a call became, empty if it became none. It is
// read once for an answer.
func (d *desk) taskOf(x history.Exchange) string {
	ref := finalOf(x)
	if x.Method != "tools/call" || x.Status != history.OK || ref.Seq == 0 {
		return ""
	}
	if id, ok := d.tasks[ref.Seq]; ok {
		return id
	}
	id := ""
	if d.record(ref.Seq).Size <= maxTaskAnswer {
		result := d.resultOf(ref)
		inner, ok := rawjson.Get(result, "task")
		if x.Type == wire.ResultTask || ok && rawjson.KindOf(inner) == rawjson.Object && d.askedForTask(x) {
			id = mcp.DecodeTask(result).ID
		}
	}
	put(&d.tasks, ref.Seq, id)
	return id
}

// askedForTask reports whether a call of 2025-11-25 wanted to be a task.
func (d *desk) askedForTask(x history.Exchange) bool {
	head, err := d.sess.Log.Head(x.Request.Seq)
	if err != nil {
		return false
	}
	_, ok := rawjson.Get(d.span(x.Request.Seq, head.Params), "task")
	return ok
}

// task is what is known of the task that a call became.
func (d *desk) task(x history.Exchange) (v taskView, ok bool) {
	id := d.taskOf(x)
	if id == "" {
		return v, false
	}
	polls := d.calls[operation{"tasks/get", id}]
	v.asked, v.frame = len(polls), finalOf(x)
	for i := len(polls) - 1; i >= 0; i-- {
		if y, found := d.state.Exchange(polls[i]); found && y.Status == history.OK {
			v.frame = y.Response
			break
		}
	}
	for _, seq := range d.calls[operation{"tasks/cancel", id}] {
		y, found := d.state.Exchange(seq)
		if !found || y.Status != history.OK {
			continue
		}
		v.called = true
		if x.Type != wire.ResultTask && y.Response.Seq > v.frame.Seq { // the extension only acknowledges
			v.frame = y.Response
		}
	}
	v.waits = d.sess.Live() && d.failed[x.Request.Seq] == nil
	fetched := wire.Ref{}
	for _, seq := range d.calls[operation{"tasks/result", id}] {
		if y, found := d.state.Exchange(seq); found && (y.Status == history.OK || y.Status == history.ToolError) {
			fetched = y.Response
		}
	}
	if d.taskSeen.of == id && d.taskSeen.view.frame == v.frame && d.taskSeen.fetched == fetched {
		v.task, v.result = d.taskSeen.view.task, d.taskSeen.view.result
		return v, true
	}
	v.task = mcp.DecodeTask(d.resultOf(v.frame))
	v.result = v.task.Result
	if fetched.Seq != 0 {
		v.result = d.resultOf(fetched)
	}
	d.taskSeen.of, d.taskSeen.view, d.taskSeen.fetched = id, v, fetched
	return v, true
}

// taskMemo keeps the task that was read last: it is looked at in each paint.
type taskMemo struct {
	of      string
	view    taskView
	fetched wire.Ref
}

// running reports whether more is to come of a task.
func (v *taskView) running() bool { return v.result == nil && !v.task.Final() }

// words is the state of a task.
func (v *taskView) words() string {
	out := []string{"task " + firstOf(v.task.Status, "of unknown state")}
	if v.asked > 0 {
		out = append(out, "asked "+count(v.asked, "time", "times"))
	}
	switch {
	case v.running() && v.waits:
		out = append(out, "x cancels")
	case v.running() && v.called:
		out = append(out, "told to stop")
	case v.running():
		out = append(out, "not asked any more")
	}
	return strings.Join(out, " · ")
}

// taskLines shows what became of a call that is a task.
func (d *desk) taskLines(out *doc, v *taskView) {
	if v.result != nil {
		d.callLines(out, mcp.DecodeCall(v.result), v.result)
		out.blank()
	}
	style := d.st.Muted
	if v.task.Status == mcp.TaskFailed || v.task.Status == mcp.TaskCancelled {
		style = d.st.Error
	}
	out.text(style, "task "+v.task.ID+" · "+firstOf(v.task.Status, "of unknown state"), 0)
	if v.task.Message != "" {
		out.text(d.st.Text, v.task.Message, 2)
	}
	if len(v.task.Error) > 0 {
		d.errorLines(out, v.task.Error)
	}
	for _, q := range v.task.Requests {
		l := theme.Styled(d.st.In, "  ← ")
		l.Add(d.st.Text, theme.SafeCut(q.Method+"  "+q.Key, maxTitle))
		out.line(l)
	}
	if v.task.Problem != "" {
		out.text(d.st.Warn, "▲ "+v.task.Problem, 0)
	}
}
