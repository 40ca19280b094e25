package cli

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parley/client"
)

func TestNoAdviceNamesASessionThatIsNotThere(t *testing.T) {
	for name, c := range map[string]struct {
		app  *app
		err  error
		want string
	}{
		"recorded":        {&app{current: &link{}}, client.ErrClosed, "parley show last"},
		"not recorded":    {&app{noRecord: true, current: &link{}}, client.ErrClosed, "-v shows"},
		"stopped":         {&app{current: &link{}}, context.Canceled, "parley show last"},
		"stopped at once": {&app{}, context.Canceled, "it ended before"},
		"its own advice":  {&app{noRecord: true}, &advised{errors.New("x"), "do this"}, "do this"},
		"nothing to look": {&app{noRecord: true}, errors.New("x"), "-v shows"},
	} {
		if got := advice(c.app.advised(c.err)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
