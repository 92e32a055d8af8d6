package render

import (
	"fmt"
	"image/color"
	"maps"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm"
)

// Storage buffer bindings and texture units of the package's programs.
const (
	bindGenerators = 0 // spm.Generator records of all layers
	bindCones      = 1 // Cone records of the layer shown
	bindPeak       = 2 // the bits of the greatest distance
	bindTree       = 3 // of every generator its place and its parent's
	bindPotentials = 4 // words of all local maps
	bindHeights    = 5 // of the cells of the global potential
	bindAgents     = 0 // trail: agents.Agent
	bindTrails     = 1 // trail: Trail
	bindPoints     = 2 // trail: points of all trails
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

// Programs are the programs of this package: those of the map, then those that the relief needs besides.
func Programs() []gpu.Spec { return append(mapPrograms(), reliefPrograms()...) }

// spec describes a program; more are defines of its own.
func spec(name string, more map[string]any, stages ...string) gpu.Spec {
	defines := paletteDefines()
	maps.Copy(defines, map[string]any{
		"GROUP":           group,
		"RELIEF":          0,
		"BIND_GENERATORS": bindGenerators,
		"BIND_CONES":      bindCones,
		"BIND_PEAK":       bindPeak,
		"BIND_TREE":       bindTree,
		"BIND_POTENTIALS": bindPotentials,
		"BIND_HEIGHTS":    bindHeights,
		"NOT_THERE":       bvp.NotThere,
		"NO_HEADING":      bvp.NoHeading,
		"KIND_BEAM":       uint32(geom.SectorBeam),
		"UNIT_PARENTS":    unitParents,
		"UNIT_FIELD":      unitField,
		"UNIT_PICTURE":    unitPicture,
		"STATE_UNREACHED": float32(spm.Unreached),
		"STATE_REACHED":   float32(spm.Reached),
		"STATUS_WALKING":  agents.Walking,
		"STATUS_ARRIVED":  agents.Arrived,
	})
	maps.Copy(defines, more)
	return gpu.Spec{Name: name, Stages: stages, Defines: defines, Structs: []any{spm.Generator{}, Cone{}}}
}

func mapPrograms() []gpu.Spec {
	ground := func(name string, borders, draft int, depth float32) gpu.Spec {
		defines := map[string]any{"BORDERS": borders, "DRAFT": draft, "GROUND_DEPTH": depth}
		return spec(name, defines, "render/ground.vert.glsl", "render/ground.frag.glsl")
	}
	return []gpu.Spec{
		spec("render cones", nil, "render/cones.comp.glsl"),
		spec("render peak", nil, "render/peak.comp.glsl"),
		ground("render ground", 0, 0, groundDepth),
		ground("render borders", 1, 0, borderDepth),
		ground("render draft", 0, 1, groundDepth),
		spec("render fill", nil, "render/fill.vert.glsl", "render/fill.frag.glsl"),
		spec("render line", nil, "render/line.vert.glsl", "render/line.geom.glsl", "render/line.frag.glsl"),
		spec("render mark", nil, "render/mark.vert.glsl", "render/mark.geom.glsl", "render/mark.frag.glsl"),
		spec("render agent", nil, "render/agent.vert.glsl", "render/agent.frag.glsl"),
		spec("render potential", map[string]any{"GROUND_DEPTH": float32(groundDepth)}, "render/ground.vert.glsl", "render/potential.frag.glsl"),
		spec("render unknown", map[string]any{"GROUND_DEPTH": float32(groundDepth)}, "render/ground.vert.glsl", "render/unknown.frag.glsl"),
		spec("render local map", nil, "render/localmap.vert.glsl", "render/localmap.frag.glsl"),
		trailProgram(),
		spec("render text", nil, "render/text.vert.glsl", "render/text.frag.glsl"),
	}
}

// Renderer draws pictures. It belongs to a device and its thread. It keeps what it uploaded for as long as pictures show
// the same ground.
type Renderer struct {
	device *gpu.Device

	programs map[string]*gpu.Program // by name; those of the relief once one is drawn

	meshes []*mesh
	shown  *mesh // of the ground that the picture shows
	mapped *mesh // of the map's

	sources *gpu.Buffer[[2]float32] // points, then both ends of the segments, each those awake first
	sketch  *gpu.Buffer[[2]float32] // of all sketches

	backdrop backdrop

	cones  *gpu.Buffer[Cone]
	tree   *gpu.Buffer[[2]float32] // of every generator its place and its parent's; both far away where it has no parent
	peak   *gpu.Buffer[uint32]     // the bits of the greatest distance, where the picture needs it
	panels map[Corner]*panel
}

// Picture is what Draw draws, and onto what.
type Picture struct {
	Target *gpu.Target // with a depth
	Camera Camera      // Width and Height are those of the target

	// PixelRatio is the number of the target's pixels that make one nominal pixel, the unit of line widths and text: 2 on
	// a screen of double density. 0 is 1.
	PixelRatio float64

	// Relief lifts the ground by its distance to the goal and looks at it from the side, figure 2 of Farias and Kallmann
	// 2018. It shows the whole domain; of the camera only the size counts.
	Relief bool

	Layers  Layers
	Palette Palette // empty is PaletteCalm

	// Draft draws the ground's colours in a fifth of the time, without smooth lines between regions. The relief takes no notice.
	Draft bool

	// Map and Layer are the shortest path map to show.
	Map   *spm.Map
	Layer int

	// Ground is whose obstacles are drawn, on the map's lattice; nil: the map's own. The map's may be older, or of obstacles that
	// are grown by a goal's clearance.
	Ground *geom.Ground

	// Margin says that the map keeps a clearance: what its obstacles have beyond those that are drawn is shown as too near to them.
	Margin bool

	Sources  []mgl64.Vec2    // of the goal shown, world metres
	Segments [][2]mgl64.Vec2 // that are sources too
	Asleep   []int           // those that nobody can come to, by number: sources, then segments
	Sketches []Sketch        // below them

	Crowd   agents.Buffers // none of Count 0
	ByGroup bool           // agents have the colour of their group, not of their goal
	Behind  float64        // how much of the last step is still to be shown. Unit: s
	Ways    *agents.Ways   // of the agents whose paths are shown, updated; nil for none
	Trails  *Trails        // nil for none
	Panels  []Panel        // text, over everything

	Potential *bvp.Harmonic // the global potential of the goal shown; nil: there is none. The relief takes no notice of it
	LocalMaps *bvp.Maps     // of the crowd; nil: nobody has one
	// Before are the walkers of LocalMaps as they were before the last step, which the edges of a view cone need; nil: they are not shown.
	Before   *gpu.Buffer[bvp.Walker]
	Timestep float64    // of the crowd, s, by which who has stood for a while looks all round; needed with LocalMaps
	Agent    int        // whose local map is shown, from above
	Teams    *bvp.Teams // of explorers; nil: the agent knows the ground
	Team     int        // that the agent is in: what it does not know is shown as that, from above
}

// Cone is what drawing needs of a generator: it has the places in its cone that no other reaches on a shorter way. 48 bytes,
// std430.
type Cone struct {
	Position [2]float32 // m from the domain's corner
	Along    [2]float32 // from its parent to it: the direction of one border of the cone; of a beam the leg from end to end
	Wall     [2]float32 // along the wall that hides what lies beyond: the direction of the other
	Distance float32    // of the generator from the nearest source, m
	Turn     float32    // which way paths turn at it: 1 left, -1 right, 0 a source, whose cone is all around, 2 a beam
	Parent   uint32     // index in the layer, or spm.NoParent; then the parent's parent, and that one's
	Second   uint32
	Third    uint32
	Tint     uint32 // number of its colour
}

// New compiles the programs.
func New(d *gpu.Device) (*Renderer, error) {
	r := &Renderer{device: d, programs: map[string]*gpu.Program{}, panels: map[Corner]*panel{}}
	if err := d.Do(func() error { return r.compile(mapPrograms()) }); err != nil {
		r.Delete()
		return nil, fmt.Errorf("render: %w", err)
	}
	return r, nil
}

// compile makes programs that are not there yet.
func (r *Renderer) compile(specs []gpu.Spec) error {
	for _, s := range specs {
		if r.programs[s.Name] != nil {
			continue
		}
		p, err := gpu.NewProgram(r.device, s)
		if err != nil {
			return err
		}
		r.programs[s.Name] = p
	}
	return nil
}

// program is the program for one kind of things, in the map or in the relief.
func (r *Renderer) program(p Picture, kind string) *gpu.Program {
	if relief := r.programs["render relief "+kind]; p.Relief && relief != nil {
		return relief
	}
	return r.programs["render "+kind]
}

// Delete frees what the renderer made.
func (r *Renderer) Delete() {
	for _, p := range r.programs {
		p.Delete()
	}
	for _, m := range r.meshes {
		m.delete()
	}
	free(r.sources)
	free(r.sketch)
	free(r.cones)
	free(r.tree)
	free(r.peak)
	r.backdrop.delete()
	for _, p := range r.panels {
		p.texture.Delete()
	}
}

// Draw draws a picture. Nothing is read back. It fails where the device has no room for what the picture needs, and with the errors
// of gpu.Device.Do.
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
		r.device.Pass("relief", func() { r.drawRelief(p) })
	} else if err := r.drawMap(p); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	if p.Layers.has(LocalMap) && p.Teams != nil && !p.Relief {
		r.device.Pass("unknown", func() { r.drawUnknown(p) })
	}
	local := p.Layers.has(LocalMap) && p.LocalMaps != nil && p.Crowd.Count > 0 && !p.Relief
	if local {
		r.device.Pass("local map", func() { r.drawLocalMap(p, false) })
	}
	if p.Layers.has(Parents) {
		r.device.Pass("parents", func() { r.drawTree(p) })
	}
	if p.Layers.has(Walked) && p.Trails != nil {
		r.device.Pass("trails", func() { r.drawTrails(p) })
	}
	if p.Layers.has(Paths) && p.Ways != nil {
		r.device.Pass("paths", func() { r.drawWays(p) })
	}
	if local {
		r.device.Pass("local map's marks", func() { r.drawLocalMap(p, true) })
	}
	if len(p.Sketches) > 0 {
		r.device.Pass("sketches", func() { r.drawSketches(p) })
	}
	if p.Layers.has(Sources) && len(p.Sources)+len(p.Segments) > 0 {
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
	if err := r.setMeshes(p); err != nil {
		return err
	}
	if err := r.write(&r.sources, "render sources", p.sources()); err != nil {
		return err
	}
	if err := r.write(&r.sketch, "render sketch", p.sketched()); err != nil {
		return err
	}
	if err := fit(r.device, &r.cones, "render cones", p.Map.Stride); err != nil {
		return err
	}
	if err := fit(r.device, &r.tree, "render tree", 2*p.Map.Stride); err != nil {
		return err
	}
	if p.Relief {
		if err := r.compile(reliefPrograms()); err != nil {
			return err
		}
	}
	return fit(r.device, &r.peak, "render peak", 1)
}

