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
	statusUnused   uint32 = 0 // padding, where the map has more records than the layer needs
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

// layerRecords are the records of a layer, stride in all: the sources, light fields last, unused
// records up to capacity, every corner of the ground with nothing reached, and unused records.
func layerRecords(g *geom.Ground, sources []exact.Source, capacity, stride int) []Generator {
	records := make([]Generator, stride)
	for i := range records {
		records[i] = Generator{Status: statusUnused, Distance: float32(math.Inf(1)), Parent: NoParent}
	}
	for i, s := range sources {
		records[i] = sourceRecord(g, s, i)
	}
	copy(records[capacity:], cornerRecords(g))
	return records
}

// sourceRecord is the record of a source. By the paper's convention it is its own parent.
func sourceRecord(g *geom.Ground, s exact.Source, index int) Generator {
	return record(g, s.Sector, s.Position, statusSource, 0, uint32(index))
}

// cornerRecords are the records of a ground's corners, none of which is reached.
func cornerRecords(g *geom.Ground) []Generator {
	all := make([]Generator, len(g.Corners))
	for i, c := range g.Corners {
		all[i] = record(g, c, g.Place(c.At), statusObstacle, float32(math.Inf(1)), NoParent)
	}
	return all
}

// record is a generator with the sector s, at a place in the world.
func record(g *geom.Ground, s geom.Sector, place mgl64.Vec2, status uint32, distance float32, parent uint32) Generator {
	local := place.Sub(g.Lattice.Origin)
	return Generator{
		Position: [2]float32{float32(local[0]), float32(local[1])},
		X:        s.At.X, Y: s.At.Y,
		FromX: s.From.X, FromY: s.From.Y,
		ToX: s.To.X, ToY: s.To.Y,
		Kind: uint32(s.Kind), Status: status, Distance: distance, Parent: parent,
	}
}
