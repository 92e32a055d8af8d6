package render

import (
	"image"
	"math"
	"unsafe"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// A street is what a tilted camera shows: the ground in perspective, obstacles as blocks in the light
// of a low sun, and agents as persons that walk. All come from the buffers that the map comes from.
const (
	wallHeight = 2.5 // m
	strideRate = 1.0 // strides of two steps in a second, at any speed

	walkerSides    = 6                     // of a limb
	walkerStrip    = 2*(walkerSides+1) + 2 // vertices of one ring to the next, joined to the strip before
	walkerSegments = 5 + 4 + 2*3 + 2*2     // of torso, head, legs and arms
	distantPixels  = 15                    // nominal; smaller ones have neither legs nor arms
	distantParts   = 5 + 4

	shadeTexels = 1536 // along the domain's longer side
	shadeSoft   = 20   // texels that shade is spread by, at most
	sunSpread   = 0.07 // standard deviation of a shadow's edge, m
	feetSpread  = 0.7  // and of what is dark at the feet of walls
)

// shade is what obstacles shade, from above.
type shade struct {
	of, mapped    *geom.Ground
	ground, along *Canvas
}

func (s *shade) delete() {
	s.ground.Delete()
	s.along.Delete()
	*s = shade{}
}

// solids returns the triangles of a ground's obstacles as blocks: x, y, height, and the angle that a
// side faces, or 10 for roofs.
func solids(g *geom.Ground) [][4]float32 {
	const roof = 10
	var all [][4]float32
	for _, t := range g.Triangles {
		if !t.Free {
			for _, v := range t.V {
				at := g.Lattice.Local(g.Vertices[v])
				all = append(all, [4]float32{at[0], at[1], wallHeight, roof})
			}
		}
	}
	for _, w := range g.Walls {
		if w.Border {
			continue
		}
		a, b := g.Lattice.Local(g.Vertices[w.A]), g.Lattice.Local(g.Vertices[w.B])
		facing := float32(math.Atan2(float64(a[0]-b[0]), float64(b[1]-a[1])))
		low, high := [4]float32{a[0], a[1], 0, facing}, [4]float32{b[0], b[1], wallHeight, facing}
		lowB, highA := [4]float32{b[0], b[1], 0, facing}, [4]float32{a[0], a[1], wallHeight, facing}
		all = append(all, low, lowB, high, low, high, highA)
	}
	return all
}

// fitStreet uploads the blocks of the shown ground.
func (r *Renderer) fitStreet() (err error) {
	m := r.shown
	if m.solids != nil {
		return nil
	}
	blocks := solids(m.of)
	if m.solids, err = gpu.NewBuffer[[4]float32](r.device, "render blocks", len(blocks)); err == nil {
		m.solids.Write(0, blocks)
	}
	return err
}

// drawStreet draws ground and obstacles, or copies them while nothing but agents moves.
func (r *Renderer) drawStreet(p Picture) error {
	b, shows := &r.backdrop, viewOf(p)
	shows.layers = p.Layers & (Regions | Isolines | Obstacles)
	if b.drawn == 0 || b.shows != shows || b.obstacles != r.shown.of {
		if err := b.fit(r.device, image.Pt(p.Camera.Width, p.Camera.Height)); err != nil {
			return err
		}
		r.prepareMap(p)
		if err := r.drawShade(p); err != nil {
			return err
		}
		ground := p
		ground.Target = b.ground.Target
		ground.Target.ClearColor(float64(paper.R)/255, float64(paper.G)/255, float64(paper.B)/255, 1)
		ground.Target.ClearDepthStencil(1, 0)
		pass := "ground"
		if p.Draft {
			pass = "draft"
		}
		r.device.Stage(pass, func() {
			r.drawSolids(ground, false)
			under := vec4(unreached, 1)
			if p.Margin {
				under = vec4(margin, 1)
			}
			in := streetInput{
				marginColor: [3]float32(under[:3]),
				mapInput:    p.mapInput(), colorInput: r.colors(p), viewMatrix: p.Camera.matrix(r.shown.of.Lattice.Origin), shade: r.shade.ground.color,
			}
			r.street[draft(p)].Draw(in, gpu.Draw{
				Target: ground.Target, Mode: gpu.TriangleStrip, Count: 4, Instances: 1, Depth: gpu.DepthState{Test: gpu.Less},
			})
		})
		b.shows, b.obstacles = shows, r.shown.of
		b.drawn++
	}
	r.device.Stage("backdrop", func() {
		b.ground.Target.CopyTo(p.Target)
		r.drawSolids(p, true) // they hide what is behind them
	})
	return nil
}

func draft(p Picture) int {
	if p.Draft {
		return 1
	}
	return 0
}

// drawSolids draws obstacles as blocks, or their depth alone.
func (r *Renderer) drawSolids(p Picture, depthAlone bool) {
	if !p.Layers.has(Obstacles) {
		return
	}
	o := r.shown.of.Lattice.Origin
	r.solid.Draw(solidInput{viewMatrix: p.Camera.matrix(o), eye: p.Camera.eyeAt(o), solid: gpu.VertexAttribute{Buffer: r.shown.solids}}, gpu.Draw{
		Target: p.Target, Mode: gpu.Triangles, Count: r.shown.solids.Len(), Instances: 1,
		Depth: gpu.DepthState{Test: gpu.Less, Write: true}, HideColor: depthAlone,
	})
}

// drawShade draws what obstacles shade, from above, unless it is there.
func (r *Renderer) drawShade(p Picture) error {
	s, of := &r.shade, r.shown.of
	if !p.Layers.has(Obstacles) {
		of = nil
	}
	if s.ground != nil && s.of == of && s.mapped == r.mapped.of {
		return nil
	}
	size := r.shown.of.Lattice.Local(r.shown.of.Lattice.Size)
	meters := float64(max(size[0], size[1])) / shadeTexels
	texels := image.Pt(max(1, int(float64(size[0])/meters)), max(1, int(float64(size[1])/meters)))
	if s.ground == nil || s.ground.size() != texels {
		s.delete()
		var err error
		if s.ground, err = newCanvas(r.device, "shade", texels, false); err == nil {
			s.along, err = newCanvas(r.device, "shade along rows", texels, false)
		}
		if err != nil {
			s.delete()
			return err
		}
	}
	s.of, s.mapped = of, r.mapped.of
	o := r.shown.of.Lattice.Origin
	above := Fit(o, o.Add(mgl64.Vec2{float64(size[0]), float64(size[1])}), texels.X, texels.Y, 0).matrix(o)
	draw := gpu.Draw{Target: s.ground.Target, Mode: gpu.Triangles, Instances: 1, Blend: gpu.BlendPremultiplied}
	s.ground.Target.ClearColor(0, 0, 0, 0)
	flat := fillInput{place: places(r.mapped.covered), fillColor: [4]float32{2: 1}}
	flat.viewMatrix = above
	draw.Count = r.mapped.covered.Len()
	r.passes.fill[0].Draw(flat, draw)
	for _, lean := range []float32{1, 0} {
		if of == nil {
			break
		}
		draw.Count = r.shown.solids.Len()
		r.solid.Draw(solidInput{
			viewMatrix: above, flatten: true, lean: lean, shadeColor: [4]float32{lean, 1 - lean, 0, 0}, solid: gpu.VertexAttribute{Buffer: r.shown.solids},
		}, draw)
	}
	spread := func(m float64) float32 { return float32(min(max(m/meters, 0.7), shadeSoft/2.5)) }
	soften := func(from, to *Canvas, axis [2]int32) {
		r.soften.Draw(softenInput{shade: from.color, axis: axis, spread: [3]float32{spread(sunSpread), spread(feetSpread), 0.6}}, gpu.Draw{
			Target: to.Target, Mode: gpu.Triangles, Count: 3, Instances: 1,
		})
	}
	soften(s.ground, s.along, [2]int32{1, 0})
	soften(s.along, s.ground, [2]int32{0, 1})
	return nil
}

// drawWalkers draws agents as persons, each with a soft shade, and with a color in place of its own
// by the alpha.
func (r *Renderer) drawWalkers(p Picture, tint [4]float32) {
	var agent agents.Agent
	var traits agents.Traits
	o := r.shown.of.Lattice.Origin
	distant := wallHeight*p.Camera.Scale/p.PixelRatio < distantPixels
	shade := walkerShadeInput{
		viewMatrix: p.Camera.matrix(o), behind: float32(p.Behind),
		place:       attribute(p.Crowd.Agents, 0, unsafe.Offsetof(agent.Position)),
		velocity:    attribute(p.Crowd.Agents, 0, unsafe.Offsetof(agent.Velocity)),
		status:      attribute(p.Crowd.Agents, 0, unsafe.Offsetof(agent.Status)),
		agentRadius: attribute(p.Crowd.Traits, 0, unsafe.Offsetof(traits.Radius)),
	}
	in := walkerInput{
		walkerShadeInput: shade, eye: p.Camera.eyeAt(o), distant: distant, tint: tint,
		strides:     float32(math.Mod((p.Time-p.Behind)*strideRate, 1)),
		colorNumber: attribute(p.Crowd.Agents, 0, unsafe.Offsetof(agent.Layer)),
	}
	if p.ByGroup {
		in.colorNumber = attribute(p.Crowd.Traits, 0, unsafe.Offsetof(traits.Group))
	}
	draw := gpu.Draw{
		Target: p.Target, Mode: gpu.TriangleStrip, Count: 4, Instances: p.Crowd.Count, Blend: gpu.BlendAlpha,
		Depth: gpu.DepthState{Test: gpu.Less},
	}
	r.walkerShade.Draw(shade, draw)
	draw.Count, draw.Blend, draw.Depth.Write = walkerSegments*walkerStrip, gpu.BlendNone, true
	if distant {
		draw.Count = distantParts * walkerStrip
	}
	r.walker.Draw(in, draw)
}
