package theme

import "testing"

func TestSize(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want string
	}{
		{0, "0 B"}, {999, "999 B"}, {1000, "1.0 kB"}, {999_949, "999.9 kB"}, {999_950, "1.0 MB"},
		{106_500_000, "106.5 MB"}, {999_950_000, "1.0 GB"}, {1 << 40, "1099.5 GB"},
	} {
		if got := Size(c.n); got != c.want {
			t.Errorf("Size(%d) = %q, want %q", c.n, got, c.want)
		}
	}
}
