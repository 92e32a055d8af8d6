package draw

import (
	"fmt"
	"image/color"
	"maps"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm"
)

// Storage buffer bindings and texture units of the package's programs.
const (
	bindGenerators = 0 // spm.Generator records of all layers
	bindCones      = 1 // Cone records of the layer shown
	unitParents    = 0
	unitField      = 1
	unitPicture    = 2 // text
)

// Depths of the flat picture, which say what is already drawn: a pixel gets obstacle, ground or border, in this order.
const (
	obstacleDepth = 0.25
	groundDepth   = 0.5
	borderDepth   = 0.75
)

// group is the number of invocations of a compute workgroup.
const group = 64

// Programs are the programs of this package.
func Programs() []gpu.Spec {
	defines := paletteDefines()
	for name, value := range map[string]any{
		"GROUP":           group,
		"BIND_GENERATORS": bindGenerators,
		"BIND_CONES":      bindCones,
		"UNIT_PARENTS":    unitParents,
		"UNIT_FIELD":      unitField,
		"UNIT_PICTURE":    unitPicture,
		"STATE_UNREACHED": float32(spm.Unreached),
		"STATUS_WALKING":  agents.Walking,
		"STATUS_ARRIVED":  agents.Arrived,
	} {
		defines[name] = value
	}
	structs := []any{spm.Generator{}, Cone{}}
	spec := func(name string, stages ...string) gpu.Spec {
		return gpu.Spec{Name: name, Stages: stages, Defines: defines, Structs: structs}
	}
	ground := func(name string, borders int, depth float32) gpu.Spec {
		s := spec(name, "draw/ground.vert.glsl", "draw/ground.frag.glsl")
		s.Defines = maps.Clone(defines)
		s.Defines["BORDERS"], s.Defines["GROUND_DEPTH"] = borders, depth
		return s
	}
	return []gpu.Spec{
		spec("draw cones", "draw/cones.comp.glsl"),
		ground("draw ground", 0, groundDepth),
		ground("draw borders", 1, borderDepth),
		spec("draw fill", "draw/fill.vert.glsl", "draw/fill.frag.glsl"),
		spec("draw line", "draw/line.vert.glsl", "draw/line.geom.glsl", "draw/line.frag.glsl"),
		spec("draw mark", "draw/mark.vert.glsl", "draw/mark.geom.glsl", "draw/mark.frag.glsl"),
		spec("draw agent", "draw/agent.vert.glsl", "draw/agent.frag.glsl"),
		spec("draw text", "draw/text.vert.glsl", "draw/text.frag.glsl"),
	}
}

// Renderer draws pictures. It belongs to a device and its thread. It keeps what it uploaded for as long as pictures show
// the same ground.
type Renderer struct {
	device *gpu.Device

	prepareCones, ground, borders, fill, line, mark, agent, text *gpu.Program

	shown   *geom.Ground            // what covered and walls are of
	covered *gpu.Buffer[[2]float32] // corners of the triangles that obstacles cover
	walls   *gpu.Buffer[[2]float32] // the ends of all walls, the domain's border included
	sources *gpu.Buffer[[2]float32]

	cones  *gpu.Buffer[Cone]
	panels map[Corner]*panel
}

// Picture is what Draw draws, and onto what.
type Picture struct {
	Target *gpu.Target // with a depth
	Camera Camera      // Width and Height are those of the target

	// PixelRatio is the number of the target's pixels that make one nominal pixel, the unit of line widths and text: 2 on
	// a screen of double density. 0 is 1.
	PixelRatio float64

	Layers  Layers
	Palette Palette // empty is PaletteCalm

	// Map and Layer are the shortest path map to show; the ground is the map's.
	Map   *spm.Map
	Layer int

	Sources []mgl64.Vec2 // of the goal shown, world metres

	Crowd   agents.Buffers // none of Count 0
	ByGroup bool           // agents have the colour of their group, not of their goal
	Behind  float64        // how much of the last step is still to be shown. Unit: s
	Ways    *agents.Ways   // of the agents whose paths are shown, updated; nil for none
	Panels  []Panel        // text, over everything
}

// Cone is what drawing needs of a generator: it has the places in its cone that no other reaches on a shorter way. 48 bytes,
// std430.
type Cone struct {
	Position [2]float32 // m from the domain's corner
	Along    [2]float32 // from its parent to it: the direction of one border of the cone
	Wall     [2]float32 // along the wall that hides what lies beyond: the direction of the other
	Distance float32    // of the generator from the nearest source, m
	Turn     float32    // which way paths turn at it: 1 left, -1 right, 0 a source, whose cone is all around
	Parent   uint32     // index in the layer, or spm.NoParent; then the parent's parent, and that one's
	Second   uint32
	Third    uint32
	Tint     uint32 // number of its colour
}

