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
// touch has several sectors, and is as many sources. The light field of a source segment is a
// source, too: its sector is of kind geom.SectorLightField and goes from At to To.
type Source struct {
	Sector   geom.Sector
	Position mgl64.Vec2 // world, meters, as given: only sight is decided on the lattice
	Of       int        // index in Goal.Points, then in Goal.Segments
}

// LightField returns the light field that a source is, and whether it is one.
func (s Source) LightField() (geom.LightField, bool) { return lightFieldOf(s.Sector) }

// lightFieldOf is the light field in a sector's place, if there is one.
func lightFieldOf(s geom.Sector) (geom.LightField, bool) {
	return geom.LightField{A: s.At, B: s.To}, s.Kind == geom.SectorLightField
}

// Sources finds all sources of a goal: points in order, the ends of source segments, and then the
// light fields, so that of equals points come first. A point within geom.SnapSlack of free ground
// counts as on its wall, since snapping may have moved the wall over it. Errors are of type
// *SourceError.
func Sources(g *geom.Ground, goal Goal) ([]Source, error) {
	var all, fields []Source
	for i, p := range goal.Points {
		if !g.Lattice.Contains(p) { // false for NaN too
			return nil, &SourceError{i, p, "lies outside the domain"}
		}
		at, ok := g.Standing(p)
		if !ok {
			return nil, &SourceError{i, p, "lies inside an obstacle"}
		}
		for _, s := range g.Sectors(at) {
			all = append(all, Source{s, p, i})
		}
	}
	for i, s := range goal.Segments {
		of := len(goal.Points) + i
		for _, p := range s {
			if !g.Lattice.Contains(p) {
				return nil, &SourceError{of, p, "is the end of a segment and lies outside the domain"}
			}
		}
		segments := g.SourceSegments(s[0], s[1])
		if segments == nil {
			return nil, &SourceError{of, s[0], "is the end of a segment that lies inside obstacles"}
		}
		all = append(all, segmentEnds(g, segments, s, of)...)
		for _, l := range segments {
			for _, b := range l.LightFields() {
				sector := geom.Sector{At: b.A, From: b.A, To: b.B, Kind: geom.SectorLightField}
				fields = append(fields, Source{sector, g.Lattice.World(b.A), of})
			}
		}
	}
	return append(all, fields...), nil
}

// segmentEnds are the sources at the ends of the source segments of a segment: in the sectors that
// a source segment goes into. Ends that two share are there once. The ends that the segment was
// given by keep their places.
func segmentEnds(g *geom.Ground, segments []geom.SourceSegment, given [2]mgl64.Vec2, of int) (all []Source) {
	add := func(at geom.Point, sectors []geom.Sector) {
		place := g.Place(at)
		for _, end := range given {
			if stands, ok := g.Standing(end); ok && stands == at {
				place = end
				break
			}
		}
		for _, s := range sectors {
			if s := (Source{s, place, of}); !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	for _, l := range segments {
		if l.A == l.B {
			add(l.A, g.Sectors(l.A))
			continue
		}
		add(l.A, g.SectorsTowards(l.A, l.B))
		add(l.B, g.SectorsTowards(l.B, l.A))
	}
	return all
}
