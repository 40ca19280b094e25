package config

import "testing"

func TestArgumentsThatAreMasked(t *testing.T) {
	for arg, want := range map[string]string{
		"tvly-0123456789abcdef":                     "…cdef",
		"ghp_0123456789abcdefghijklmnopqrstuvwxyz":  "…wxyz",
		"sk-ant-0123456789abcdef":                   "…cdef",
		"--api-key=sk-ant-0123456789abcdef":         "--api-key=…cdef",
		"DATABASE_URL=postgres://me:hunter2@h/db":   "DATABASE_URL=postgres://me:…@h/db",
		"Authorization: Bearer 0123456789abcdefgh":  "Authorization: Bearer …efgh",
		"https://a.example/mcp?api_key=0123&page=2": "https://a.example/mcp?api_key=…&page=2",
		// and what is none
		"sk-learn-server-of-mine":      "sk-learn-server-of-mine",
		"fc-cache":                     "fc-cache",
		"npm_config_registry_is_a_lot": "npm_config_registry_is_a_lot",
		"-y":                           "-y",
		"@scope/sk-server@1.2.3456789": "@scope/sk-server@1.2.3456789",
		"/home/me/keys/0123456789abc":  "/home/me/keys/0123456789abc",
		"${TOKEN}":                     "${TOKEN}",
		"--port=8080":                  "--port=8080",
	} {
		if got := (Server{Args: []string{arg}}).Masked().Args[0]; got != want {
			t.Errorf("%s is shown as %s, want %s", arg, got, want)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	for value, want := range map[string]string{
		"":                     "${X_API_KEY}",
		"hunter2":              "${X_API_KEY}",
		"Bearer hunter2":       "Bearer ${X_API_KEY}",
		"${KEY}":               "${KEY}",
		"bearer ${KEY:-mine}":  "bearer ${KEY}",
		"hunter2${KEY}":        "${X_API_KEY}",
		"Bearer ${A}${env:B}":  "Bearer ${A}${env:B}",
		"Basic ${A} hunter2 b": "Basic ${X_API_KEY}",
	} {
		if got := Placeholder(value, "X-Api-Key"); got != want {
			t.Errorf("%q becomes %q, want %q", value, got, want)
		}
	}
}