// prepareMap finds what drawing the ground needs to know of the map.
func (r *Renderer) prepareMap(p Picture) {
	r.peak.Bind(bindPeak)
	if p.Relief || p.Palette == PaletteDistance {
		r.device.Pass("peak", func() {
			r.device.Barrier(gpu.BarrierUpdate)
			r.peak.Clear()
			p.Map.Field.Bind(unitField)
			peak := r.programs["render peak"]
			peak.Set("mapLayer", p.Layer)
			peak.Dispatch(gpu.Groups(p.Map.Extent.Columns, 8), gpu.Groups(p.Map.Extent.Rows, 8), 1)
			r.device.Barrier(gpu.BarrierVertex | gpu.BarrierStorage)
		})
	}
	r.device.Pass("cones", func() {
		p.Map.Generators.Bind(bindGenerators)
		r.cones.Bind(bindCones)
		r.tree.Bind(bindTree)
		cones := r.programs["render cones"]
		cones.Set("latticeStep", float32(r.shown.of.Lattice.Step))
		cones.Set("generatorBase", p.Layer*p.Map.Stride)
		cones.Set("generatorCount", p.Map.Stride)
		cones.Dispatch(gpu.Groups(p.Map.Stride, group), 1, 1)
		r.device.Barrier(gpu.BarrierStorage | gpu.BarrierVertex)
	})
}

