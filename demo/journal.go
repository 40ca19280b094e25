package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// journal writes the log of the last tutorial's server to stderr, line by line
// as printed there. One without a writer is silent.
type journal struct {
	mu sync.Mutex
	w  io.Writer
}

const (
	mainClass   = "com.example.mcp.Main"
	serverClass = "com.example.mcp.server.McpServer"
)

func (j *journal) print(level, class, format string, args ...any) {
	if j.w == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	fmt.Fprintf(j.w, "[main] %-5s %s - %s\n", level, class, fmt.Sprintf(format, args...))
}

func (j *journal) started(w *world) {
	if j.w == nil {
		fmt.Fprintf(w.stderr, "parley demo: world %s, listening on stdio\n", w.name)
		return
	}
	j.print("INFO", mainClass, "=== MCP Demo Server 启动 ===")
	for _, raw := range w.tools {
		j.print("INFO", serverClass, "已注册工具: %s", stringIn(raw, "name"))
	}
	j.print("INFO", mainClass, "已注册 %d 个测试工具", len(w.tools))
	j.print("INFO", serverClass, "MCP 服务器启动")
}

func (j *journal) received(raw []byte) { j.print("DEBUG", serverClass, "收到请求: %s", raw) }

// message logs a message that could be read.
func (j *journal) message(raw []byte, e envelope) {
	if j.w == nil {
		return
	}
	j.received(raw)
	switch e.method {
	case "initialize":
		var p struct {
			ProtocolVersion string                         `json:"protocolVersion"`
			ClientInfo      struct{ Name, Version string } `json:"clientInfo"`
		}
		_ = json.Unmarshal(e.params, &p) // the log says what can be read
		j.print("INFO", serverClass, "收到初始化请求: %s v%s", p.ClientInfo.Name, p.ClientInfo.Version)
		j.print("INFO", serverClass, "客户端协议版本: %s", p.ProtocolVersion)
		j.print("INFO", serverClass, "初始化成功,准备发送响应")
	case "notifications/initialized":
		j.print("INFO", serverClass, "客户端初始化完成")
	}
}

func (j *journal) sending(line []byte) { j.print("DEBUG", serverClass, "发送响应: %s", line) }

// sent logs that a line was written.
func (j *journal) sent(line []byte) {
	if j.w == nil {
		return
	}
	var m struct {
		Error json.RawMessage `json:"error"`
	}
	outcome := "success"
	if json.Unmarshal(line, &m) == nil && m.Error != nil {
		outcome = "error"
	}
	j.print("INFO", serverClass, "响应已发送,method=%s", outcome)
}
