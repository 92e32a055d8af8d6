package engine_test

import (
	"errors"
	"testing"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// Watching changes no hash, minds name the tick of three before, and other handles are errors.
func TestWatchingChangesNoHash(t *testing.T) {
	for _, name := range []string{"plaza", "car", "fischer-1", "evac-500"} {
		t.Run(name, func(t *testing.T) {
			s, err := builtin.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			gputest.Run(t, func(d *gpu.Device) {
				var hashes [2]uint64
				for i := range hashes {
					w, err := engine.New(d, s, engine.Options{})
					if err != nil {
						t.Fatal(err)
					}
					defer w.Close()
					ids := w.Agents(nil)
					var handle *engine.HandleError
					if _, _, err := w.Mind(0); !errors.As(err, &handle) {
						t.Errorf("the mind of no agent: %v", err)
					}
					if err := w.Watch(ids[0], 0); !errors.As(err, &handle) {
						t.Errorf("Watch of no agent: %v", err)
					}
					if i == 1 {
						if err := w.Watch(ids[:min(len(ids), 64)]...); err != nil {
							t.Fatal(err)
						}
					}
					for tick := 1; tick <= 60; tick++ {
						if err := w.Step(); err != nil {
							t.Fatal(err)
						}
						m, ok, err := w.Mind(ids[0])
						if err != nil || ok != (i == 1 && tick > 3) || ok && (m.Tick != uint64(tick-3) || m.Agent != ids[0]) {
							t.Fatalf("tick %d: %v, %v, %+v", tick, err, ok, m)
						}
					}
					if hashes[i], err = w.Hash(); err != nil {
						t.Fatal(err)
					}
				}
				if hashes[0] != hashes[1] {
					t.Errorf("the hash is %x, of watched agents %x", hashes[0], hashes[1])
				}
			})
		})
	}
}
