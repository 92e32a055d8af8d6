package engine

import (
	"errors"
	"fmt"
)

// ErrClosed says that a world was closed before the call. Its parts have errors of their own for
// that: spm.ErrDeleted, agents.ErrDeleted and bvp.ErrClosed.
var ErrClosed = errors.New("engine: the world was closed")

// UsageError says that a call cannot be made as it was, and what to do instead. Nothing has
// changed.
type UsageError struct {
	Call   string // the function or method
	Why    string
	Remedy string
}

func (e *UsageError) Error() string {
	return fmt.Sprintf("engine: %s: %s; %s", e.Call, e.Why, e.Remedy)
}

// usable checks that the world is open, and that no Edit is under way.
func (w *World) usable(call string) error {
	switch {
	case w.closed:
		return ErrClosed
	case w.editing:
		return &UsageError{call, "an Edit of the world is under way", "call it after the function given to Edit has returned"}
	}
	return nil
}

// do runs f in the device's context, if the world is usable.
func (w *World) do(call string, f func() error) error {
	if err := w.usable(call); err != nil {
		return err
	}
	if err := w.device.Do(f); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	return nil
}
