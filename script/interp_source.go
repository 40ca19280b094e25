package script

import (
	"slices"
	"sync"

	"parley/client/mcp"
	"parley/history"
)

// Source is what completion knows: the lists that passed on the present connection,
// by whomever they were asked for, the variables and the configured names. It may
// be used by another goroutine, also while a step runs; what it gives must not be
// changed.
func (in *Interp) Source() Source { return &known{in: in} }

// known is a Source that reads a log.
type known struct {
	in *Interp

	mu        sync.Mutex // guards what follows
	log       *history.Log
	state     history.State
	catalogue history.Catalogue
}

// look brings the fold up to date; the log is nil without a connection.
func (k *known) look() *history.Log {
	l := k.in.Link()
	if l == nil {
		return nil
	}
	if k.log != l.Log {
		k.log, k.state, k.catalogue = l.Log, history.State{}, history.Catalogue{}
	}
	k.state.CatchUp(k.log)
	return k.log
}

// catalogueOf gives one of the lists.
func catalogueOf[T any](k *known, list func(*history.Catalogue, *history.Log, *history.State) []T) []T {
	k.mu.Lock()
	defer k.mu.Unlock()
	log := k.look()
	if log == nil {
		return nil
	}
	return slices.Clip(list(&k.catalogue, log, &k.state))
}

// Tools implements [Source].
func (k *known) Tools() []mcp.Tool { return catalogueOf(k, (*history.Catalogue).Tools) }

// Resources implements [Source].
func (k *known) Resources() []mcp.Resource { return catalogueOf(k, (*history.Catalogue).Resources) }

// Templates implements [Source].
func (k *known) Templates() []mcp.Template { return catalogueOf(k, (*history.Catalogue).Templates) }

// Prompts implements [Source].
func (k *known) Prompts() []mcp.Prompt { return catalogueOf(k, (*history.Catalogue).Prompts) }

// Subscribed gives the URIs of the resources that were subscribed to.
func (k *known) Subscribed() []string {
	if l := k.in.Link(); l != nil {
		return l.Client.Subscribed()
	}
	return nil
}

// Servers implements [Source].
func (k *known) Servers() []string { return k.in.opt.Servers }

// Variables implements [Source].
func (k *known) Variables() []string { return k.in.Vars() }

// Value implements [Source].
func (k *known) Value(name string) []byte {
	raw, _ := k.in.Value(name)
	return raw
}