// fillMapped fills the map's obstacles, which keeps costlier pixels to what is free. Where others are shown than these, nobody knows
// the way yet, or is too wide to walk there.
func (r *Renderer) fillMapped(p Picture) {
	under := unreached
	if p.Margin {
		under = margin
	}
	r.fill(p, r.mapped, under, gpu.DepthState{Test: gpu.Always, Write: true})
}

// drawGround draws the ground's colours, the map's obstacles first.
func (r *Renderer) drawGround(p Picture) {
	r.fillMapped(p)
	r.bindMap(p)
	window := p.Camera.window(r.shown.of.Lattice.Origin)
	draw := func(name string, write bool) {
		program := r.programs[name]
		r.setGround(program, p)
		program.Set("window", window)
		r.device.Draw(gpu.Draw{
			Program: program, Target: p.Target, Mode: gpu.Triangles, Count: 3, Instances: 1,
			Depth: gpu.DepthState{Test: gpu.Less, Write: write},
		})
	}
	if p.Draft {
		draw("render draft", false)
		return
	}
	draw("render ground", true)
	draw("render borders", false) // what the first leaves
}

// bindMap attaches what the ground is drawn from.
func (r *Renderer) bindMap(p Picture) {
	r.cones.Bind(bindCones)
	p.Map.Parents.Bind(unitParents)
	p.Map.Field.Bind(unitField)
}

