package history

import "testing"

func TestCatalogue(t *testing.T) {
	l, _ := record(t, talk(
		"> 0 initialize", `< 0 ok {"protocolVersion":"2025-06-18","serverInfo":{"name":"weather","version":"1"},"capabilities":{}}`,
		"> 1 tools/list", `< 1 ok {"tools":[{"name":"a","inputSchema":{}},{"name":"b","inputSchema":null}],"nextCursor":"c"}`,
	)...)
	var s State
	var c Catalogue
	s.CatchUp(l)
	if got := c.Tools(l, &s); len(got) != 2 || got[0].Name != "a" || got[1].Malformed == "" {
		t.Errorf("%+v", got)
	}
	if got := c.Server(l, &s); got.ServerName != "weather" {
		t.Errorf("%+v", got)
	}
	l.Append(talk(`> 2 tools/list {"cursor":"c"}`, `< 2 ok {"tools":[{"name":"c","inputSchema":{}}]}`,
		"> 3 prompts/list", `< 3 ok {"prompts":[{"name":"p"}]}`, "> 4 resources/list", `< 4 ok {"resources":[{"uri":"u","name":"r"}]}`,
		"> 5 resources/templates/list", `< 5 ok {"resourceTemplates":[{"uriTemplate":"u{x}","name":"t"}]}`))
	s.CatchUp(l)
	if got := c.Tools(l, &s); len(got) != 3 || got[2].Name != "c" {
		t.Errorf("%+v", got)
	}
	if first, again := c.Tools(l, &s), c.Tools(l, &s); &first[0] != &again[0] {
		t.Error("decoded again")
	}
	if len(c.Prompts(l, &s)) != 1 || len(c.Resources(l, &s)) != 1 || len(c.Templates(l, &s)) != 1 {
		t.Error("other lists")
	}
	// A new listing takes the place of the old one, also out of a batch.
	l.Append(talk(`> [{"jsonrpc":"2.0","id":6,"method":"ping"},{"jsonrpc":"2.0","id":7,"method":"tools/list"}]`,
		`< [{"jsonrpc":"2.0","id":6,"result":{}},{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"d","inputSchema":{}}]}}]`))
	s.CatchUp(l)
	if got := c.Tools(l, &s); len(got) != 1 || got[0].Name != "d" {
		t.Errorf("%+v", got)
	}
	other, _ := record(t)
	if got := c.Tools(other, new(State)); len(got) != 0 {
		t.Errorf("of another log: %+v", got)
	}
}

func TestCatalogueKnowsBothHandshakes(t *testing.T) {
	l, _ := record(t, talk("> 0 server/discover",
		`< 0 ok {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`)...)
	var s State
	var c Catalogue
	s.CatchUp(l)
	if got := c.Server(l, &s); got.ServerName != "s" || len(got.Supported) != 1 {
		t.Errorf("%+v", got)
	}
	l.Append(talk("> 1 initialize", `< 1 ok {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"t","version":"1"}}`))
	s.CatchUp(l)
	if got := c.Server(l, &s); got.ServerName != "t" || got.ProtocolVersion != "2025-11-25" {
		t.Errorf("%+v", got)
	}
}
