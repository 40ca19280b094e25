package demo

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// seed makes the same place have the same weather on every run.
type seed uint32

func seedOf(parts ...string) seed {
	h := fnv.New32a()
	for _, p := range parts {
		_, _ = h.Write(append([]byte(p), 0)) // a hash never fails
	}
	return seed(h.Sum32())
}

// below returns a number in [0, n) and another one the next time.
func (s *seed) below(n int) int {
	*s = *s*1664525 + 1013904223
	return int(uint32(*s)>>8) % n
}

func (s *seed) of(words []string) string { return words[s.below(len(words))] }

// report is the simulated weather of a city.
type report struct {
	City        string `json:"city"`
	Weather     string `json:"weather"`
	Temperature int    `json:"temperature"` // °C
	Humidity    int    `json:"humidity"`    // %
}

var skies = []string{"晴", "多云", "阴", "小雨", "中雨", "雷阵雨", "雾", "小雪"}

// cities are those that completion offers.
var cities = []string{"北京", "上海", "广州", "深圳", "成都", "杭州", "南京", "武汉", "西安", "重庆", "Berlin", "Lisbon", "London", "New York", "Paris", "Tokyo"}

func reportOf(city string) report {
	if city == "北京" {
		return report{City: city, Weather: "小雨", Temperature: 33, Humidity: 53}
	}
	s := seedOf(city)
	return report{City: city, Weather: s.of(skies), Temperature: s.below(40) - 5, Humidity: 20 + s.below(76)}
}

func simulatedWeather(_ context.Context, c *toolCall) (*toolResult, error) {
	r := reportOf(c.text("city"))
	return text(fmt.Sprintf("城市: %s\n天气: %s\n温度: %d°C\n湿度: %d%%\n\n(这是模拟数据,仅供演示使用)", r.City, r.Weather, r.Temperature, r.Humidity)), nil
}

func getWeather(_ context.Context, c *toolCall) (*toolResult, error) {
	r := reportOf(c.text("city"))
	return text(fmt.Sprintf("%s今天%s，气温 %d°C，湿度 %d%%。", r.City, r.Weather, r.Temperature, r.Humidity)), nil
}

func getAlerts(_ context.Context, c *toolCall) (*toolResult, error) {
	state := c.text("state")
	if len(state) != 2 || state != strings.ToUpper(state) || strings.Trim(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return failed("%q is no state: use its two letters, such as CA", state), nil
	}
	s := seedOf("alerts", state)
	events := []string{"Wind Advisory", "Flood Watch", "Heat Advisory", "Winter Storm Warning"}
	n := s.below(3)
	if n == 0 {
		return text("No active alerts for this state."), nil
	}
	alerts := make([]string, n)
	for i := range alerts {
		alerts[i] = fmt.Sprintf("\nEvent: %s\nArea: %s, county %d\nSeverity: %s\n",
			s.of(events), state, 1+s.below(60), s.of([]string{"Minor", "Moderate", "Severe"}))
	}
	return text(strings.Join(alerts, "\n---\n")), nil
}

// period is one part of a forecast.
type period struct {
	name        string
	fahrenheit  int
	wind        string
	description string
}

// newYork is the forecast that the first tutorial's log shows.
var newYork = []period{
	{"Today", 64, "2 to 18 mph S", "Mostly sunny. High near 64, with temperatures falling to around 62 in the afternoon. South wind 2 to 18 mph, with gusts as high as 30 mph."},
	{"Tonight", 57, "12 to 17 mph S", "Mostly cloudy. Low around 57, with temperatures rising to around 59 overnight. South wind 12 to 17 mph, with gusts as high as 29 mph."},
	{"Saturday", 78, "12 to 21 mph SW", "Partly sunny, with a high near 78. Southwest wind 12 to 21 mph, with gusts as high as 32 mph."},
	{"Saturday Night", 57, "15 to 18 mph W", "A chance of rain showers between 8pm and 2am. Mostly cloudy. Low around 57, with temperatures rising to around 61 overnight. West wind 15 to 18 mph. Chance of precipitation is 30%."},
	{"Sunday", 62, "14 to 17 mph NW", "Partly sunny, with a high near 62. Northwest wind 14 to 17 mph."},
}

func getForecast(_ context.Context, c *toolCall) (*toolResult, error) {
	latitude, longitude := c.number("latitude"), c.number("longitude")
	if latitude < -90 || latitude > 90 || longitude < -180 || longitude > 180 {
		return failed("Unable to fetch forecast data for this location."), nil
	}
	periods := newYork
	if latitude != 40.7128 || longitude != -74.006 {
		periods = forecastFor(latitude, longitude)
	}
	parts := make([]string, len(periods))
	for i, p := range periods {
		parts[i] = fmt.Sprintf("\n%s:\nTemperature: %d°F\nWind: %s\nForecast: %s\n", p.name, p.fahrenheit, p.wind, p.description)
	}
	return text(strings.Join(parts, "\n---\n")), nil
}

// forecastFor makes up a forecast: colder toward the poles and by night.
func forecastFor(latitude, longitude float64) []period {
	s := seedOf(strconv.FormatFloat(latitude, 'g', -1, 64), strconv.FormatFloat(longitude, 'g', -1, 64))
	sky := []string{"Sunny", "Mostly sunny", "Partly cloudy", "Mostly cloudy", "A chance of rain showers"}
	points := []string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}
	warmest := 95 - int(max(latitude, -latitude))
	periods := make([]period, len(newYork))
	for i := range periods {
		p := period{name: newYork[i].name, fahrenheit: warmest - s.below(12)}
		bound := "high"
		if strings.HasSuffix(strings.ToLower(p.name), "night") {
			p.fahrenheit -= 12
			bound = "low"
		}
		low := 2 + s.below(12)
		p.wind = fmt.Sprintf("%d to %d mph %s", low, low+1+s.below(8), s.of(points))
		p.description = fmt.Sprintf("%s, with a %s near %d.", s.of(sky), bound, p.fahrenheit)
		periods[i] = p
	}
	return periods
}