// New compiles the programs.
func New(d *gpu.Device) (*Renderer, error) {
	r := &Renderer{device: d, panels: map[Corner]*panel{}}
	specs := Programs()
	for i, program := range []**gpu.Program{&r.prepareCones, &r.ground, &r.borders, &r.fill, &r.line, &r.mark, &r.agent, &r.text} {
		p, err := gpu.NewProgram(d, specs[i])
		if err != nil {
			r.Delete()
			return nil, fmt.Errorf("draw: %w", err)
		}
		*program = p
	}
	return r, nil
}

// Delete frees what the renderer made.
func (r *Renderer) Delete() {
	for _, p := range []*gpu.Program{r.prepareCones, r.ground, r.borders, r.fill, r.line, r.mark, r.agent, r.text} {
		if p != nil {
			p.Delete()
		}
	}
	free(r.covered)
	free(r.walls)
	free(r.sources)
	free(r.cones)
	for _, p := range r.panels {
		p.texture.Delete()
	}
}

// Draw draws a picture. Nothing is read back. It fails only where the device has no room for what the picture needs.
func (r *Renderer) Draw(p Picture) error {
	if p.PixelRatio == 0 {
		p.PixelRatio = 1
	}
	if p.Palette == "" {
		p.Palette = PaletteCalm
	}
	if err := r.prepare(p); err != nil {
		return fmt.Errorf("draw: %w", err)
	}
	p.Target.ClearDepthStencil(1, 0)
	if p.Layers.has(Obstacles) {
		r.device.Pass("obstacles", func() { r.drawObstacles(p) })
	}
	r.device.Pass("ground", func() { r.drawGround(p) })
	if p.Layers.has(Obstacles) {
		r.device.Pass("walls", func() {
			r.drawLines(p, gpu.Draw{Mode: gpu.Lines, Count: r.walls.Len(), Instances: 1}, r.walls, wallWidth, vec4(outline, 1))
		})
	}
	if p.Layers.has(Paths) && p.Ways != nil {
		r.device.Pass("paths", func() { r.drawWays(p) })
	}
	if p.Layers.has(Sources) && len(p.Sources) > 0 {
		r.device.Pass("sources", func() { r.drawSources(p) })
	}
	if p.Layers.has(Agents) && p.Crowd.Count > 0 {
		r.device.Pass("agents", func() { r.drawAgents(p) })
	}
	var err error
	if len(p.Panels) > 0 {
		r.device.Pass("text", func() { err = r.drawPanels(p) })
	}
	return err
}

// prepare uploads what has changed since the last picture.
func (r *Renderer) prepare(p Picture) error {
	if ground := p.Map.Ground(); ground != r.shown {
		if err := r.upload(ground); err != nil {
			return err
		}
		r.shown = ground
	}
	if len(p.Sources) > 0 {
		local := make([][2]float32, len(p.Sources))
		for i, s := range p.Sources {
			local[i] = r.local(s)
		}
		if err := fit(r.device, &r.sources, "draw sources", len(local)); err != nil {
			return err
		}
		r.sources.Write(0, local)
	}
	if err := fit(r.device, &r.cones, "draw cones", p.Map.Stride); err != nil {
		return err
	}
	r.device.Pass("cones", func() {
		p.Map.Generators.Bind(bindGenerators)
		r.cones.Bind(bindCones)
		r.prepareCones.Set("generatorBase", p.Layer*p.Map.Stride)
		r.prepareCones.Set("generatorCount", p.Map.Stride)
		r.prepareCones.Dispatch(gpu.Groups(p.Map.Stride, group), 1, 1)
		r.device.Barrier(gpu.BarrierStorage)
	})
	return nil
}

// upload sends the ground's obstacles and walls.
func (r *Renderer) upload(g *geom.Ground) error {
	var covered [][2]float32
	for _, t := range g.Triangles {
		if !t.Free {
			for _, v := range t.V {
				covered = append(covered, g.Lattice.Local(g.Vertices[v]))
			}
		}
	}
	var walls [][2]float32
	for _, w := range g.Walls {
		walls = append(walls, g.Lattice.Local(g.Vertices[w.A]), g.Lattice.Local(g.Vertices[w.B]))
	}
	free(r.covered)
	free(r.walls)
	var err error
	if r.covered, err = gpu.NewBuffer[[2]float32](r.device, "draw covered ground", len(covered)); err != nil {
		return err
	}
	if r.walls, err = gpu.NewBuffer[[2]float32](r.device, "draw walls", len(walls)); err != nil {
		return err
	}
	r.covered.Write(0, covered)
	r.walls.Write(0, walls)
	return nil
}

