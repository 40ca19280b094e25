package mcp

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestDecodeTask(t *testing.T) {
	tests := []struct {
		name, raw  string
		id, status string
		poll       time.Duration // -1: none
		result     string
		problem    string
	}{
		{"2025-11-25, created", `{"task":{"taskId":"a","status":"working","createdAt":"x","lastUpdatedAt":"y","ttl":null,"pollInterval":5000}}`, "a", "working", 5 * time.Second, "", ""},
		{"2025-11-25, asked for", `{"taskId":"a","status":"cancelled","pollInterval":10}`, "a", "cancelled", 10 * time.Millisecond, "", ""},
		{"the extension", `{"resultType":"task","taskId":"a","status":"working","ttlMs":60000,"pollIntervalMs":250}`, "a", "working", 250 * time.Millisecond, "", ""},
		{"the extension, embedded", `{"resultType":"task","task":{"taskId":"a","status":"working"}}`, "a", "working", -1, "", ""},
		{"done", `{"taskId":"a","status":"completed","result":{ "content":[] }}`, "a", "completed", -1, `{ "content":[] }`, ""},
		{"an unknown state", `{"taskId":"a","status":"paused"}`, "a", "paused", -1, "", `status "paused" is not one of the five`},
		{"an odd interval", `{"taskId":"a","status":"working","pollInterval":"5s"}`, "a", "working", -1, "", "pollInterval is a string"},
		{"a negative interval", `{"taskId":"a","status":"working","pollInterval":-3}`, "a", "working", 0, "", ""},
		{"no interval", `{"taskId":"a","status":"working","pollInterval":null}`, "a", "working", -1, "", ""},
		{"an endless interval", `{"taskId":"a","status":"working","pollIntervalMs":1e300}`, "a", "working", math.MaxInt64, "", ""},
		{"no task", `{"content":[]}`, "", "", -1, "", "taskId is missing; status is missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := DecodeTask([]byte(tt.raw))
			poll := got.Poll
			if !got.HasPoll {
				poll = -1
			}
			if got.ID != tt.id || got.Status != tt.status || poll != tt.poll || string(got.Result) != tt.result {
				t.Errorf("got %+v", got)
			}
			if (got.Problem == "") != (tt.problem == "") || !strings.Contains(got.Problem, tt.problem) {
				t.Errorf("problem %q, want %q", got.Problem, tt.problem)
			}
		})
	}
}

func TestTaskThatAsks(t *testing.T) {
	task := DecodeTask([]byte(`{"taskId":"a","status":"input_required","inputRequests":{"k":{"method":"roots/list"}}}`))
	if task.Final() || len(task.Requests) != 1 || task.Requests[0].Key != "k" {
		t.Errorf("got %+v", task)
	}
	for _, status := range []string{TaskCompleted, TaskFailed, TaskCancelled} {
		if !(Task{Status: status}).Final() {
			t.Errorf("%s is final", status)
		}
	}
}

func TestDecodeCacheHints(t *testing.T) {
	tests := []struct {
		result  string
		ttl     time.Duration
		scope   string
		problem string
	}{
		{`{"ttlMs":1500,"cacheScope":"public"}`, 1500 * time.Millisecond, "public", ""},
		{`{"ttlMs":0,"cacheScope":"private"}`, 0, "private", ""},
		{`{"ttlMs":-1,"cacheScope":"public"}`, 0, "public", "negative"},
		{`{"ttlMs":1e30,"cacheScope":"public"}`, math.MaxInt64, "public", ""},
		{`{"ttlMs":"9","cacheScope":"mine"}`, 0, "mine", "ttlMs is a string"},
		{`{}`, 0, "", "ttlMs is missing; cacheScope is missing"},
		{`7`, 0, "", "not an object"},
	}
	for _, tt := range tests {
		got := DecodeCacheHints([]byte(tt.result))
		if got.TTL != tt.ttl || got.Scope != tt.scope || (got.Problem == "") != (tt.problem == "") || !strings.Contains(got.Problem, tt.problem) {
			t.Errorf("%s: got %+v", tt.result, got)
		}
	}
}
