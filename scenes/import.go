package scenes

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Format is a file format, not our own, that Import reads.
type Format string

// The formats of Import.
const (
	WKT      Format = "wkt"      // well-known text: polygons are walkable ground, as in JuPedSim
	MovingAI Format = "movingai" // the grids of the MovingAI benchmark
	GeoJSON  Format = "geojson"  // features with a role, in planar coordinates
	SVG      Format = "svg"      // shapes with a role
)

// content is what a file says of a scene.
type content struct {
	domain    Rect
	obstacles []Obstacle
	goals     []Goal // none: Import finds a place for one
	groups    []Group
}

// importer is a format with the ending of its files and its reader.
type importer struct {
	format Format
	ending string
	read   func(*source) (*content, error)
}

// importers lists the formats, as Formats does.
var importers = []importer{
	{WKT, ".wkt", groundOnly(readWKT)},
	{MovingAI, ".map", groundOnly(readMovingAI)},
	{GeoJSON, ".geojson", readGeoJSON},
	{SVG, ".svg", readSVG},
}

// groundOnly makes the reader of a format that knows the ground alone: its
// bounding box, and what stands on it.
func groundOnly(read func(*source) (Rect, []geom.Polygon, error)) func(*source) (*content, error) {
	return func(in *source) (*content, error) {
		domain, polygons, err := read(in)
		return &content{domain: domain, obstacles: obstaclesOf(polygons)}, err
	}
}

func obstaclesOf(polygons []geom.Polygon) []Obstacle {
	var list []Obstacle
	for _, p := range polygons {
		o := Obstacle{Outline: p.Outer}
		for _, h := range p.Holes {
			o.Holes = append(o.Holes, h)
		}
		list = append(list, o)
	}
	return list
}

// Formats returns the formats that Import reads.
func Formats() []Format {
	var list []Format
	for _, i := range importers {
		list = append(list, i.format)
	}
	return list
}

// FormatOf returns the format that a file's ending, in any case, stands for: .wkt,
// .map, .geojson and .svg.
func FormatOf(file string) (Format, bool) {
	ending := strings.ToLower(filepath.Ext(file))
	for _, i := range importers {
		if i.ending == ending {
			return i.format, true
		}
	}
	return "", false
}

// ImportError is the error of a file that cannot be imported.
type ImportError struct {
	// File as it was named to Import.
	File string
	// Line and Column of the place, both from 1. Columns count characters.
	Line, Column int
	// Message says what is wrong and what is allowed.
	Message string
}

// Error returns the place and the message.
func (e *ImportError) Error() string {
	return fmt.Sprintf("scenes: %s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Import makes a scene of a file in another format. Like a scene that Read
// returns it is sound and whole. Its name is the file's, its domain the bounding
// box of what the file describes, without a margin, if the file names none.
//
// The format of scenes asks for a goal. Where the file has none the scene gets one
// source, in the largest connected piece of free ground: of the
// centroids of that piece's triangles (package geom) the one farthest from all
// walls, the first of several, rounded to as few decimals as move it by less than
// a hundredth of that distance. The same file gives the same scene everywhere.
//
// The error of a file that is malformed, or has no free ground, is *ImportError.
func Import(format Format, file string, data []byte) (*Scene, error) {
	i := slices.IndexFunc(importers, func(i importer) bool { return i.format == format })
	if i < 0 {
		return nil, fmt.Errorf("scenes: unknown format %q: one of %v can be imported", format, Formats())
	}
	in := &source{file, data}
	if len(data) > maxBytes {
		return nil, in.wrong(0, "the file has %d bytes, at most %d (32 MiB) are read", len(data), maxBytes)
	}
	read, err := importers[i].read(in)
	if err != nil {
		return nil, err
	}
	blank := records[sceneType].blank.Interface().(Scene)
	s := &Scene{
		Version: Version, Name: stem(file), Domain: read.domain, Obstacles: read.obstacles, Goals: read.goals, Groups: read.groups,
		Simulation: blank.Simulation, Map: blank.Map,
	}
	ground, err := s.Ground()
	if err != nil {
		return nil, in.wrong(0, "no ground can be made of this: %s", plain(err))
	}
	goal, free := freest(ground)
	if !free {
		return nil, in.wrong(0, "there is no free ground: everything is blocked, or narrower than %v m, a lattice step", ground.Lattice.Step)
	}
	if len(s.Goals) == 0 {
		s.Goals = []Goal{records[reflect.TypeFor[Goal]()].blank.Interface().(Goal)}
		s.Goals[0].ID, s.Goals[0].Points = "goal", []mgl64.Vec2{goal}
	}
	for i := range s.Groups {
		s.Groups[i].Profile, s.Groups[i].Itinerary = DefaultProfile().ID, []string{s.Goals[0].ID}
	}

	// Whoever gets the scene gets what writing and reading it would give.
	document, err := s.Encode()
	if err != nil {
		return nil, in.wrong(0, "%s", strings.TrimPrefix(err.Error(), "scenes: "))
	}
	s, problems := Read(file, document)
	for _, p := range problems {
		if !p.Note {
			return nil, in.wrong(0, "what comes of it is no sound scene: %s: %s", p.Path, p.Message)
		}
	}
	return s, nil
}

// source is a file that is imported.
type source struct {
	file string
	data []byte
}

// wrong returns the error of a place, given as an offset into the data.
func (s *source) wrong(at int, format string, args ...any) error {
	before := string(s.data[:at])
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return &ImportError{File: s.file, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
}
