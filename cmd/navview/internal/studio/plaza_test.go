package studio

import (
	"image"
	"slices"
	"testing"
	"time"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/render"
)

// BenchmarkPlaza: frames of plaza at 1280 x 800 while it plays at the speed of the clock, with a
// checkpoint and ten frames to measure each second.
func BenchmarkPlaza(b *testing.B) {
	gputest.Run(b, func(d *gpu.Device) {
		s := opened(b, d, "plaza")
		defer s.Close()
		c, err := render.NewCanvas(d, image.Pt(1280, 800), 1)
		if err != nil {
			b.Fatal(err)
		}
		defer c.Delete()
		s.Camera.Width, s.Camera.Height = 1280, 800
		s.Fit()
		s.Playing, s.now = true, time.Now()
		start, n := s.World().Time(), 0
		var kept, others []time.Duration // how long frames took, with a checkpoint and without
		began := time.Now()
		for b.Loop() {
			frame, before := time.Now(), len(s.Time.points)
			if err := s.Advance(frame); err != nil {
				b.Fatal(err)
			}
			p, _ := s.Picture()
			p.Target = c.Target
			if err := s.View.Draw(p); err != nil {
				b.Fatal(err)
			}
			d.Finish()
			d.FrameEnd()
			if took := time.Since(frame); len(s.Time.points) > before {
				kept = append(kept, took)
			} else {
				others = append(others, took)
			}
			n++
		}
		b.ReportMetric(float64(n)/time.Since(began).Seconds(), "frames/s")
		slices.Sort(kept)
		slices.Sort(others)
		if len(kept) > 0 {
			b.ReportMetric(1e3*kept[len(kept)/2].Seconds(), "ms/frame-with-checkpoint")
		}
		b.ReportMetric(1e3*others[len(others)*99/100].Seconds(), "ms/slowest-hundredth")
		b.ReportMetric((s.World().Time()-start)/time.Since(began).Seconds(), "factor")
		count, bytes := s.Time.Checkpoints()
		b.ReportMetric(float64(bytes)/float64(count)/1e3, "kB/checkpoint")
		b.ReportAllocs()
	})
}
