package render

import (
	"maps"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/shaders"
	"github.com/wayfront/wayfront/spm"
)

// The inputs of the passes, one for each stem in shaders/render, and what several of them share.
type (
	conesInput struct {
		generators                    *gpu.Buffer[shaders.Generator] `gpu:"read"`
		cones                         *gpu.Buffer[Cone]              `gpu:"write"`
		tree, feet                    *gpu.Buffer[[2]float32]        `gpu:"write"`
		generatorBase, generatorCount uint32
		latticeStep                   float32
	}
	peakInput struct {
		peak     *gpu.Buffer[uint32] `gpu:"readwrite"`
		field    *gpu.Texture
		mapLayer int32
	}

	// mapInput is what reads the layer of a map.
	mapInput struct {
		field      *gpu.Texture
		mapLayer   int32
		mapCell    float32
		pixelRatio float32
	}
	// viewInput puts places of the ground into the picture: see shaders/render/view.glsl.
	viewInput struct {
		mapInput
		viewMatrix       mgl32.Mat4
		viewSize         [2]float32
		mapPeak, forward float32
	}
	// standInput is for what stands on the ground.
	standInput struct {
		viewInput
		reliefPeak gpu.VertexAttribute
	}
	// colorInput is for what has the ground's colors.
	colorInput struct {
		cones                    *gpu.Buffer[Cone]   `gpu:"read"`
		peak                     *gpu.Buffer[uint32] `gpu:"read"`
		parents                  *gpu.Texture
		domainSize               [2]float32
		palette                  int32
		regionShare, isolineStep float32
	}

	groundInput struct {
		mapInput
		colorInput
		window [4]float32
	}
	reliefInput struct {
		standInput
		colorInput
		mesh       [2]int32
		meshStep   int32
		towardsEye [3]float32
	}
	// gridInput is a grid of cells over the domain.
	gridInput struct {
		window     [4]float32
		domainSize [2]float32
		cellCount  [2]int32
		cellSize   float32
	}
	potentialInput struct {
		gridInput
		heights    *gpu.Buffer[float32] `gpu:"read"`
		pixelRatio float32
		isolines   bool
	}
	unknownInput struct {
		gridInput
		seen      *gpu.Buffer[uint32] `gpu:"read"`
		firstCell uint32
	}
	localMapInput struct {
		viewInput
		potentials *gpu.Buffer[uint32] `gpu:"read"`

		stamped, body, cellsAcross, firstPotential, status, guide, heading, stood, ownerBefore gpu.VertexAttribute

		cellSize, halfView, pixelsPerCell float32
		patience, owner                   uint32
		marks, isolines                   bool
	}
	fillInput struct {
		standInput
		place     gpu.VertexAttribute
		fillColor [4]float32
	}
	lineInput struct {
		standInput
		place               gpu.VertexAttribute
		lineWidth, lineDash float32
		lineColor           [4]float32
	}
	markInput struct {
		standInput
		place      gpu.VertexAttribute
		markRadius float32
		markColor  [4]float32
		markTarget bool
	}
	agentInput struct {
		standInput
		place, velocity, status, agentRadius, colorNumber gpu.VertexAttribute

		behind, scale float32
		shaded        bool
		tint          [4]float32
	}
	splatInput struct {
		agents                     *gpu.Buffer[agents.Agent]  `gpu:"read"`
		traits                     *gpu.Buffer[agents.Traits] `gpu:"read"`
		sums                       *gpu.Buffer[uint32]        `gpu:"readwrite"`
		agentCount                 uint32
		viewMatrix                 mgl32.Mat4
		viewSize                   [2]float32
		cells                      [2]int32
		pixelRatio, scale, behind  float32
		cellWidth, unit, speedUnit float32
		discs                      bool
	}
	blurInput struct {
		sums   *gpu.Buffer[uint32] `gpu:"read"`
		spread *gpu.Buffer[uint32] `gpu:"write"`
		cells  [2]int32
		rows   bool
	}
	densityInput struct {
		spread                              *gpu.Buffer[uint32] `gpu:"read"`
		domainSize                          [2]float32
		window                              [4]float32
		cells                               [2]int32
		cellWidth, perUnit, perSpeed, alone float32
		speeds                              bool
	}
	solidInput struct {
		viewMatrix mgl32.Mat4
		solid      gpu.VertexAttribute
		eye        [3]float32
		shadeColor [4]float32
		lean       float32
		flatten    bool
	}
	softenInput struct {
		shade  *gpu.Texture
		axis   [2]int32
		spread [3]float32
	}
	streetInput struct {
		mapInput
		colorInput
		viewMatrix  mgl32.Mat4
		shade       *gpu.Texture
		marginColor [3]float32
	}
	walkerShadeInput struct {
		viewMatrix                           mgl32.Mat4
		place, velocity, status, agentRadius gpu.VertexAttribute
		behind                               float32
	}
	walkerInput struct {
		walkerShadeInput
		colorNumber gpu.VertexAttribute
		eye         [3]float32
		tint        [4]float32
		strides     float32
		distant     bool
	}
	textInput struct {
		picture           *gpu.Texture
		panel, plateColor [4]float32
		viewSize          [2]float32
		pixelRatio        float32
	}
	trailInput struct {
		agents             *gpu.Buffer[agents.Agent] `gpu:"read"`
		trails             *gpu.Buffer[Trail]        `gpu:"readwrite"`
		points             *gpu.Buffer[[2]float32]   `gpu:"readwrite"`
		trailCount         uint32
		timestep, leastGap float32
	}
)

