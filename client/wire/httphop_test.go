package wire

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// follow asks and follows redirects as a connection does.
func follow(client *http.Client, req *http.Request, given http.Header) (resp *http.Response, hops int, err error) {
	for {
		if resp, err = client.Do(req); err != nil {
			return nil, hops, err
		}
		if !isRedirect(resp) {
			return resp, hops, nil
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if req, err = nextHop(req, resp, given); err != nil {
			return nil, hops, err
		}
		hops++
	}
}

// redirector redirects by its query: code, and to, which may hold another one.
func redirector(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if to := r.URL.Query().Get("to"); to != "" {
			code := 0
			_, _ = fmt.Sscan(r.URL.Query().Get("code"), &code)
			w.Header()["Location"] = []string{to}
			w.WriteHeader(code)
			return
		}
		fmt.Fprintf(w, "%s %s %s\n", r.Method, r.URL.Path, body)
		names := []string{}
		for name := range r.Header {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(w, "%s: %s\n", name, r.Header.Get(name))
		}
		fmt.Fprintf(w, "Host: %s\n", r.Host)
	}))
	t.Cleanup(s.Close)
	return s
}

func via(base string, code int, to string) string {
	return fmt.Sprintf("%s/hop?code=%d&to=%s", base, code, url.QueryEscape(to))
}

func post(t *testing.T, method, target string) (*http.Request, http.Header) {
	t.Helper()
	var body io.Reader
	if method == http.MethodPost {
		body = strings.NewReader(ping)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, target, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{
		"Accept": {"application/json"}, "Content-Type": {"application/json"}, "Authorization": {"Bearer hunter2"}, "Cookie": {"a=hunter2"},
		"MCP-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"ping"}, "Mcp-Session-Id": {"hunter2"}, "Mcp-Param-Region": {"eu"},
		"Mcp-Param-Own": {"hunter2"}, "X-Mine": {"hunter2"}, "x-odd": {"hunter2"}, "User-Agent": {"hunter2"},
	}
	return req, http.Header{"X-Mine": {"hunter2"}, "mcp-param-own": {"hunter2"}, "user-agent": {"hunter2"}, "X-Odd": {"hunter2"}, "Authorization": {"Bearer hunter2"}}
}

func TestRedirectsKeepTheMessage(t *testing.T) {
	a, b := redirector(t), redirector(t)
	for _, c := range []struct {
		name, method, url string
		hops              int
		secrets           bool
	}{
		{"none", "POST", a.URL + "/mcp", 0, true},
		{"307", "POST", via(a.URL, 307, "/mcp"), 1, true},
		{"308, absolute", "POST", via(a.URL, 308, a.URL+"/mcp"), 1, true},
		{"307 twice", "POST", via(a.URL, 307, via("", 308, "/mcp")), 2, true},
		{"another origin", "POST", via(a.URL, 307, b.URL+"/mcp"), 1, false},
		{"there and back", "POST", via(a.URL, 307, via(b.URL, 307, a.URL+"/mcp")), 2, false},
		{"GET by 301", "GET", via(a.URL, 301, "/mcp"), 1, true},
		{"GET by 302 elsewhere", "GET", via(a.URL, 302, b.URL+"/mcp"), 1, false},
		{"GET by 303", "GET", via(a.URL, 303, "/mcp"), 1, true},
		{"DELETE by 307", "DELETE", via(a.URL, 307, "/mcp"), 1, true},
		{"another name of the same host", "POST", via(a.URL, 307, strings.Replace(a.URL, "127.0.0.1", "localhost", 1)+"/mcp"), 1, false},
		{"no scheme", "POST", via(a.URL, 307, strings.TrimPrefix(a.URL, "http:")+"/mcp"), 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, given := post(t, c.method, c.url)
			resp, hops, err := follow(httpClient(t, NetOptions{}), req, given)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			raw, _ := io.ReadAll(resp.Body)
			got := string(raw)
			body := ""
			if c.method == "POST" {
				body = ping
			}
			if !strings.HasPrefix(got, c.method+" /mcp "+body+"\n") || hops != c.hops {
				t.Errorf("%d hops, got %s", hops, got)
			}
			if n := strings.Count(got, "hunter2"); c.secrets && n != 7 || !c.secrets && n != 0 {
				t.Errorf("%d secrets arrived:\n%s", n, got)
			}
			for _, want := range []string{"\nAccept: application/json\n", "\nContent-Type: application/json\n", "\nMcp-Protocol-Version: 2026-07-28\n", "\nMcp-Method: ping\n", "\nMcp-Param-Region: eu\n"} {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing:\n%s", want, got)
				}
			}
		})
	}
}

