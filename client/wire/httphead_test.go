package wire

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestMaskedFields(t *testing.T) {
	const long = "abcdefghijklmnop-a1b2"
	for _, c := range []struct{ name, value, want string }{
		{"Authorization", "Bearer " + long, "Bearer …a1b2"},
		{"authorization", "bearer " + long, "bearer …a1b2"},
		{"AUTHORIZATION", "BEARER  \t" + long, "BEARER  \t…a1b2"},
		{"Authorization", " Bearer " + long, " Bearer …a1b2"},
		{"Authorization", "Bearer short", "Bearer …"},
		{"Authorization", "Bearer", "…"},
		{"Authorization", long, "…a1b2"},
		{"Authorization", "Bearer:" + long, "…a1b2"},
		{"Authorization", "Basic dXNlcjpwYXNzd29yZA==", "Basic …"},
		{"Authorization", "Bearer " + long + ", Bearer " + long, "Bearer …a1b2"},
		{"Authorization", "Custom " + long, "…a1b2"},
		{"Authorization", "Bearer abcdefghijklmnop\u00e9", "Bearer …"},
		{"Authorization", "", ""},
		{"Proxy-Authorization", "Basic dXNlcjpwYXNzd29yZA==", "Basic …"},
		{"Authentication", long, "…a1b2"},
		{"X-Forwarded-Authorization", "Bearer " + long, "Bearer …a1b2"},
		{"X-Upstream", "Bearer " + long, "Bearer …a1b2"},
		{"Cookie", "sid=" + long + "; theme=dark;bare; x=a=b", "sid=…a1b2; theme=…;…; x=…"},
		{"cookie", long, "…a1b2"},
		{"Set-Cookie", "sid=" + long + "; Path=/; HttpOnly; Max-Age=5; odd=" + long, "sid=…a1b2; Path=/; HttpOnly; Max-Age=5; odd=…a1b2"},
		{"Mcp-Session-Id", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "…3301"},
		{"MCP-SESSION-ID", "12", "…"},
		{"mcp_session_id", long, "…a1b2"},
		{"X-API-Key", long, "…a1b2"},
		{"X_Api_Key", long, "…a1b2"},
		{"xapikey", long, "…a1b2"},
		{"Api.Key", long, "…a1b2"},
		{"X-Auth-Token", long, "…a1b2"},
		{"X-Auth", long, "…a1b2"},
		{"Ocp-Apim-Subscription-Key", long, "…a1b2"},
		{"X-Client-Secret", long, "…a1b2"},
		{"X-Password", long, "…a1b2"},
		{"X-My-Credentials", long, "…a1b2"},
		{"X-Amz-Security-Token", long, "…a1b2"},
		{"X-Thing", "sk-" + long + "12", "…b212"},
		{"X-Thing", "user=me, jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.c2ln", "user=me, jwt …c2ln"},
		{"Location", "https://a.example/m?sessionId=" + long + "&x=1", "https://a.example/m?sessionId=…a1b2&x=1"},
		{"Location", "/cb#access_token=" + long, "/cb#access_token=…a1b2"},
		{"Link", "</m?token=" + long + ">; rel=next", "</m?token=…a1b2>; rel=next"},
		{"Www-Authenticate", `Bearer realm="x", resource_metadata="https://a.example/.well-known/x"`, `Bearer realm="x", resource_metadata="https://a.example/.well-known/x"`},
		{"Access-Control-Allow-Credentials", "true", "true"},
		{"Access-Control-Expose-Headers", "Mcp-Session-Id", "Mcp-Session-Id"},
		{"Content-Type", "text/event-stream; charset=utf-8", "text/event-stream; charset=utf-8"},
		{"Mcp-Method", "tools/call", "tools/call"},
		{"Mcp-Name", "weather", "weather"},
		{"Etag", `W/"3f2504e04f8911d39a0c0305e82c3301"`, `W/"3f2504e04f8911d39a0c0305e82c3301"`},
		{"Date", "Fri, 20 Nov 2026 14:15:29 GMT", "Fri, 20 Nov 2026 14:15:29 GMT"},
		{"Keep-Alive", "timeout=5", "timeout=5"},
	} {
		if got := MaskHeader(c.name, c.value); got != c.want {
			t.Errorf("%s: %q is shown as %q, want %q", c.name, c.value, got, c.want)
		}
	}
}

