package cli

import (
	"context"

	"parley/script"
	"parley/ui"
)

// connectOther prepares the session of the target that a line of the console
// names, as set lines shaped it.
func (a *app) connectOther(_ context.Context, words []string, settings *script.Settings) (*ui.Session, error) {
	t, err := (&scriptHost{app: a}).targetOf(words)
	if err != nil {
		return nil, err
	}
	opt, err := a.optionsFor(&t)
	if err != nil {
		return nil, err
	}
	if settings != nil {
		settings.Apply(&opt)
	}
	return a.sessionWith(t, opt, settings)
}

// configuredNames are the servers that connect completes.
func (a *app) configuredNames() []string {
	found, err := a.findConfig()
	if err != nil {
		return nil
	}
	return found.Names()
}