// passes are the passes of pictures.
type passes struct {
	cones                  *gpu.Pass[conesInput]
	peak                   *gpu.Pass[peakInput]
	ground, borders, draft *gpu.Pass[groundInput]
	potential              *gpu.Pass[potentialInput]
	unknown                *gpu.Pass[unknownInput]
	localMap               *gpu.Pass[localMapInput]
	text                   *gpu.Pass[textInput]
	splat                  *gpu.Pass[splatInput] // nil before the first shading, as those below
	blur                   *gpu.Pass[blurInput]
	density                *gpu.Pass[densityInput]

	solid       *gpu.Pass[solidInput] // nil before the first street, as those below
	soften      *gpu.Pass[softenInput]
	street      [2]*gpu.Pass[streetInput] // the second for drafts
	walker      *gpu.Pass[walkerInput]
	walkerShade *gpu.Pass[walkerShadeInput]

	relief *gpu.Pass[reliefInput] // nil before the first relief, as the second of the forms
	fill   forms[fillInput]
	line   forms[lineInput]
	mark   forms[markInput]
	agent  forms[agentInput]
}

// forms are a pass for the map, and for the relief.
type forms[T any] [2]*gpu.Pass[T]

func (f forms[T]) of(p Picture) *gpu.Pass[T] {
	if p.Relief {
		return f[1]
	}
	return f[0]
}

// Depths of the flat picture: a pixel is obstacle, ground or border, in this order.
const (
	obstacleDepth = 0.25
	groundDepth   = 0.5
	borderDepth   = 0.75
)

// group is the size of a work group.
const group = 64

// pass describes a pass; more are defines of its own.
func pass[T any](name string, more map[string]any, stages ...string) gpu.PassSpec[T] {
	defines := paletteDefines()
	maps.Copy(defines, map[string]any{
		"GROUP":           group,
		"RELIEF":          0,
		"STREET":          0,
		"NOT_THERE":       local.NotThere,
		"NO_HEADING":      local.NoHeading,
		"KIND_BEAM":       uint32(geom.SectorLightField),
		"STATE_UNREACHED": float32(spm.Unreached),
		"STATE_REACHED":   float32(spm.Reached),
		"STATUS_WALKING":  agents.Walking,
		"STATUS_ARRIVED":  agents.Arrived,
		"STATUS_PLACED":   agents.Placed,
		"GROUND_DEPTH":    float32(groundDepth),
		"CAPACITY":        uint32(trailCapacity),
		"PANEL_RADIUS":    float32(panelRadius),
		"DISCS_FROM":      float32(discsFrom),
		"DISCS_FULL":      float32(discsFull),
	})
	maps.Copy(defines, more)
	for i := range stages {
		stages[i] = "render/" + stages[i] + ".glsl"
	}
	return gpu.PassSpec[T]{Name: "render " + name, Stages: stages, Defines: defines}
}

var trailPass = pass[trailInput]("trail", nil, "trail.comp")

// loader makes passes on a device or, without one, lists their programs.
type loader struct {
	device   *gpu.Device
	programs []gpu.PassInfo
	err      error
}

// load makes a pass that is not there yet.
func load[T any](l *loader, p **gpu.Pass[T], s gpu.PassSpec[T]) {
	switch {
	case l.device == nil:
		l.programs = append(l.programs, s.Info())
	case l.err == nil && *p == nil:
		*p, l.err = gpu.NewPass(l.device, s)
	}
}