func TestRedirectsThatAreNotFollowed(t *testing.T) {
	a := redirector(t)
	many := "/mcp"
	for i := range 11 {
		many = via(a.URL, 307, many+strings.Repeat("x", i%2))
	}
	loop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := map[string]string{"/a": "/b", "/b": "/c", "/c": "/b"}[r.URL.Path]
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
	}))
	defer loop.Close()
	for _, c := range []struct {
		name, method, url string
		hops              int
		want, hint        string
		loop              bool
	}{
		{"POST by 301", "POST", via(a.URL, 301, "/new?token=hunter2"), 1, " moved to " + a.URL + "/new?token=… with 301 moved permanently, which turns a POST into a GET", "connect to " + a.URL + "/new?token=… instead", false},
		{"POST by 302", "POST", via(a.URL, 302, "/new"), 1, "with 302 found, which turns a POST into a GET", "/new instead", false},
		{"POST to a page to log in", "POST", via(a.URL, 302, "/login"), 1, "wants somebody to log in at " + a.URL + "/login (302 found)", "-H 'Authorization", false},
		{"POST by 303", "POST", via(a.URL, 303, "/x"), 1, "with 303 see other, which turns a POST into a GET", "/x instead", false},
		{"DELETE by 302", "DELETE", via(a.URL, 302, "/x"), 1, "turns a DELETE into a GET", "/x instead", false},
		{"no location", "POST", a.URL + "/hop?code=307&to=%20", 1, "answered 307 temporary redirect without saying where to", "set up wrongly", false},
		{"no host", "POST", via(a.URL, 307, "http:///x"), 1, "with a Location without a host", "set up wrongly", false},
		{"another scheme", "POST", via(a.URL, 307, "file://h/etc/passwd"), 1, "redirects to file://h/etc/passwd, which is no web address", "documentation", false},
		{"a loop", "POST", loop.URL + "/a", 3, "/c redirects in a loop: " + loop.URL + "/a → " + loop.URL + "/b → " + loop.URL + "/c → " + loop.URL + "/b", "set up wrongly", true},
		{"too many", "POST", many, 11, "redirects more than 10 times", "set up wrongly", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, given := post(t, c.method, c.url)
			resp, _, err := follow(httpClient(t, NetOptions{}), req, given)
			if err == nil {
				_ = resp.Body.Close()
				t.Fatal("it was followed")
			}
			e := (*RedirectError)(nil)
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if !strings.Contains(e.Error(), c.want) || !strings.Contains(e.Hint(), c.hint) || len(e.Hops) != c.hops || e.Loop != c.loop || e.Method != c.method || e.Word() != "http" {
				t.Errorf("error %q\nhint %q\nwant %q\n     %q\n%d hops, loop %v", e, e.Hint(), c.want, c.hint, len(e.Hops), e.Loop)
			}
			if strings.Contains(e.Error()+e.Hint()+fmt.Sprint(e.Hops), "token=hunter2") {
				t.Errorf("a secret: %q", e)
			}
		})
	}
	t.Run("no URL", func(t *testing.T) { // which net/http finds before we do
		req, given := post(t, "POST", via(a.URL, 307, "http://[::1/?token=hunter2"))
		resp, _, err := follow(httpClient(t, NetOptions{}), req, given)
		err = noAnswer(resp, err)
		if e := newNetError(a.URL, err); err == nil || !strings.HasPrefix(e.Error(), a.URL+" redirects to what is no URL: ") || strings.Contains(e.Error(), "hunter2") {
			t.Errorf("error %v", e)
		}
	})
	t.Run("from https to http", func(t *testing.T) {
		req, _ := post(t, "POST", "https://a.example/mcp")
		_, err := nextHop(req, &http.Response{StatusCode: http.StatusTemporaryRedirect, Request: req, Header: http.Header{"Location": {"http://a.example/mcp"}}}, nil)
		if err == nil || !strings.Contains(err.Error(), "https://a.example/mcp redirects to http://a.example/mcp, without encryption") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a body that is gone", func(t *testing.T) {
		req, _ := post(t, "POST", "https://a.example/mcp")
		req.GetBody = nil
		_, err := nextHop(req, &http.Response{StatusCode: http.StatusTemporaryRedirect, Request: req, Header: http.Header{"Location": {"/x"}}}, nil)
		if err == nil || !strings.Contains(err.Error(), "cannot be sent again") {
			t.Errorf("error %v", err)
		}
	})
}

func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"http://a/x", "http://a/y", true},
		{"http://A:80/", "http://a/", true},
		{"https://a:443/", "HTTPS://a/", true},
		{"http://a/", "https://a/", false},
		{"http://a:80/", "http://a:81/", false},
		{"http://a/", "http://a.b/", false},
		{"http://[::1]:5/", "http://[::1]:5/x", true},
		{"http://u@a/", "http://v@a/", true},
	} {
		a, _ := url.Parse(c.a)
		b, _ := url.Parse(c.b)
		if sameOrigin(a, b) != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, !c.same)
		}
	}
}

func mustURL(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return u
}
