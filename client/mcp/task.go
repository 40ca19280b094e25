package mcp

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"parley/client/rawjson"
)

// The states of a task. The last three are final.
const (
	TaskWorking   = "working"
	TaskInput     = "input_required"
	TaskCompleted = "completed"
	TaskFailed    = "failed"
	TaskCancelled = "cancelled"
)

// TasksExtension is the id of the extension that has tasks in 2026-07-28.
const TasksExtension = tasksExtension

// Task is the state of a task, of 2025-11-25 (spec: basic/utilities/tasks) or of the
// tasks extension.
type Task struct {
	ID, Status, Message string
	Created, Updated    string        // as sent
	Poll                time.Duration // the pause that the server suggests between two questions
	HasPoll             bool

	// In the extension a task has what it came to, or what it waits for.
	Result   json.RawMessage
	Error    json.RawMessage
	Requests []InputRequest

	Raw     json.RawMessage
	Problem string
}

// Final reports whether the task's state will not change any more.
func (t Task) Final() bool {
	return t.Status == TaskCompleted || t.Status == TaskFailed || t.Status == TaskCancelled
}

// DecodeTask reads a task from a result, or from the params of a notification. It may
// be the object itself or stand under its key "task": both are in use.
func DecodeTask(raw []byte) Task {
	if _, flat := rawjson.Get(raw, "taskId"); !flat {
		if inner, ok := rawjson.Get(raw, "task"); ok && rawjson.KindOf(inner) == rawjson.Object {
			raw = inner
		}
	}
	t := Task{Raw: raw}
	r := newReader("the task")
	r.object(raw, func(key string, raw []byte) { t.member(r, key, raw) })
	r.require("taskId")
	r.require("status")
	switch t.Status {
	case "", TaskWorking, TaskCompleted, TaskFailed, TaskCancelled, TaskInput:
	default:
		r.say("status " + strconv.Quote(t.Status) + " is not one of the five")
	}
	t.Problem = r.problem()
	return t
}

func (t *Task) member(r *reader, key string, raw []byte) {
	switch key {
	case "taskId":
		t.ID = r.text(key, raw)
	case "status":
		t.Status = r.text(key, raw)
	case "statusMessage":
		t.Message = r.text(key, raw)
	case "createdAt":
		t.Created = r.text(key, raw)
	case "lastUpdatedAt":
		t.Updated = r.text(key, raw)
	case "pollInterval", "pollIntervalMs":
		if rawjson.KindOf(raw) == rawjson.Null {
			return
		}
		if ms := r.float(key, raw); ms != nil {
			t.Poll, t.HasPoll = millis(*ms), true
		}
	case "result":
		t.Result = raw
	case "error":
		t.Error = raw
	case "inputRequests":
		t.Requests = r.inputRequests(key, raw)
	}
}

// millis is a number of milliseconds as a duration; what is too long, or negative, is
// as much as fits, or 0.
func millis(ms float64) time.Duration {
	ns := ms * float64(time.Millisecond)
	switch {
	case !(ns > 0):
		return 0
	case ns >= math.MaxInt64:
		return math.MaxInt64
	}
	return time.Duration(ns)
}
