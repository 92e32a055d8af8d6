package spm

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/shaders"
	"github.com/wayfront/wayfront/spm/exact"
)

// Generator is a record of the paper's DataArray: a source or a corner. See shaders.Generator.
type Generator = shaders.Generator

// NoParent is the parent index of what no source reaches.
const NoParent = shaders.NoParent

// Status of a generator, the paper's STATUS.
const (
	statusUnused   uint32 = 0 // padding: the layer has fewer sources than the map has records for
	statusSource   uint32 = 1
	statusObstacle uint32 = 2 // a corner that has not cast its cone yet
	statusExpanded uint32 = 3 // has cast its cone
)

// What maps lead to and answer is that of package exact.
type (
	Goal        = exact.Goal
	SourceError = exact.SourceError
	View        = exact.View
	Answer      = exact.Answer
	State       = exact.State
)

// The states of points and texels.
const (
	Unreached = exact.Unreached
	Reached   = exact.Reached
	Obstacle  = exact.Obstacle
)

// layerRecords fills the records of one layer: the sources, beams last, unused records up to
// capacity, then every corner of the ground. len(records) must be capacity + len(g.Corners).
func layerRecords(records []Generator, g *geom.Ground, sources []exact.Source, capacity int) {
	for i := range capacity {
		if i < len(sources) {
			records[i] = sourceRecord(g, sources[i], i)
		} else {
			records[i] = Generator{Status: statusUnused, Distance: float32(math.Inf(1)), Parent: NoParent}
		}
	}
	for i, corner := range g.Corners {
		records[capacity+i] = cornerRecord(g, corner)
	}
}

// sourceRecord is the record of a source. By the paper's convention it is its own parent.
func sourceRecord(g *geom.Ground, s exact.Source, index int) Generator {
	r := record(g, s.Sector, s.Position)
	r.Status = statusSource
	r.Parent = uint32(index)
	return r
}

// cornerRecord is the record of a corner that nothing has reached.
func cornerRecord(g *geom.Ground, corner geom.Sector) Generator {
	r := record(g, corner, g.Place(corner.At))
	r.Status = statusObstacle
	r.Distance = float32(math.Inf(1))
	r.Parent = NoParent
	return r
}

// record is a generator with the sector s, at a place in the world.
func record(g *geom.Ground, s geom.Sector, place mgl64.Vec2) Generator {
	local := place.Sub(g.Lattice.Origin)
	return Generator{
		Position: [2]float32{float32(local[0]), float32(local[1])},
		X:        s.At.X, Y: s.At.Y,
		FromX: s.From.X, FromY: s.From.Y,
		ToX: s.To.X, ToY: s.To.Y,
		Kind: uint32(s.Kind),
	}
}
