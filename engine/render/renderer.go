package render

import (
	"cmp"
	"fmt"
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Renderer draws pictures on one device and its thread. It caches uploads while pictures show the
// same ground.
type Renderer struct {
	device *gpu.Device

	passes

	meshes []*mesh
	shown  *mesh // of the ground that the picture shows
	mapped *mesh // of the map's

	sources *gpu.Buffer[[2]float32] // of the sketches of sources
	sketch  *gpu.Buffer[[2]float32] // of all other sketches

	backdrop backdrop

	cones  *gpu.Buffer[Cone]
	tree   *gpu.Buffer[[2]float32] // places of generators and parents; far away without one
	feet   *gpu.Buffer[[2]float32] // critical points, by generator; far away where its parent is no beam
	peak   *gpu.Buffer[uint32]     // the bits of the greatest distance, where the picture needs it
	panels map[Corner]*panel

	shade        shade
	sums, spread *gpu.Buffer[uint32] // of the cells of shading
}

// New compiles the passes of the map; those of the relief follow with the first one.
func New(d *gpu.Device) (*Renderer, error) {
	r := &Renderer{device: d, panels: map[Corner]*panel{}}
	l := loader{device: d}
	if err := d.Do(func() error { r.loadMap(&l); return l.err }); err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}
	return r, nil
}

// Delete frees the renderer's resources. Deleting none does nothing.
func (r *Renderer) Delete() {
	if r == nil {
		return
	}
	for _, m := range r.meshes {
		m.delete()
	}
	r.sources.Delete()
	r.sketch.Delete()
	r.cones.Delete()
	r.tree.Delete()
	r.feet.Delete()
	r.peak.Delete()
	r.sums.Delete()
	r.spread.Delete()
	r.backdrop.delete()
	r.shade.delete()
	for _, p := range r.panels {
		p.texture.Delete()
	}
}

// Draw draws a picture. Nothing is read back. Errors are *gpu.CapacityError and those of
// gpu.Device.Do.
func (r *Renderer) Draw(p Picture) error { return r.device.Do(func() error { return r.draw(p) }) }

func (r *Renderer) draw(p Picture) error {
	if p.PixelRatio == 0 {
		p.PixelRatio = 1
	}
	if p.Palette == "" {
		p.Palette = PaletteCalm
	}
	if err := r.prepare(p); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	p.Target.ClearDepthStencil(1, 0)
	if p.Relief {
		r.prepareMap(p)
		r.device.Stage("relief", func() { r.drawRelief(p) })
	} else if err := r.drawFlat(p); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	for _, o := range overlays {
		if (o.layer == 0 || p.Layers.has(o.layer)) && o.shown(&p) {
			r.device.Stage(o.stage, func() { o.draw(r, p) })
		}
	}
	var err error
	if len(p.Panels) > 0 {
		r.device.Stage("text", func() { err = r.drawPanels(p) })
	}
	return err
}

// drawFlat draws the ground with its obstacles, from above or as a street.
func (r *Renderer) drawFlat(p Picture) error {
	if p.Camera.Tilt > 0 {
		return r.drawStreet(p)
	}
	return r.drawMap(p)
}

