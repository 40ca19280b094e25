package near

import (
	"slices"
	"testing"
)

func TestBestFindsWhatWasMeant(t *testing.T) {
	names := []string{"get_forecast", "get_alerts", "echo", "weather", "天气"}
	for _, c := range []struct{ word, want string }{
		{"get_forcast", "get_forecast"},
		{"Echo", "echo"},
		{"ehco", "echo"},
		{"weath", "weather"},
		{"weather2", "weather"},
		{"zzz", ""},
		{"", ""},
	} {
		if got := Best(c.word, names); got != c.want {
			t.Errorf("Best(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestAllGivesTheNearestFirst(t *testing.T) {
	got := All("get_alert", []string{"get_forecast", "get_alerts", "set_alert"}, 2)
	if want := []string{"get_alerts", "set_alert"}; !slices.Equal(got, want) {
		t.Errorf("All = %q, want %q", got, want)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"abc", "acb", 1}, {"kitten", "sitting", 3}} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