func (r *Renderer) drawGround(p Picture) {
	r.cones.Bind(bindCones)
	p.Map.Parents.Bind(unitParents)
	p.Map.Field.Bind(unitField)
	// The second pass draws what the first leaves.
	r.setGround(r.ground, p)
	r.device.Draw(gpu.Draw{
		Program: r.ground, Target: p.Target, Mode: gpu.Triangles, Count: 3, Instances: 1,
		Depth: gpu.DepthState{Test: gpu.Less, Write: true},
	})
	r.setGround(r.borders, p)
	r.device.Draw(gpu.Draw{
		Program: r.borders, Target: p.Target, Mode: gpu.Triangles, Count: 3, Instances: 1,
		Depth: gpu.DepthState{Test: gpu.Less},
	})
}

// setGround sets the uniforms of the ground's programs.
func (r *Renderer) setGround(program *gpu.Program, p Picture) {
	size := r.shown.Lattice.Local(r.shown.Lattice.Size)
	program.Set("window", p.Camera.window(r.shown.Lattice.Origin))
	program.Set("mapLayer", p.Layer)
	program.Set("mapCell", float32(p.Map.Extent.Cell))
	program.Set("domainSize", size)
	program.Set("palette", p.Palette.number())
	program.Set("regionShare", share(p.Layers.has(Regions)))
	step := 0.0
	if p.Layers.has(Isolines) {
		step = p.Camera.isolineStep(isolineGap * p.PixelRatio)
	}
	program.Set("isolineStep", float32(step))
	program.Set("distanceScale", max(size[0], size[1])*distanceReach)
	program.Set("pixelRatio", float32(p.PixelRatio))
}

const (
	isolineGap    = 26   // nominal pixels between isolines, at least
	distanceReach = 1.25 // of the domain's longer side: where the palette of distances ends
	wallWidth     = 1.3  // nominal pixels
	sourceRadius  = 8    // nominal pixels
)

func share(on bool) float32 {
	if on {
		return 1
	}
	return 0
}

func (r *Renderer) drawObstacles(p Picture) {
	r.view(r.fill, p)
	r.fill.Set("fillColour", vec4(solid, 1))
	r.device.Draw(gpu.Draw{
		Program: r.fill, Target: p.Target, Mode: gpu.Triangles, Count: r.covered.Len(), Instances: 1,
		Attributes: places(r.covered),
		Depth:      gpu.DepthState{Test: gpu.Always, Write: true},
	})
}

func (r *Renderer) drawSources(p Picture) {
	r.drawMarks(p, gpu.Draw{Count: len(p.Sources), Instances: 1}, r.sources, sourceRadius, source, true)
}

// drawLines draws lines through points of a buffer, as many as d says. Width in nominal pixels.
func (r *Renderer) drawLines(p Picture, d gpu.Draw, points *gpu.Buffer[[2]float32], width float32, colour [4]float32) {
	r.view(r.line, p)
	r.line.Set("lineWidth", width)
	r.line.Set("lineColour", colour)
	d.Program, d.Target, d.Blend, d.Attributes = r.line, p.Target, gpu.BlendAlpha, places(points)
	r.device.Draw(d)
}

// drawMarks draws marks on points of a buffer, as many as d says. Radius in nominal pixels.
func (r *Renderer) drawMarks(p Picture, d gpu.Draw, points *gpu.Buffer[[2]float32], radius float32, c color.RGBA, target bool) {
	r.view(r.mark, p)
	r.mark.Set("markRadius", radius)
	r.mark.Set("markColour", vec4(c, 1))
	r.mark.Set("markTarget", target)
	d.Program, d.Target, d.Blend, d.Mode, d.Attributes = r.mark, p.Target, gpu.BlendAlpha, gpu.Points, places(points)
	r.device.Draw(d)
}

// places is the attribute 0 of points on the ground.
func places(points *gpu.Buffer[[2]float32]) []gpu.Attribute {
	return []gpu.Attribute{{Location: 0, Buffer: points.Name(), Components: 2, Stride: points.Stride()}}
}

// view sets the uniforms of draw/view.glsl.
func (r *Renderer) view(program *gpu.Program, p Picture) {
	program.Set("viewMatrix", p.Camera.matrix(r.shown.Lattice.Origin))
	program.Set("viewSize", [2]float32{float32(p.Camera.Width), float32(p.Camera.Height)})
	program.Set("pixelRatio", float32(p.PixelRatio))
}

// local is a world point in metres from the domain's corner.
func (r *Renderer) local(p mgl64.Vec2) [2]float32 {
	o := r.shown.Lattice.Origin
	return [2]float32{float32(p[0] - o[0]), float32(p[1] - o[1])}
}

// fit makes a buffer of at least n elements, and keeps the old one where it has them.
func fit[T any](d *gpu.Device, b **gpu.Buffer[T], label string, n int) error {
	if *b != nil && (*b).Len() >= n {
		return nil
	}
	fresh, err := gpu.NewBuffer[T](d, label, n)
	if err != nil {
		return err
	}
	free(*b)
	*b = fresh
	return nil
}

func free[T any](b *gpu.Buffer[T]) {
	if b != nil {
		b.Delete()
	}
}