// overlays are drawn over the ground and its obstacles, from the lowest to the highest.
var overlays = []struct {
	stage string
	layer Layers                // of which one has to be shown; 0: in any case
	shown func(p *Picture) bool // whether the picture has it
	draw  func(r *Renderer, p Picture)
}{
	{"density", Density | Speed, (*Picture).shaded, (*Renderer).drawShading},
	{"unknown", LocalMap, func(p *Picture) bool { return p.Teams != nil && p.above() }, (*Renderer).drawUnknown},
	{"local map", LocalMap, (*Picture).hasLocalMap, func(r *Renderer, p Picture) { r.drawLocalMap(p, false) }},
	{"parents", Parents, func(*Picture) bool { return true }, (*Renderer).drawTree},
	{"trails", Walked, func(p *Picture) bool { return p.Trails != nil }, (*Renderer).drawTrails},
	{"paths", Paths, func(p *Picture) bool { return p.Paths != nil }, (*Renderer).drawPaths},
	{"local map's marks", LocalMap, (*Picture).hasLocalMap, func(r *Renderer, p Picture) { r.drawLocalMap(p, true) }},
	{"sketches", 0, func(p *Picture) bool { return len(p.Sketches) > 0 }, func(r *Renderer, p Picture) {
		r.drawSketches(p, p.Sketches, r.sketch, sketchCasing, 0.9)
	}},
	{"sources", Sources, func(p *Picture) bool { return len(p.Sources)+len(p.Segments) > 0 }, func(r *Renderer, p Picture) {
		r.drawSketches(p, p.sources(), r.sources, sourceCasing, 1)
	}},
	{"critical points", Parents, func(*Picture) bool { return true }, (*Renderer).drawFeet},
	{"ghosts", Agents, func(p *Picture) bool { return p.Ghosts.Count > 0 }, (*Renderer).drawGhosts},
	{"agents", Agents, func(p *Picture) bool { return p.Crowd.Count > 0 }, (*Renderer).drawAgents},
}

// prepare uploads what has changed.
func (r *Renderer) prepare(p Picture) error {
	if err := r.setMeshes(p); err != nil {
		return err
	}
	if err := r.write(&r.sources, "render sources", sketched(p.sources())); err != nil {
		return err
	}
	if err := r.write(&r.sketch, "render sketch", sketched(p.Sketches)); err != nil {
		return err
	}
	if err := fit(r.device, &r.cones, "render cones", p.Map.Stride); err != nil {
		return err
	}
	if err := fit(r.device, &r.tree, "render tree", 2*p.Map.Stride); err != nil {
		return err
	}
	if err := fit(r.device, &r.feet, "render feet", p.Map.Stride); err != nil {
		return err
	}
	l := loader{device: r.device}
	if p.Relief {
		r.loadRelief(&l)
	}
	if p.Camera.Tilt > 0 {
		r.loadStreet(&l)
		l.err = cmp.Or(l.err, r.fitStreet())
	}
	if p.shaded() {
		r.loadShading(&l)
		l.err = cmp.Or(l.err, r.fitShading(p))
	}
	if l.err != nil {
		return l.err
	}
	return fit(r.device, &r.peak, "render peak", 1)
}

// drawObstacles fills the shown obstacles.
func (r *Renderer) drawObstacles(p Picture) {
	r.fill(p, r.shown, solid, gpu.DepthState{Test: gpu.Always, Write: p.Relief})
}

// fill fills what a ground's obstacles cover.
func (r *Renderer) fill(p Picture, m *mesh, c color.RGBA, depth gpu.DepthState) {
	in := fillInput{standInput: r.stand(p, 0), place: places(m.covered), fillColor: vec4(c, 1)}
	r.passes.fill.of(p).Draw(in, p.standing(gpu.Draw{Mode: gpu.Triangles, Count: m.covered.Len(), Instances: 1, Depth: depth}))
}

// drawWalls draws walls and, in the map, the domain's border, which bends in the relief.
func (r *Renderer) drawWalls(p Picture) {
	walls := r.shown.walls
	count := walls.Len()
	if p.Relief {
		count -= borderPoints
	}
	r.drawLines(p, gpu.Draw{Mode: gpu.Lines, Count: count, Instances: 1}, walls, wallWidth, 0, vec4(outline, 1))
}

// drawTree draws the path from every corner to its parent. In the relief these lines lie on the
// surface: distance is linear along a shortest path.
func (r *Renderer) drawTree(p Picture) {
	lines := gpu.Draw{Mode: gpu.Lines, Count: 2 * p.Map.Stride, Instances: 1}
	r.drawLines(p, lines, r.tree, treeCasing, 0, vec4(rim, 0.65))
	r.drawLines(p, lines, r.tree, treeWidth, 0, vec4(ink, 0.9))
	r.drawMarks(p, gpu.Draw{Count: 2 * p.Map.Stride, Instances: 1}, r.tree, treeRadius, ink, false)
}

