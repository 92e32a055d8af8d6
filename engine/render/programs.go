package render

import (
	"maps"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm"
)

// Bindings of storage buffers and texture units.
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

// Depths of the flat picture: a pixel is obstacle, ground or border, in this order.
const (
	obstacleDepth = 0.25
	groundDepth   = 0.5
	borderDepth   = 0.75
)

// group is the size of a work group.
const group = 64

// Programs returns all programs: those of the map, then those of the relief.
func Programs() []gpu.Spec { return append(mapPrograms(), reliefPrograms()...) }

// spec describes a program with further defines.
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
