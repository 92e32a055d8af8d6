package exact

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Goal is what a map leads to: a set of sources, of which the nearest counts.
type Goal struct {
	Points   []mgl64.Vec2    // world, meters
	Segments [][2]mgl64.Vec2 // from one end to the other, world, meters
}

// SourceError says that a source of a goal cannot be one.
type SourceError struct {
	Index int        // in Goal.Points, then in Goal.Segments
	Point mgl64.Vec2 // world, meters; of a segment the end that is wrong, or the first
	Why   string
}

func (e *SourceError) Error() string {
	p := polygon.Shown(e.Point[:]...)
	return fmt.Sprintf("spm: source %d at (%v, %v) %s; sources belong on free ground, and segments need a length", e.Index, p[0], p[1], e.Why)
}

// Source is a point on free ground with one of the free sectors round it. A point where obstacles
// touch has several sectors, and is as many sources.
//
// A beam of a segment's leg is a source, too: its sector is of kind geom.SectorLightField and goes from
// At to To.
type Source struct {
	Sector   geom.Sector
	Position mgl64.Vec2 // world, meters, as given: only sight is decided on the lattice
	Of       int        // index in Goal.Points, then in Goal.Segments
}

// Beam returns the beam that a source is, and whether it is one.
func (s Source) Beam() (geom.LightField, bool) { return beamOf(s.Sector) }

// beamOf is the beam in a sector's place, if there is one.
func beamOf(s geom.Sector) (geom.LightField, bool) {
	return geom.LightField{A: s.At, B: s.To}, s.Kind == geom.SectorLightField
}

func sourcesOf(sectors []geom.Sector, p mgl64.Vec2, of int) []Source {
	all := make([]Source, len(sectors))
	for i, s := range sectors {
		all[i] = Source{Sector: s, Position: p, Of: of}
	}
	return all
}

// Sources finds all sources of a goal: those at points in order, with the ends of the legs of
// segments, and then the beams, so that of equals points come first. A point within geom.SnapSlack
// of free ground counts as on its wall, since snapping may have moved the wall over it. Errors are
// of type *SourceError.
func Sources(g *geom.Ground, goal Goal) ([]Source, error) {
	var all, beams []Source
	for i, p := range goal.Points {
		if !g.Lattice.Contains(p) { // false for NaN too
			return nil, &SourceError{i, p, "lies outside the domain"}
		}
		at, ok := g.Standing(p)
		if !ok {
			return nil, &SourceError{i, p, "lies inside an obstacle"}
		}
		all = append(all, sourcesOf(g.Sectors(at), p, i)...)
	}
	for i, s := range goal.Segments {
		of := len(goal.Points) + i
		for _, p := range s {
			if !g.Lattice.Contains(p) {
				return nil, &SourceError{of, p, "is the end of a segment and lies outside the domain"}
			}
		}
		legs := g.SourceSegments(s[0], s[1])
		if legs == nil {
			return nil, &SourceError{of, s[0], "is the end of a segment that lies inside obstacles"}
		}
		all = append(all, legEnds(g, legs, s, of)...)
		for _, l := range legs {
			for _, b := range l.LightFields() {
				sector := geom.Sector{At: b.A, From: b.A, To: b.B, Kind: geom.SectorLightField}
				beams = append(beams, Source{Sector: sector, Position: g.Lattice.World(b.A), Of: of})
			}
		}
	}
	return append(all, beams...), nil
}

// legEnds are the sources at the ends of a segment's legs: in the sectors that a leg goes from
// there in. Ends that two legs share are there once. What the segment was given by keeps its place.
func legEnds(g *geom.Ground, legs []geom.SourceSegment, segment [2]mgl64.Vec2, of int) []Source {
	var all []Source
	add := func(at geom.Point, sectors []geom.Sector) {
		place := g.Place(at)
		for _, end := range segment {
			if stands, ok := g.Standing(end); ok && stands == at {
				place = end
				break
			}
		}
		for _, s := range sourcesOf(sectors, place, of) {
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