// setGround sets the uniforms of draw/ground.frag.glsl.
func (r *Renderer) setGround(program *gpu.Program, p Picture) {
	size := r.shown.of.Lattice.Local(r.shown.of.Lattice.Size)
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
	program.Set("pixelRatio", float32(p.PixelRatio))
}

const (
	isolineGap = 26  // nominal pixels between isolines, at least
	wallWidth  = 1.3 // nominal pixels
	treeWidth  = 1.2 // nominal pixels
	treeCasing = 2.8
	treeRadius = 2.6 // of the marks on corners
)

func share(on bool) float32 {
	if on {
		return 1
	}
	return 0
}

// drawObstacles fills what obstacles cover.
func (r *Renderer) drawObstacles(p Picture) {
	r.fill(p, r.shown, solid, gpu.DepthState{Test: gpu.Always, Write: p.Relief})
}

// fill fills what a ground's obstacles cover.
func (r *Renderer) fill(p Picture, m *mesh, c color.RGBA, depth gpu.DepthState) {
	program := r.program(p, "fill")
	r.view(program, p)
	program.Set("fillColour", vec4(c, 1))
	r.stand(p, 0, gpu.Draw{
		Program: program, Mode: gpu.Triangles, Count: m.covered.Len(), Instances: 1, Attributes: places(m.covered), Depth: depth,
	})
}

// drawWalls draws the obstacles' walls and, in the map, the domain's border: that of the relief bends with it.
func (r *Renderer) drawWalls(p Picture) {
	walls := r.shown.walls
	count := walls.Len()
	if p.Relief {
		count -= borderPoints
	}
	r.drawLines(p, gpu.Draw{Mode: gpu.Lines, Count: count, Instances: 1}, walls, wallWidth, vec4(outline, 1))
}

