package client

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// SetLogLevel asks the server for log messages of that level and above: a legacy server
// at once by logging/setLevel, a modern one by each request from here on, of which the
// level "" asks for none (spec: server/utilities/logging). It holds for later
// connections, too.
func (c *Client) SetLogLevel(ctx context.Context, level string) error {
	if level != "" && !slices.Contains(mcp.LogLevels(), level) {
		return &LevelError{Level: level}
	}
	c.mu.Lock()
	legacy := c.shaken && c.era != Modern
	c.mu.Unlock()
	if legacy && level != "" {
		if _, err := c.Request(ctx, "logging/setLevel", levelParams(level), CallOptions{By: wire.ByForm}); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opt.LogLevel = level
	if c.era == Modern {
		c.envelope = newEnvelope(&c.opt, c.info.ProtocolVersion, c.capabilities)
	}
	return nil
}

// LogLevel is the level that was asked for; "" if none was.
func (c *Client) LogLevel() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opt.LogLevel
}

func levelParams(level string) json.RawMessage {
	return append(rawjson.Quote([]byte(`{"level":`), level), '}')
}

// LevelError is a log level that the protocol does not have.
type LevelError struct{ Level string }

func (e *LevelError) Error() string {
	return fmt.Sprintf("there is no log level %s", strconv.Quote(e.Level))
}

// Hint lists those that there are.
func (e *LevelError) Hint() string {
	return "the levels are " + strings.Join(mcp.LogLevels(), ", ")
}

// Word names the error for machines.
func (e *LevelError) Word() string { return "usage" }
