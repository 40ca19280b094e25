package config

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// hidden stands for what is not shown.
const hidden = "…"

// longSecret is from which length on the end of a secret is shown, in bytes:
// enough to tell two apart, too little to be of use.
const longSecret = 16

// Mask gives a value of env or headers so that it can be shown: … and, of a long
// one, its last four bytes. Variables are shown as written, but not what they
// fall back to; so is the scheme of an Authorization header.
func (s Server) Mask(value string) string {
	var b strings.Builder
	for _, scheme := range authSchemes {
		if len(value) > len(scheme) && strings.EqualFold(value[:len(scheme)], scheme) {
			b.WriteString(value[:len(scheme)])
			value = value[len(scheme):]
			break
		}
	}
	s.dialect().each(value,
		func(text string) { b.WriteString(maskText(text)) },
		func(name, written string) {
			if bare, _, ok := strings.Cut(name, ":-"); ok {
				written = "${" + bare + ":-" + hidden + "}"
			}
			b.WriteString(written)
		})
	return b.String()
}

// Placeholder gives a value for a command line that may be shown: the variables that
// it was written with, or one that stands for the whole value, behind the scheme of an
// Authorization header.
func Placeholder(value, variable string) string {
	scheme := ""
	for _, known := range authSchemes {
		if len(value) > len(known) && strings.EqualFold(value[:len(known)], known) {
			scheme, value = value[:len(known)], value[len(known):]
			break
		}
	}
	literal, written := false, ""
	plain.each(value, func(string) { literal = true }, func(name, _ string) {
		bare, _, _ := strings.Cut(name, ":-")
		written += "${" + bare + "}"
	})
	if literal || written == "" {
		written = "${" + variableName(variable) + "}"
	}
	return scheme + written
}

// authSchemes begin the values of Authorization headers.
var authSchemes = []string{"Bearer ", "Basic ", "Token "}

func (s Server) dialect() dialect {
	if s.file == nil {
		return plain
	}
	return s.file.dialect
}

func maskText(text string) string {
	if len(text) < longSecret {
		return hidden
	}
	end := text[len(text)-4:]
	for _, c := range []byte(end) {
		if c < ' ' || c >= 0x7f {
			return hidden
		}
	}
	return hidden + end
}

// Masked returns the server with everything that may be a secret masked: all of
// env and headers, passwords and keys in the URL, and arguments that are given
// to a flag, a variable or a header which sounds like one.
func (s Server) Masked() Server {
	s.Env, s.Headers = s.maskTable(s.Env), s.maskTable(s.Headers)
	s.URL = s.maskURL(s.URL)
	s.Args = slices.Clone(s.Args)
	for i, arg := range s.Args {
		switch {
		case i > 0 && secretFlag(s.Args[i-1]) && !strings.HasPrefix(arg, "-"):
			s.Args[i] = s.Mask(arg)
		default:
			s.Args[i] = s.maskArg(arg)
		}
	}
	return s
}

func (s Server) maskTable(table map[string]string) map[string]string {
	out := maps.Clone(table)
	for k, v := range out {
		out[k] = s.Mask(v)
	}
	return out
}

// maskArg masks --token=x, TOKEN=x, "Authorization: x" and secrets in URLs.
func (s Server) maskArg(arg string) string {
	if i := strings.IndexAny(arg, "=:"); i > 0 && !strings.HasPrefix(arg[i:], "://") && sounds(arg[:i]) {
		end := i + 1
		for end < len(arg) && arg[end] == ' ' {
			end++
		}
		if end < len(arg) {
			return arg[:end] + s.Mask(arg[end:])
		}
	}
	if isKey(arg) {
		return s.Mask(arg)
	}
	return s.maskURL(arg)
}

// keyPrefixes begin the keys of services that can be told by it.
var keyPrefixes = []string{"sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xapp-", "AKIA", "ASIA",
	"AIza", "ya29.", "eyJ", "npm_", "hf_", "tvly-", "fc-", "ntn_", "secret_", "lin_api_", "figd_", "dop_v1_", "shpat_", "SG.", "ATATT"}

// isKey reports whether a word is the key of a service.
func isKey(word string) bool {
	if len(word) < longSecret || strings.ContainsAny(word, " /\\:@$") {
		return false
	}
	for _, prefix := range keyPrefixes {
		if rest, ok := strings.CutPrefix(word, prefix); ok && strings.ContainsAny(rest, "0123456789") {
			return true
		}
	}
	return false
}

// MaskURL masks what may be a secret in a URL that somebody typed.
func MaskURL(text string) string { return Server{}.maskURL(text) }

// maskURL masks a password before the host and the values of parameters that
// sound secret. What is no URL stays as it is.
func (s Server) maskURL(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || strings.ContainsAny(scheme, " \t\"'{") {
		return text
	}
	authority, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		if user, password, ok := strings.Cut(authority[:at], ":"); ok && password != "" {
			authority = user + ":" + s.Mask(password) + authority[at:]
		}
	}
	fragment := ""
	if i := strings.IndexByte(path, '#'); i >= 0 {
		path, fragment = path[:i], path[i:]
	}
	before, query, ok := strings.Cut(path, "?")
	if ok {
		parts := strings.Split(query, "&")
		for i, p := range parts {
			key, value, _ := strings.Cut(p, "=")
			if plainKey, err := url.QueryUnescape(key); err == nil && value != "" && sounds(plainKey) {
				parts[i] = key + "=" + s.Mask(value)
			}
		}
		path = before + "?" + strings.Join(parts, "&")
	}
	return scheme + "://" + authority + path + fragment
}

// secretFlag reports whether a flag's next word is a secret.
func secretFlag(arg string) bool {
	return strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") && sounds(arg)
}

// sounds reports whether a name sounds like that of a secret.
func sounds(name string) bool {
	name = strings.ToLower(name)
	if strings.ContainsAny(name, " \t/\\") {
		return false
	}
	for _, word := range []string{"token", "secret", "password", "passwd", "apikey", "api-key", "api_key", "accesskey", "access-key",
		"access_key", "authorization", "credential", "private-key", "private_key", "bearer"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return name == "key" || name == "--key" || name == "pat" || name == "--pat" || name == "auth" || name == "--auth"
}
