package mcp

import (
	"strings"

	"parley/client/near"
)

// mistaken has names that are seen on real wires and in tutorials though no
// version defines them, each reduced by letters.
var mistaken = map[string]string{
	"initialized":                   "notifications/initialized",
	"notificationinitialized":       "notifications/initialized",
	"notificationsresourceschanged": "notifications/resources/list_changed",
	"notificationstoolschanged":     "notifications/tools/list_changed",
	"notificationspromptschanged":   "notifications/prompts/list_changed",
	"notificationsrootschanged":     "notifications/roots/list_changed",
	"listtools":                     "tools/list",
	"calltool":                      "tools/call",
	"listresources":                 "resources/list",
	"listresourcetemplates":         "resources/templates/list",
	"resourcetemplateslist":         "resources/templates/list",
	"resourcestemplates":            "resources/templates/list",
	"readresource":                  "resources/read",
	"listprompts":                   "prompts/list",
	"getprompt":                     "prompts/get",
	"listroots":                     "roots/list",
	"createmessage":                 "sampling/createMessage",
	"setlevel":                      "logging/setLevel",
	"complete":                      "completion/complete",
	"cancelrequest":                 "notifications/cancelled",
	"notificationscanceled":         "notifications/cancelled",
}

// NearestMethod finds the method that was probably meant by a name that is
// none, false if there is no likely one. A name that is a method is its own
// nearest.
func NearestMethod(name string) (string, bool) {
	if _, ok := LookupMethod(name); ok {
		return name, true
	}
	bare := letters(name)
	if bare == "" || len(bare) > 100 {
		return "", false
	}
	if meant, ok := mistaken[bare]; ok {
		return meant, true
	}
	best, bestDistance := "", max(2, len(bare)/4)+1
	for i := range methods {
		full := letters(methods[i].Name)
		d := near.Distance(bare, full)
		if short, ok := strings.CutPrefix(full, "notifications"); ok {
			d = min(d, near.Distance(bare, short)+1) // the prefix was forgotten
		}
		if d < bestDistance {
			best, bestDistance = methods[i].Name, d
		}
	}
	return best, best != ""
}

// MethodHint says in words what to do about a method that no version defines;
// it is empty when there is nothing to suggest, and for methods that exist.
func MethodHint(name string) string {
	if _, ok := LookupMethod(name); ok {
		return ""
	}
	if name == "notifications/resources/changed" {
		return "no version defines it: notifications/resources/list_changed says that the list is another one, " +
			"notifications/resources/updated that the content of one URI is"
	}
	if meant, ok := NearestMethod(name); ok {
		return "did you mean " + meant + "?"
	}
	return ""
}

// successors say what a method that ended with the legacy versions became.
var successors = map[string]string{
	"initialize":                       "server/discover says who the server is, and each request carries its own _meta",
	"notifications/initialized":        "there is no handshake",
	"ping":                             "nothing took its place",
	"resources/subscribe":              "subscriptions/listen with resourceSubscriptions took its place",
	"resources/unsubscribe":            "closing the subscriptions/listen took its place",
	"logging/setLevel":                 "the level goes with each request, as _meta " + MetaLogLevel,
	"notifications/roots/list_changed": "roots are asked for in inputRequests when they are needed",
	"tasks/result":                     "tasks/get brings the result itself",
	"tasks/list":                       "nothing took its place",
	"notifications/tasks/status":       "notifications/tasks took its place",
}

// VersionHint says in words what to do about a method that exists, but not in that
// version; it is empty for the others.
func VersionHint(name, version string) string {
	m, ok := LookupMethod(name)
	switch {
	case !ok || m.Usable(version):
		return ""
	case version == V20260728 && m.Carried:
		return "in " + version + " it stands in the inputRequests of a result"
	case version == V20260728 && successors[name] != "":
		return "it is not in " + version + ": " + successors[name]
	case len(m.Versions) == 0:
		return "only the extension " + m.Extension + " of " + V20260728 + " has it"
	case version < m.Versions[0]:
		return "it came with " + m.Versions[0]
	}
	return "it is not in " + version
}

// letters reduces a name to its letters in lower case, so that tools_list,
// toolsList and tools.list are the same.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, name)
}