// drawFeet draws rings around critical points: where corners have the foot of their shortest path on
// a segment.
func (r *Renderer) drawFeet(p Picture) {
	r.drawMarks(p, gpu.Draw{Count: p.Map.Stride, Instances: 1}, r.feet, footRadius, ink, true)
}

// drawLines draws lines through points of a buffer, with dashes and gaps of a length; 0: solid.
// Width and dash are in nominal pixels.
func (r *Renderer) drawLines(p Picture, d gpu.Draw, points *gpu.Buffer[[2]float32], width, dash float64, color [4]float32) {
	in := lineInput{
		standInput: r.stand(p, width), place: places(points), lineWidth: float32(width), lineDash: float32(dash), lineColor: color,
	}
	d.Blend = gpu.BlendAlpha
	r.line.of(p).Draw(in, p.standing(d))
}

// drawMarks draws marks on points of a buffer. Radius in nominal pixels.
func (r *Renderer) drawMarks(p Picture, d gpu.Draw, points *gpu.Buffer[[2]float32], radius float64, c color.RGBA, target bool) {
	in := markInput{
		standInput: r.stand(p, radius), place: places(points), markRadius: float32(radius), markColor: vec4(c, 1), markTarget: target,
	}
	d.Blend, d.Mode = gpu.BlendAlpha, gpu.Points
	r.mark.of(p).Draw(in, p.standing(d))
}

// standing completes a draw of what stands on the ground: in the relief on its surface, which hides
// what is behind it, as blocks do in streets.
func (p *Picture) standing(d gpu.Draw) gpu.Draw {
	d.Target = p.Target
	if !p.above() {
		d.Depth = gpu.DepthState{Test: gpu.LessEqual, Write: d.Depth.Write}
	}
	return d
}

// stand returns the input of such a draw. In the relief it is drawn forward by its radius in
// nominal pixels, so that the surface in front of a disc does not cut it.
func (r *Renderer) stand(p Picture, radius float64) standInput {
	in := standInput{viewInput: r.view(p)}
	if p.Relief {
		in.forward = float32(reliefForward(radius*p.PixelRatio, p.Camera))
		in.reliefPeak = gpu.VertexAttribute{Buffer: r.peak, Divisor: 1 << 30}
	}
	return in
}

// places is the attribute of points on the ground.
func places(points *gpu.Buffer[[2]float32]) gpu.VertexAttribute {
	return gpu.VertexAttribute{Buffer: points}
}

// view puts places of the ground into the picture.
func (r *Renderer) view(p Picture) viewInput {
	in := viewInput{mapInput: p.mapInput(), viewSize: [2]float32{float32(p.Camera.Width), float32(p.Camera.Height)}}
	if p.Relief {
		in.viewMatrix, _ = r.eye(p)
		in.mapPeak = float32(reliefHeight * r.shown.of.Lattice.Length())
	} else {
		in.viewMatrix = p.Camera.matrix(r.shown.of.Lattice.Origin)
	}
	return in
}

// write writes points to a buffer, in meters from the domain's corner.
func (r *Renderer) write(b **gpu.Buffer[[2]float32], label string, points []mgl64.Vec2) error {
	if len(points) == 0 {
		return nil
	}
	if err := fit(r.device, b, label, len(points)); err != nil {
		return err
	}
	local := make([][2]float32, len(points))
	for i, p := range points {
		local[i] = r.local(p)
	}
	(*b).Write(0, local)
	return nil
}

// local converts a world point to meters from the domain's corner.
func (r *Renderer) local(p mgl64.Vec2) [2]float32 {
	o := r.shown.of.Lattice.Origin
	return [2]float32{float32(p[0] - o[0]), float32(p[1] - o[1])}
}

// fit grows a buffer to at least n elements.
func fit[T any](d *gpu.Device, b **gpu.Buffer[T], label string, n int) error {
	if *b != nil && (*b).Len() >= n {
		return nil
	}
	fresh, err := gpu.NewBuffer[T](d, label, n)
	if err != nil {
		return err
	}
	(*b).Delete()
	*b = fresh
	return nil
}