func TestMaskedURLs(t *testing.T) {
	const long = "abcdefghijklmnop-a1b2"
	for _, c := range []struct{ in, want string }{
		{"http://127.0.0.1:3001/mcp", "http://127.0.0.1:3001/mcp"},
		{"/messages?sessionId=" + long, "/messages?sessionId=…a1b2"},
		{"/messages/?session_id=" + long + "&a=b", "/messages/?session_id=…a1b2&a=b"},
		{"/m?SESSIONID=" + long, "/m?SESSIONID=…a1b2"},
		{"/m?%73ession%49d=" + long, "/m?%73ession%49d=…a1b2"},
		{"/m?%zz%73essionId=" + long, "/m?%zz%73essionId=…a1b2"},
		{"/m?%2573essionId=" + long, "/m?%2573essionId=…a1b2"},
		{"/m?a=b;token=" + long, "/m?a=b;token=…a1b2"},
		{"/m;jsessionid=" + long, "/m;jsessionid=…a1b2"},
		{"/m?a?token=" + long, "/m?a?token=…a1b2"},
		{"/m?session%20id=" + long, "/m?session%20id=…a1b2"},
		{"/m?x[token]=" + long, "/m?x[token]=…a1b2"},
		{"/m?token=abc def " + long, "/m?token=…a1b2"},
		{"/m?token=" + long + ",more", "/m?token=…more"},
		{"/m?token=", "/m?token="},
		{"/m?token", "/m?token"},
		{"/m?token=short&key=x", "/m?token=…&key=…"},
		{"/m?keyword=x&monkey=1&page=2", "/m?keyword=x&monkey=…&page=2"},
		{"/m?next=https%3A%2F%2Fa%2F%3Ftoken%3D" + long, "/m?next=…a1b2"},
		{"/m?next=%2Fplain%2Fpath", "/m?next=%2Fplain%2Fpath"},
		{"/m?token%3D" + long, "/m?…a1b2"},
		{"https://user:" + long + "@a.example/m", "https://user:…@a.example/m"},
		{"https://" + long + "@a.example/m", "https://…@a.example/m"},
		{"https://u:p@ss@a.example/m", "https://u:…@a.example/m"},
		{"//u:p@a.example/m", "//u:…@a.example/m"},
		{"https://a.example/s/3f2504e0-4f89-11d3-9a0c-0305e82c3301/mcp", "https://a.example/s/…3301/mcp"},
		{"/messages/3f2504e04f8911d39a0c0305e82c3301", "/messages/…3301"},
		{"/s/NzY1Yzk0OWItZTg4Ny00NTg1/mcp", "/s/…NTg1/mcp"},
		{"/servers/everything-server-2025-11-25/mcp", "/servers/everything-server-2025-11-25/mcp"},
		{"/v1/projects/123456/locations/us-west1", "/v1/projects/123456/locations/us-west1"},
		{"/sk-" + long + "1/mcp", "/…1b21/mcp"},
		{"", ""}, {"?", "?"}, {"&=", "&="}, {"#", "#"}, {"%", "%"}, {"//", "//"}, {"://@", "://…@"},
	} {
		if got := maskURL(c.in); got != c.want {
			t.Errorf("%q is shown as %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTheEndpointEventIsMasked(t *testing.T) {
	const id = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
	for _, c := range []struct{ in, want, data string }{
		{"event: endpoint\ndata: /m?sessionId=" + id + "\n\n", "event: endpoint\ndata: /m?sessionId=…3301\n\n", "/m?sessionId=" + id},
		{"data:/m?sessionId=" + id + "\r\nevent:endpoint\r\n\r\n", "data:/m?sessionId=…3301\r\nevent:endpoint\r\n\r\n", "/m?sessionId=" + id},
		{"event: endpoint\rdata: http://u:p@h/m/" + id + "\r\r", "event: endpoint\rdata: http://u:…@h/m/…3301\r\r", "http://u:p@h/m/" + id},
		{"event: endpoint\ndata: /m?sessionId=3f25\ndata: " + id + "\n\n", "event: endpoint\ndata: …\ndata: …\n\n", "/m?sessionId=3f25\n" + id},
		{"event: endpoint\ndata: /m?token=a b " + id, "event: endpoint\ndata: /m?token=…3301", ""},
		{"data: {\"x\":\"/m?sessionId=" + id + "\"}\n\n", "data: {\"x\":\"/m?sessionId=" + id + "\"}\n\n", "{\"x\":\"/m?sessionId=" + id + "\"}"},
	} {
		k, data := &keeper{}, ""
		s := &sseReader{rec: newRecorder(k, nil), mask: maskEndpoint}
		if err := s.run(strings.NewReader(c.in), func(e *sseEvent) bool { data = string(e.Data); return true }); err != nil {
			t.Fatal(err)
		}
		if f := k.frames[0]; string(f.Raw) != c.want || f.Size != int64(len(c.want)) || data != c.data {
			t.Errorf("%q is shown as %q, want %q; its data is %q", c.in, f.Raw, c.want, data)
		}
	}
}

// FuzzMask hides a secret in places where one may stand, between whatever else.
func FuzzMask(f *testing.F) {
	const secret = "s3cr3tV4lu3-THEEND"
	for _, s := range []string{"", "&a=b", "?x", "%2", "http://h/", ";=#", "a b", "%26", "token=", "//@"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Contains(before+after, "\r") || strings.Contains(before+after, "\n") {
			return
		}
		for _, shown := range []string{
			MaskHeader("Authorization", before+secret+after),
			MaskHeader("X-Api-Key", before+secret+after),
			MaskHeader("Cookie", before+"="+secret+after),
			maskURL("/m?" + before + "&sessionId=" + secret + after),
			maskURL("/m?sessionId=" + secret + "&" + after),
			maskURL(before + "?token=" + secret),
			MaskHeader("Location", "/m?"+before+"&api_key="+secret),
			MaskHeader("X-Link", "/m?session_id="+secret+" "+after),
		} {
			if strings.Contains(shown, secret[:14]) {
				t.Errorf("with %q before and %q after: %q", before, after, shown)
			}
		}
	})
}

func TestHeadsAreWhatWentOut(t *testing.T) {
	const long = "abcdefghijklmnop-a1b2"
	for name, start := range map[string]func(http.Handler) *httptest.Server{
		"HTTP/1.1": httptest.NewServer,
		"HTTP/2.0": func(h http.Handler) *httptest.Server {
			s := httptest.NewUnstartedServer(h)
			s.EnableHTTP2 = true
			s.StartTLS()
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Mcp-Session-Id", long)
				w.Header().Add("Set-Cookie", "a="+long)
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, "{}")
			}))
			defer server.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/mcp?api_key="+long, strings.NewReader(ping))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+long)
			req.Header["MCP-Protocol-Version"] = []string{"2025-11-25"}
			var heads []string
			traced, told := traceHead(req, nil, func(head []byte) { heads = append(heads, string(head)) })
			resp, err := server.Client().Do(traced)
			told()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			if len(heads) != 1 {
				t.Fatalf("%d heads", len(heads))
			}
			head := strings.ToLower(heads[0])
			for _, want := range []string{
				"post /mcp?api_key=…a1b2 " + strings.ToLower(name) + "\r\nhost: " + strings.TrimPrefix(strings.TrimPrefix(server.URL, "https://"), "http://") + "\r\n",
				"\r\nauthorization: bearer …a1b2\r\n", "\r\nmcp-protocol-version: 2025-11-25\r\n", "\r\ncontent-length: 40\r\n", "\r\naccept-encoding: gzip\r\n", "\r\nuser-agent: ",
			} {
				if !strings.Contains(head, want) {
					t.Errorf("the head lacks %q:\n%s", want, heads[0])
				}
			}
			if strings.Contains(head, "abcdef") || strings.Contains(head, "\r\n:") || !strings.HasSuffix(head, "\r\n") || strings.HasSuffix(head, "\r\n\r\n") {
				t.Errorf("head %q", heads[0])
			}
			answer := string(responseHead(resp))
			for _, want := range []string{name + " 200 OK\r\n", "\r\nContent-Length: 2\r\n", "\r\nContent-Type: application/json\r\n", "\r\nMcp-Session-Id: …a1b2\r\n", "\r\nSet-Cookie: a=…a1b2\r\n"} {
				if !strings.Contains(answer, want) {
					t.Errorf("the head lacks %q:\n%s", want, answer)
				}
			}
		})
	}
}

