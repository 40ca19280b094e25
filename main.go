// Command parley talks to any MCP server from the terminal: it explores it,
// calls it, shows every byte and replays it.
package main

import (
	"context"
	"os"
	"os/signal"

	"parley/cli"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), cli.Signals...)
	defer stop()
	return cli.Main(ctx, os.Args[1:], cli.Standard())
}
