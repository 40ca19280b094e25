package ui

import "strings"

// shake answers the handshake as a server with everything does.
const shake = `
> initialize
sleep 118ms
answer {"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"logging":{}},"serverInfo":{"name":"weather","version":"1.6.0"},"instructions":"Ask for a forecast before you book.\nTemperatures are in °F unless units says metric."}
> notifications/initialized
`

// lists are the weather server's tools, resources and prompts.
const lists = `
on tools/list {"tools":[{"name":"add","description":"Add two numbers.","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}},{"name":"echo","description":"Say a text again.\nIt comes back as it was.","inputSchema":{"type":"object","properties":{"message":{"type":"string","description":"What to say"}},"required":["message"]},"annotations":{"readOnlyHint":true}},{"name":"get_alerts","title":"Weather alerts","description":"Alerts of a state","inputSchema":{"type":"object","properties":{"state":{"type":"string","minLength":2,"maxLength":2,"description":"Two letters, such as NY"}},"required":["state"]}},{"name":"get_forecast","description":"Get weather forecast for a location.","inputSchema":{"type":"object","properties":{"latitude":{"type":"number","description":"Latitude of the location","minimum":-90,"maximum":90},"longitude":{"type":"number","description":"Longitude of the location"},"units":{"enum":["metric","imperial"],"default":"metric"},"days":{"type":"integer","minimum":1,"maximum":14}},"required":["latitude","longitude"]}},{"name":"long_running_operation","description":"Take a while and tell how far it is","inputSchema":{"type":"object","properties":{"steps":{"type":"integer","default":5}}}},{"name":"print_env","description":"Print what the server was given","inputSchema":{"type":"object"}},{"name":"book_trip","description":"Book a trip","inputSchema":{"type":"object","properties":{"when":{"type":"string","format":"date"},"travellers":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}},"express":{"type":"boolean"},"notes":{"type":["string","null"],"description":"Anything else"}},"required":["when","travellers"]}},{"name":"天气","description":"今天的天气","inputSchema":{"type":"object","properties":{"城市":{"type":"string"}}}},{"name":"null_schema","description":"No schema at all","inputSchema":null}]}
on resources/list {"resources":[{"uri":"weather://stations","name":"stations","title":"Weather stations","description":"All stations, with where they are","mimeType":"application/json","size":2048},{"uri":"weather://report/today","name":"today","mimeType":"text/markdown"},{"uri":"weather://radar.png","name":"radar","mimeType":"image/png"}]}
on resources/templates/list {"resourceTemplates":[{"uriTemplate":"weather://station/{id}/report{?day}","name":"station report","description":"The report of one station","mimeType":"text/plain"}]}
on prompts/list {"prompts":[{"name":"plan_trip","title":"Plan a trip","description":"Plan a trip around the weather","arguments":[{"name":"city","description":"Where to","required":true},{"name":"days","description":"How long"}]},{"name":"small_talk","description":"Talk about the weather"}]}
`

// answers are what the weather server says to everything that a story does not
// tell otherwise.
const answers = `
on resources/read {"contents":[{"uri":"weather://stations","mimeType":"application/json","text":"{\"stations\":[{\"id\":\"KNYC\",\"lat\":40.78,\"lon\":-73.97},{\"id\":\"KBOS\",\"lat\":42.36,\"lon\":-71.01}]}"}]}
on prompts/get {"description":"Plan a trip","messages":[{"role":"user","content":{"type":"text","text":"Plan a trip to Boston around the weather."}},{"role":"assistant","content":{"type":"text","text":"First I need the forecast."}}]}
on tools/call {"content":[{"type":"text","text":"Today:\nTemperature: 64°F\nWind: 2 to 18 mph S\nForecast: Mostly sunny. High near 64, with temperatures falling to around 62 in the afternoon."}],"isError":false}
on ping {}
`

const weather = shake + lists + answers

// calling is the weather server, which answers the next call of a tool by these
// steps.
func calling(steps ...string) string {
	return shake + lists + strings.ReplaceAll(answers, "on tools/call", "on never") + "> tools/call\n" + strings.Join(steps, "\n") + "\n"
}

// serving is the weather server with more steps after its handshake.
func serving(steps ...string) string { return weather + strings.Join(steps, "\n") + "\n" }
