package studio

import (
	"testing"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/render"
)

// BenchmarkDrag is a move of the pointer with an obstacle in hand: the document's text, its checks,
// the world's ground, and the map, which is waited for.
func BenchmarkDrag(b *testing.B) {
	for _, scene := range []string{"plaza", "city-10k"} {
		b.Run(scene, func(b *testing.B) {
			gputest.Run(b, func(d *gpu.Device) {
				doc, err := Load(scene)
				if err != nil {
					b.Fatal(err)
				}
				s, err := New(d, doc, worldview.Look{Layers: render.Regions, Palette: render.PaletteCalm})
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				s.Playing, s.now = false, time.Unix(0, 0)
				s.Camera.Width, s.Camera.Height = 1280, 800
				s.Fit()
				r := Ref{Obstacles, 0, -1}
				edge := r.Figure(s.Scene()).Lines()[0]
				before := r.Figure(s.Scene()).Center()
				from := Pointer{At: edge[0].Add(edge[1]).Mul(0.5), Reach: 10 / s.Camera.Scale, Control: true}
				if err := s.Tool.Press(s, from); err != nil {
					b.Fatal(err)
				}
				s.Select(r)
				for i := 0; b.Loop(); i++ {
					to := from
					to.At[0] += 0.1 + float64(i%2)*0.1
					if err := s.Tool.Drag(s, to); err != nil {
						b.Fatal(err)
					}
					d.MustDo(func() {})
				}
				if by := r.Figure(s.Scene()).Center().Sub(before).Len(); by < 0.05 {
					b.Fatalf("the obstacle moved by %v m", by)
				}
			})
		})
	}
}
