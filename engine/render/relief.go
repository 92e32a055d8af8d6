package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
)

// View of the relief.
const (
	reliefYaw    = -25 * math.Pi / 180 // the eye stands left of the middle of the lower side
	reliefPitch  = 42 * math.Pi / 180  // above the ground
	reliefHeight = 0.42                // of the greatest distance, in the domain's longer side
	reliefMargin = 0.035               // of the picture, on every side
	reliefAway   = 2.4                 // of the eye from the middle, in the diagonal of what is seen
	meshMost     = 1000                // squares of the surface along the map's longer side, at most
)

// reliefBack is the direction from the relief to the eye.
var reliefBack = mgl64.Vec3{
	math.Sin(reliefYaw) * math.Cos(reliefPitch),
	-math.Cos(reliefYaw) * math.Cos(reliefPitch),
	math.Sin(reliefPitch),
}

// drawRelief draws the surface of distances as a block, with obstacles as roofs between the heights
// of their corners. Programs read the greatest distance from the device, as an attribute.
func (r *Renderer) drawRelief(p Picture) {
	p.Target.ClearColor(float64(paper.R)/255, float64(paper.G)/255, float64(paper.B)/255, 1)
	step := (p.Map.Extent.Size + meshMost - 1) / meshMost
	columns, rows := (p.Map.Extent.Columns-1)/step, (p.Map.Extent.Rows-1)/step
	r.relief.Draw(reliefInput{
		standInput: r.stand(p, 0), colorInput: r.colors(p),
		mesh: [2]int32{int32(columns), int32(rows)}, meshStep: int32(step),
		towardsEye: mgl32.Vec3{float32(reliefBack[0]), float32(reliefBack[1]), float32(reliefBack[2])},
	}, gpu.Draw{
		Target: p.Target, Mode: gpu.Triangles, Count: 6 * (columns*rows + columns*(rows+1) + (columns+1)*rows), Instances: 1,
		Depth: gpu.DepthState{Test: gpu.Less, Write: true},
	})
	if p.Layers.has(Obstacles) {
		r.drawObstacles(p)
		r.drawWalls(p)
	}
}

// reliefForward is the depth of so many pixels that point at the eye, 0 to 1 over the relief. The
// relief is about as deep as wide; twice that, since the surface leans.
func reliefForward(pixels float64, c Camera) float64 {
	return 2 * (pixels + 1) / float64(max(c.Width, c.Height))
}

// scale is the number of pixels in a meter, at a depth w of 1.
func (r *Renderer) scale(p Picture) float32 {
	if !p.Relief {
		return float32(p.Camera.Scale)
	}
	_, scale := r.eye(p)
	return scale
}

// eye returns a matrix from meters to clip space that fits the domain with its height into the
// picture, and the pixels in a meter across the picture at a depth w of 1.
func (r *Renderer) eye(p Picture) (mgl32.Mat4, float32) {
	local := r.shown.of.Lattice.Local(r.shown.of.Lattice.Size)
	box := mgl64.Vec3{float64(local[0]), float64(local[1]), reliefHeight * r.shown.of.Lattice.Length()}
	middle := box.Mul(0.5)
	from := middle.Add(reliefBack.Mul(reliefAway * box.Len()))
	look := mgl64.LookAtV(from, middle, mgl64.Vec3{0, 0, 1})

	// A projection with w the depth in front of the eye; x and y are fitted below, z is 0 to 1 over
	// the box.
	near, far := (reliefAway-0.51)*box.Len(), (reliefAway+0.51)*box.Len()
	project := mgl64.Mat4{
		1, 0, 0, 0,
		0, 1, 0, 0,
		0, 0, far / (near - far), -1,
		0, 0, near * far / (near - far), 0,
	}
	whole := project.Mul4(look)
	low, high := mgl64.Vec2{math.Inf(1), math.Inf(1)}, mgl64.Vec2{math.Inf(-1), math.Inf(-1)}
	for i := range 8 {
		c := whole.Mul4x1(mgl64.Vec4{box[0] * float64(i&1), box[1] * float64(i>>1&1), box[2] * float64(i>>2), 1})
		for k := range 2 {
			low[k] = math.Min(low[k], c[k]/c[3])
			high[k] = math.Max(high[k], c[k]/c[3])
		}
	}
	extent, center := high.Sub(low), low.Add(high).Mul(0.5)
	aspect := float64(p.Camera.Width) / float64(p.Camera.Height)
	zoom := (2 - 4*reliefMargin) / math.Max(extent[0]/aspect, extent[1])
	zx, zy := zoom/aspect, zoom
	fit := mgl64.Mat4{
		zx, 0, 0, 0,
		0, zy, 0, 0,
		0, 0, 1, 0,
		-zx * center[0], -zy * center[1], 0, 1,
	}
	var out mgl32.Mat4
	for i, v := range fit.Mul4(whole) {
		out[i] = float32(v)
	}
	return out, float32(zy * float64(p.Camera.Height) / 2)
}
