package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
)

// rolePerfWeb is the smallest client of a server over HTTP.
const rolePerfWeb = "perf-web"

// perfWeb is the role: URL VERSION CALLS NAME says to a server what parley says to it,
// headers included, with as many calls of a tool after the list of tools. It reads what
// comes as events with bufio and bytes.Cut; nothing is parsed or kept. It prints how
// many messages came. With a NAME of "-" it waits for the end of the GET stream.
func perfWeb(args []string) int {
	calls, err := strconv.Atoi(args[2])
	if err != nil {
		return 2
	}
	c := &bareWeb{url: args[0], version: args[1], http: &http.Client{Transport: &http.Transport{}}}
	if err := c.run(calls, args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(c.messages)
	return 0
}

// bareWeb does what any client has to do, and no more.
type bareWeb struct {
	url, version, session string
	http                  *http.Client
	messages              int
}

func (c *bareWeb) modern() bool { return c.version == "2026-07-28" }

func (c *bareWeb) run(calls int, name string) error {
	id, over := 1, make(chan error, 1)
	over <- nil
	if c.modern() {
		if err := c.post(`{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{`+webMeta+`}}`, "server/discover", ""); err != nil {
			return err
		}
	} else {
		if err := c.post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+c.version+`","capabilities":{},"clientInfo":{"name":"parley","version":"0"}}}`, "initialize", ""); err != nil {
			return err
		}
		if err := c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", ""); err != nil {
			return err
		}
		over = make(chan error, 1)
		resp, err := c.do(http.MethodGet, nil, "", "") //nolint:bodyclose // read closes it
		if err != nil {
			return err
		}
		go func() { over <- c.read(resp) }()
	}
	list, call := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `,"method":"tools/call","params":{"name":"`+name+`","arguments":{"text":"hi"}`
	if c.modern() {
		list, call = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+webMeta+`}}`, call+`,`+webMeta
	}
	if err := c.post(list, "tools/list", ""); err != nil {
		return err
	}
	if name == "-" {
		return <-over
	}
	for range calls {
		id++
		if err := c.post(`{"jsonrpc":"2.0","id":`+strconv.Itoa(id)+call+`}}`, "tools/call", name); err != nil {
			return err
		}
	}
	if c.session != "" {
		resp, err := c.do(http.MethodDelete, nil, "", "")
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}
	return nil
}

const webMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"parley","version":"0"},"io.modelcontextprotocol/clientCapabilities":{}}`

func (c *bareWeb) post(message, method, name string) error {
	resp, err := c.do(http.MethodPost, []byte(message), method, name) //nolint:bodyclose // read closes it
	if err != nil {
		return err
	}
	return c.read(resp)
}

func (c *bareWeb) do(verb string, body []byte, method, name string) (*http.Response, error) {
	req, err := http.NewRequest(verb, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.session != "" || c.modern() {
		req.Header.Set("Mcp-Protocol-Version", c.version)
	}
	switch {
	case c.session != "":
		req.Header.Set("Mcp-Session-Id", c.session)
	case c.modern():
		req.Header.Set("Mcp-Method", method)
		if name != "" {
			req.Header.Set("Mcp-Name", name)
		}
	}
	resp, err := c.http.Do(req)
	if err == nil && resp.Header.Get("Mcp-Session-Id") != "" {
		c.session = resp.Header.Get("Mcp-Session-Id")
	}
	return resp, err
}

// read reads a body to its end, a stream until what is the last message of one.
func (c *bareWeb) read(resp *http.Response) error {
	defer func() { _ = resp.Body.Close() }()
	if resp.Header.Get("Content-Type") != "text/event-stream" {
		if resp.StatusCode == http.StatusOK {
			c.messages++
		}
		_, err := io.Copy(io.Discard, resp.Body)
		return err
	}
	lines := bufio.NewReaderSize(resp.Body, 64<<10)
	for begun := true; ; {
		line, err := lines.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
		if name, data, ok := bytes.Cut(line, []byte(": ")); begun && ok && string(name) == "data" {
			c.messages++
			if bytes.HasPrefix(data, []byte(webOver)) {
				return nil
			}
		}
		begun = err == nil
	}
}