// loadMap loads the passes of the map.
func (p *passes) loadMap(l *loader) {
	ground := func(name string, borders, draft int, depth float32) gpu.PassSpec[groundInput] {
		defines := map[string]any{"BORDERS": borders, "DRAFT": draft, "GROUND_DEPTH": depth}
		return pass[groundInput](name, defines, "ground.vert", "ground.frag")
	}
	load(l, &p.cones, pass[conesInput]("cones", nil, "cones.comp"))
	load(l, &p.peak, pass[peakInput]("peak", nil, "peak.comp"))
	load(l, &p.ground, ground("ground", 0, 0, groundDepth))
	load(l, &p.borders, ground("borders", 1, 0, borderDepth))
	load(l, &p.draft, ground("draft", 0, 1, groundDepth))
	load(l, &p.potential, pass[potentialInput]("potential", nil, "ground.vert", "potential.frag"))
	load(l, &p.unknown, pass[unknownInput]("unknown", nil, "ground.vert", "unknown.frag"))
	load(l, &p.localMap, pass[localMapInput]("local map", nil, "localmap.vert", "localmap.frag"))
	load(l, &p.text, pass[textInput]("text", nil, "text.vert", "text.frag"))
	p.loadForms(l, 0, "")
}

// loadShading loads the passes of density and speed.
func (p *passes) loadShading(l *loader) {
	sizes := map[string]any{
		"MARGIN": int32(shadeMargin), "SPREAD": float32(shadeSpread), "SPEED_MOST": float32(speedMost), "SPEED_TOP": float32(speedTop),
		"DENSITY_LOW": float32(densityLow), "DENSITY_TOP": float32(densityTop), "SHADE_SHARE": float32(shadeShare),
	}
	load(l, &p.splat, pass[splatInput]("splat", sizes, "splat.comp"))
	load(l, &p.blur, pass[blurInput]("blur", sizes, "blur.comp"))
	load(l, &p.density, pass[densityInput]("density", sizes, "ground.vert", "density.frag"))
}

// loadStreet loads the passes of streets.
func (p *passes) loadStreet(l *loader) {
	sizes := map[string]any{
		"SIDES": int32(walkerSides), "STRIP": int32(walkerStrip), "STRIDES": float32(strideRate), "SOFT": int32(shadeSoft),
		"WALL": vec3(block), "SHADE": vec3(shadow), "SHADE_LIGHT": vec3(shadowLight), "STREET": 1, "BORDERS": 1,
	}
	ground := func(draft int) map[string]any {
		more := maps.Clone(sizes)
		more["DRAFT"] = draft
		return more
	}
	load(l, &p.solid, pass[solidInput]("block", sizes, "solid.vert", "solid.frag"))
	load(l, &p.soften, pass[softenInput]("soften", sizes, "soften.vert", "soften.frag"))
	load(l, &p.street[0], pass[streetInput]("street", ground(0), "street.vert", "ground.frag"))
	load(l, &p.street[1], pass[streetInput]("street draft", ground(1), "street.vert", "ground.frag"))
	load(l, &p.walker, pass[walkerInput]("walker", sizes, "walker.vert", "walker.frag"))
	load(l, &p.walkerShade, pass[walkerShadeInput]("walker's shade", sizes, "walkershade.vert", "walkershade.frag"))
}

// loadRelief loads the passes that the relief needs besides.
func (p *passes) loadRelief(l *loader) {
	load(l, &p.relief, pass[reliefInput]("relief surface", map[string]any{"RELIEF": 1, "BORDERS": 1, "DRAFT": 0}, "relief.vert", "ground.frag"))
	p.loadForms(l, 1, "relief ")
}

func (p *passes) loadForms(l *loader, relief int, prefix string) {
	form := map[string]any{"RELIEF": relief}
	load(l, &p.fill[relief], pass[fillInput](prefix+"fill", form, "fill.vert", "fill.frag"))
	load(l, &p.line[relief], pass[lineInput](prefix+"line", form, "line.vert", "line.geom", "line.frag"))
	load(l, &p.mark[relief], pass[markInput](prefix+"mark", form, "mark.vert", "mark.geom", "mark.frag"))
	load(l, &p.agent[relief], pass[agentInput](prefix+"agent", form, "agent.vert", "agent.frag"))
}

// Passes are the passes of this package.
func Passes() []gpu.PassInfo {
	var l loader
	var p passes
	p.loadMap(&l)
	p.loadShading(&l)
	p.loadStreet(&l)
	p.loadRelief(&l)
	return append(l.programs, trailPass.Info())
}
