package spm

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/shaders"
)

// Generator is a record of the paper's DataArray: a source or a corner. See shaders.Generator.
type Generator = shaders.Generator

// NoParent is the parent index of what no source reaches.
const NoParent = shaders.NoParent

// Status of a generator, the paper's STATUS.
const (
	statusUnused   = 0 // padding: the layer has fewer sources than the map has room for
	statusSource   = 1
	statusObstacle = 2 // a corner that has not cast its cone yet
	statusExpanded = 3 // has cast its cone
)

// Goal is what a map leads to: a set of sources, of which the nearest counts.
type Goal struct {
	Points   []mgl64.Vec2    // world, metres
	Segments [][2]mgl64.Vec2 // from one end to the other, world, metres
}

// SourceError says that a source of a goal cannot be one.
type SourceError struct {
	Index int        // in Goal.Points, then in Goal.Segments
	Point mgl64.Vec2 // world, metres; of a segment the end that is wrong, or the first
	Why   string
}

func (e *SourceError) Error() string {
	p := geom.Shown(e.Point[:]...)
	return fmt.Sprintf("spm: source %d at (%v, %v) %s; sources belong on free ground, and segments need a length", e.Index, p[0], p[1], e.Why)
}

// site is a point on free ground with one of the free sectors round it: a source or a point asked about. A point where
// obstacles touch has several sectors, and is as many sites.
//
// A beam of a segment's leg is a site, too: its sector is of kind geom.SectorBeam and goes from At to To.
type site struct {
	sector   geom.Sector
	position mgl64.Vec2 // world, metres, as given: only sight is decided on the lattice
	of       int        // index of what it stands for
}

// beam is the beam that a site is, if it is one.
func (s site) beam() (geom.Beam, bool) { return beamOf(s.sector) }

// beamOf is the beam that stands in a sector's place, if one does.
func beamOf(s geom.Sector) (geom.Beam, bool) {
	return geom.Beam{A: s.At, B: s.To}, s.Kind == geom.SectorBeam
}

// sites finds the free sectors at a world point. A point within geom.SnapSlack of free ground counts as on its wall,
// since snapping may have moved the wall over it. It returns nil in obstacles and outside of the domain.
func sites(g *geom.Ground, p mgl64.Vec2, of int) []site {
	at, ok := g.Standing(p)
	if !ok {
		return nil
	}
	return sitesOf(g.Sectors(at), p, of)
}

func sitesOf(sectors []geom.Sector, p mgl64.Vec2, of int) []site {
	all := make([]site, len(sectors))
	for i, s := range sectors {
		all[i] = site{sector: s, position: p, of: of}
	}
	return all
}

// sourceSites finds the sites of all sources of a goal: those at points in order, with the ends of the legs of segments, and then
// the beams, so that of equals points come first. Errors are of type *SourceError.
func sourceSites(g *geom.Ground, goal Goal) ([]site, error) {
	var all, beams []site
	for i, p := range goal.Points {
		if !g.Lattice.Contains(p) { // false for NaN too
			return nil, &SourceError{i, p, "lies outside the domain"}
		}
		s := sites(g, p, i)
		if s == nil {
			return nil, &SourceError{i, p, "lies inside an obstacle"}
		}
		all = append(all, s...)
	}
	for i, s := range goal.Segments {
		of := len(goal.Points) + i
		for _, p := range s {
			if !g.Lattice.Contains(p) {
				return nil, &SourceError{of, p, "is the end of a segment and lies outside the domain"}
			}
		}
		legs := g.Legs(s[0], s[1])
		if legs == nil {
			return nil, &SourceError{of, s[0], "is the end of a segment that lies inside obstacles"}
		}
		all = append(all, legEnds(g, legs, s, of)...)
		for _, l := range legs {
			for _, b := range l.Beams() {
				sector := geom.Sector{At: b.A, From: b.A, To: b.B, Kind: geom.SectorBeam}
				beams = append(beams, site{sector: sector, position: g.Lattice.World(b.A), of: of})
			}
		}
	}
	return append(all, beams...), nil
}

// legEnds are the sites at the ends of a segment's legs: in the sectors that a leg goes from there in. Ends that two legs share are
// there once. What the segment was given by keeps its place.
func legEnds(g *geom.Ground, legs []geom.Leg, segment [2]mgl64.Vec2, of int) []site {
	var all []site
	add := func(at geom.Point, sectors []geom.Sector) {
		place := g.Place(at)
		for _, end := range segment {
			if stands, ok := g.Standing(end); ok && stands == at {
				place = end
				break
			}
		}
		for _, s := range sitesOf(sectors, place, of) {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	for _, l := range legs {
		if l.A == l.B {
			add(l.A, g.Sectors(l.A))
			continue
		}
		add(l.A, g.SectorsTowards(l.A, l.B))
		add(l.B, g.SectorsTowards(l.B, l.A))
	}
	return all
}

// layerRecords fills the records of one layer: the sources, beams last, unused records up to sourceRoom, then every corner of the
// ground. len(records) must be sourceRoom + len(g.Corners).
func layerRecords(records []Generator, g *geom.Ground, sources []site, sourceRoom int) {
	for i := range sourceRoom {
		if i < len(sources) {
			records[i] = sourceRecord(g, sources[i], i)
		} else {
			records[i] = Generator{Status: statusUnused, Distance: float32(math.Inf(1)), Parent: NoParent}
		}
	}
	for i, corner := range g.Corners {
		records[sourceRoom+i] = cornerRecord(g, corner)
	}
}

// sourceRecord is the record of a source. By the paper's convention it is its own parent.
func sourceRecord(g *geom.Ground, s site, index int) Generator {
	r := record(g, s.sector, s.position)
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

// sectorOf is the free sector of a generator on the lattice. Its float32 position may lie nearer to another lattice point.
func sectorOf(r Generator) geom.Sector {
	return geom.Sector{
		At: geom.Point{X: r.X, Y: r.Y}, From: geom.Point{X: r.FromX, Y: r.FromY}, To: geom.Point{X: r.ToX, Y: r.ToY},
		Kind: geom.SectorKind(r.Kind),
	}
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
