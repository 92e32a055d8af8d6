package spm

import (
	"bytes"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestQueuesGrow starts with queues that hold next to nothing: each is found too small, made
// larger, and the map is the same to the last byte.
func TestQueuesGrow(t *testing.T) {
	g, goal := sceneGround(t, "profiling3")
	gputest.Run(t, func(d *gpu.Device) {
		b, m, _ := build(t, d, Wavefront, g, goal, testSize)
		defer b.Delete()
		defer m.Delete()
		want := dump(t, m)
		w := b.wavefront
		for _, small := range []capacities{
			{windows: 1, offers: 1 << 12, lit: 1 << 14},
			{windows: 1 << 12, offers: 1, lit: 1 << 14},
			{windows: 1, offers: 1, lit: 1},
		} {
			dropQueues(w)
			w.guess = func(int) capacities { return small }
			restarts := b.Stats().Restarts
			if err := b.Build(m, Change{Goal: goal}); err != nil {
				t.Fatal(err)
			}
			if windows, offers := w.windows.Len()/2, w.offers.Len()/2; windows <= 1 || offers <= 1 || b.Stats().Restarts == restarts {
				t.Errorf("from %+v the queues grew to %d windows and %d offers only", small, windows, offers)
			}
			if !bytes.Equal(want, dump(t, m)) {
				t.Errorf("after growing from %+v the map differs", small)
			}
		}
	})
}

// TestSchedulingDoesNotMatter builds with other numbers of threads and other lengths of waves: the
// same bytes.
func TestSchedulingDoesNotMatter(t *testing.T) {
	g, goal := sceneGround(t, "profiling3")
	gputest.Run(t, func(d *gpu.Device) {
		b, m, _ := build(t, d, Wavefront, g, goal, testSize)
		defer b.Delete()
		defer m.Delete()
		want := dump(t, m)
		step := m.layers[0].surface.waveStep
		for _, groups := range []uint32{1, 3, 50} {
			for _, factor := range []float32{0.1, 1, 1000} {
				b.wavefront.groups, m.layers[0].surface.waveStep = groups, factor*step
				if err := b.Build(m, Change{Goal: goal}); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(want, dump(t, m)) {
					t.Errorf("with %d workgroups and waves %v times as long the map differs", groups, factor)
				}
			}
		}
	})
}

// dropQueues deletes the queues and the pages of what is lit.
func dropQueues(w *wavefront) {
	free(w.windows, w.offers, w.reach)
	for _, p := range w.lit {
		p.Delete()
	}
	w.windows, w.offers, w.reach, w.lit = nil, nil, nil, nil
}