func TestWhatNeverWentOutHasNoHead(t *testing.T) {
	client := &http.Client{Transport: &http.Transport{DialContext: refuse}}
	req, _ := http.NewRequest(http.MethodGet, "http://127.0.0.1/", nil)
	traced, told := traceHead(req, nil, func(head []byte) { t.Errorf("a head: %q", head) })
	if resp, err := client.Do(traced); err == nil {
		_ = resp.Body.Close()
		t.Error("no error")
	}
	told()
}

func TestHeadsPutBackWhatNetHTTPTakesOut(t *testing.T) {
	resp := &http.Response{Proto: "HTTP/1.1", Status: "200 OK", Uncompressed: true, TransferEncoding: []string{"chunked"}, Header: http.Header{"B": {"1", "2"}, "A": {"x"}}}
	if got, want := string(responseHead(resp)), "HTTP/1.1 200 OK\r\nA: x\r\nB: 1\r\nB: 2\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"; got != want {
		t.Errorf("head %q, want %q", got, want)
	}
	req, _ := http.NewRequest(http.MethodGet, "http://a.example/sse", nil)
	req.Header.Set("X-Token", "x")
	if got, want := string(requestHead(req, nil)), "GET /sse HTTP/1.1\r\nHost: a.example\r\nX-Token: …\r\n"; got != want {
		t.Errorf("head %q, want %q", got, want)
	}
}

func BenchmarkRequestHead(b *testing.B) {
	req, _ := http.NewRequest(http.MethodPost, "http://127.0.0.1:3001/mcp", strings.NewReader(ping))
	for name, value := range map[string]string{"Accept": "application/json, text/event-stream", "Content-Type": "application/json", "Mcp-Session-Id": "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
		"Mcp-Protocol-Version": "2025-11-25", "User-Agent": "parley/1", "Accept-Encoding": "gzip", "Content-Length": "40", "Authorization": "Bearer abcdefghijklmnop"} {
		req.Header.Set(name, value)
	}
	fields := sortedFields(req.Header)
	b.ReportAllocs()
	for b.Loop() {
		requestHead(req, fields)
	}
}
