package cli_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/signal"
	"testing"
)

func TestServeByHand(t *testing.T) {
	name := os.Getenv("SERVE")
	if name == "" {
		t.Skip("by hand")
	}
	s := httptest.NewServer(webHandlers[name]())
	fmt.Fprintln(os.Stderr, s.URL+"/mcp")
	_ = os.WriteFile("/tmp/clibin/url."+name, []byte(s.URL+"/mcp"), 0o600)
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c
}
