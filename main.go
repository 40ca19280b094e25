// Command parley talks to any MCP server from the terminal: it explores it,
// calls it, shows every byte and replays it.
package main

import (
	"context"
	"os"

	"parley/cli"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := cli.WithSignals(context.Background())
	defer stop()
	return cli.Main(ctx, os.Args[1:], cli.Standard())
}
