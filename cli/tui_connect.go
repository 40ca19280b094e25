package cli

import (
	"context"
	"io"

	"parley/script"
	"parley/ui"
)

// connectOther prepares the session of the target that a line of the console
// names, as set lines shaped it. What is said on the side elsewhere is left out:
// the screen stands there.
func (a *app) connectOther(_ context.Context, words []string, settings *script.Settings) (*ui.Session, error) {
	b := *a
	b.io.Err = io.Discard
	t, err := (&scriptHost{app: &b}).targetOf(words)
	if err != nil {
		return nil, err
	}
	opt, err := b.clientOptions()
	if err != nil {
		return nil, err
	}
	if settings != nil {
		settings.Apply(&opt)
	}
	return b.sessionWith(t, opt)
}

// configuredNames are the servers that connect completes.
func (a *app) configuredNames() []string {
	found, err := a.findConfig()
	if err != nil {
		return nil
	}
	return found.Names()
}