// drawTree draws the way from every corner to its parent. In the relief these lines lie on the surface: a distance grows
// evenly along a shortest path.
func (r *Renderer) drawTree(p Picture) {
	lines := gpu.Draw{Mode: gpu.Lines, Count: 2 * p.Map.Stride, Instances: 1}
	r.drawLines(p, lines, r.tree, treeCasing, vec4(rim, 0.65))
	r.drawLines(p, lines, r.tree, treeWidth, vec4(ink, 0.9))
	r.drawMarks(p, gpu.Draw{Count: 2 * p.Map.Stride, Instances: 1}, r.tree, treeRadius, ink, false)
}

// drawLines draws lines through points of a buffer, as many as d says. Width in nominal pixels.
func (r *Renderer) drawLines(p Picture, d gpu.Draw, points *gpu.Buffer[[2]float32], width float32, colour [4]float32) {
	r.drawDashes(p, d, points, width, 0, colour)
}

// drawDashes draws lines in dashes of a length in nominal pixels, and as much between them; of 0 in one.
func (r *Renderer) drawDashes(p Picture, d gpu.Draw, points *gpu.Buffer[[2]float32], width, dash float32, colour [4]float32) {
	program := r.program(p, "line")
	r.view(program, p)
	program.Set("lineWidth", width)
	program.Set("lineDash", dash)
	program.Set("lineColour", colour)
	d.Program, d.Blend, d.Attributes = program, gpu.BlendAlpha, places(points)
	r.stand(p, float64(width), d)
}

// drawMarks draws marks on points of a buffer, as many as d says. Radius in nominal pixels.
func (r *Renderer) drawMarks(p Picture, d gpu.Draw, points *gpu.Buffer[[2]float32], radius float32, c color.RGBA, target bool) {
	program := r.program(p, "mark")
	r.view(program, p)
	program.Set("markRadius", radius)
	program.Set("markColour", vec4(c, 1))
	program.Set("markTarget", target)
	d.Program, d.Blend, d.Mode, d.Attributes = program, gpu.BlendAlpha, gpu.Points, places(points)
	r.stand(p, float64(radius), d)
}

// stand draws what stands on the ground: in the relief on its surface, which hides what is behind it. There it is drawn
// forward by its radius in nominal pixels, so that the surface in front of a disc does not cut it.
func (r *Renderer) stand(p Picture, radius float64, d gpu.Draw) {
	d.Target = p.Target
	if p.Relief {
		d.Attributes = append(d.Attributes, r.peakAttribute())
		d.Depth = gpu.DepthState{Test: gpu.LessEqual, Write: d.Depth.Write}
		d.Program.Set("forward", float32(reliefForward(radius*p.PixelRatio, p.Camera)))
	}
	r.device.Draw(d)
}

// places is the attribute 0 of points on the ground.
func places(points *gpu.Buffer[[2]float32]) []gpu.Attribute {
	return []gpu.Attribute{{Location: 0, Buffer: points.Name(), Components: 2, Stride: points.Stride()}}
}

// view sets the uniforms of draw/view.glsl.
func (r *Renderer) view(program *gpu.Program, p Picture) {
	program.Set("viewSize", [2]float32{float32(p.Camera.Width), float32(p.Camera.Height)})
	program.Set("pixelRatio", float32(p.PixelRatio))
	if !p.Relief {
		program.Set("viewMatrix", p.Camera.matrix(r.shown.of.Lattice.Origin))
		return
	}
	r.reliefView(program, p)
}

// write has points in a buffer, as metres from the domain's corner.
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

// local is a world point in metres from the domain's corner.
func (r *Renderer) local(p mgl64.Vec2) [2]float32 {
	o := r.shown.of.Lattice.Origin
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
