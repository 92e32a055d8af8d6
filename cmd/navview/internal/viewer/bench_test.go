//go:build !headless

package viewer

import (
	"slices"
	"testing"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/scenes"
)

// BenchmarkActions is a frame of the whole window on 10,000 agents among 5,982 vertices, paused: without
// an action, with each of panels and keys, and with the map that an edit makes, waited for. Medians of
// five.
func BenchmarkActions(b *testing.B) {
	with(b, "city-10k", func(d *desk) {
		s := d.v.studio
		d.key(".")
		named := func(name string) func() {
			for _, a := range d.v.actions {
				if a.Name == name {
					return func() {
						if err := a.Do(s); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			b.Fatalf("no action %q", name)
			return nil
		}
		there := false
		for _, c := range []struct {
			name string
			do   func()
		}{
			{"none", func() {}},
			{"palette", named("Find an action")},
			{"gallery", named("Gallery")},
			{"keys", named("Keys")},
			{"select-all", named("Select all")},
			{"inspect", func() { s.Select(studio.Ref{List: studio.Groups, Index: 0, Item: -1}) }},
			{"choose-an-agent", named("Next agent")},
			{"layer", named("Show isolines")},
			{"hide-a-list", func() { s.Hidden[studio.Obstacles] = !s.Hidden[studio.Obstacles] }},
			{"field-of-a-profile", func() {
				there = !there
				_ = s.Change("speed", func(to *scenes.Scene) {
					to.Profiles[0].PreferredSpeed.Mean = map[bool]float64{true: 1.3, false: 1.4}[there]
				})
			}},
			{"undo-and-redo", func() {
				all, done := s.Doc.History()
				_ = s.Go((done + 1) % (len(all) + 1))
			}},
			{"map-of-an-edit", func() {
				there = !there
				_ = s.Change("move", func(to *scenes.Scene) { move(&to.Obstacles[0], there) })
				for s.World().Building() {
					if err := s.World().Poll(); err != nil {
						b.Fatal(err)
					}
				}
				d.v.device.MustDo(func() {})
			}},
		} {
			var took []time.Duration
			for range 5 {
				d.now = d.now.Add(time.Second / 60)
				d.v.device.Finish()
				began := time.Now()
				c.do()
				if err := d.v.frame(d.now); err != nil {
					b.Fatal(err)
				}
				d.v.device.Finish()
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			defer b.ReportMetric(took[2].Seconds()*1e3, "ms:"+c.name) // the loop forgets what was reported
			d.key("escape")
		}
		for b.Loop() { // once is enough
		}
	})
}

// move moves an obstacle there or back.
func move(o *scenes.Obstacle, there bool) {
	by := 0.2
	if !there {
		by = -by
	}
	*o = o.Moved([2]float64{by, 0})
}

// BenchmarkPlaza is a frame of the whole window on the default scene, with its panels, while it plays
// at the speed of the clock.
func BenchmarkPlaza(b *testing.B) {
	with(b, "plaza", func(d *desk) {
		d.v.studio.Playing = true
		d.now = time.Now()
		if err := d.v.frame(d.now); err != nil {
			b.Fatal(err)
		}
		n, began, before := 0, time.Now(), d.v.studio.World().Time()
		for b.Loop() {
			d.now = time.Now()
			if err := d.v.frame(d.now); err != nil {
				b.Fatal(err)
			}
			d.v.device.Finish()
			n++
		}
		took := time.Since(began).Seconds()
		b.ReportMetric(float64(n)/took, "frames/s")
		b.ReportMetric((d.v.studio.World().Time()-before)/took, "factor")
	})
}
