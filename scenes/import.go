package scenes

import (
	"cmp"
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
	GeoJSON  Format = "geojson"  // features with a role, in metres or degrees
	SVG      Format = "svg"      // shapes with a role
)

// Units are what the coordinates of a file are in, where its format leaves that open, as GeoJSON does. Others take no notice.
type Units string

// The units of Import.
const (
	UnitsAuto    Units = "auto"    // as the file says, or as makes sense
	UnitsMetres  Units = "metres"  // metres of a plane
	UnitsDegrees Units = "degrees" // degrees of longitude and latitude
)

// ImportOptions say what a file leaves open.
type ImportOptions struct {
	// Units of GeoJSON's coordinates. Empty is UnitsAuto.
	Units Units
	// Scale is how many metres a unit of the file is: a unit of its coordinates, a cell of a grid. 0 is 1. Degrees have none. Limit: >= 0.
	Scale float64
}

// metres is the scale.
func (o ImportOptions) metres() float64 { return cmp.Or(o.Scale, 1) }

// Note is something worth knowing about an import: what the scene has otherwise than the file's author may think, or lacks.
type Note struct {
	// File as it was named to Import.
	File string
	// Line and Column of the place, both from 1. Columns count characters.
	Line, Column int
	Message      string
}

// String returns FILE:LINE:COLUMN: note: message.
func (n Note) String() string {
	return fmt.Sprintf("%s:%d:%d: note: %s", n.File, n.Line, n.Column, n.Message)
}

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
// Notes tell, in the order of the file, what became of it otherwise than its author may think. They come with a scene only.
//
// The format of scenes asks for a goal. Where the file has none the scene gets one
// source, in the largest connected piece of free ground: of the
// centroids of that piece's triangles (package geom) the one farthest from all
// walls, the first of several, rounded to as few decimals as move it by less than
// a hundredth of that distance. The same file gives the same scene everywhere.
//
// The error of a file that is malformed, or has no free ground, is *ImportError.
func Import(format Format, file string, data []byte, o ImportOptions) (*Scene, []Note, error) {
	i := slices.IndexFunc(importers, func(i importer) bool { return i.format == format })
	if i < 0 {
		return nil, nil, fmt.Errorf("scenes: unknown format %q: one of %v can be imported", format, Formats())
	}
	if !(o.Scale == 0 || o.Scale >= smallest && o.Scale <= largest) {
		return nil, nil, fmt.Errorf("scenes: a scale of %v m a unit: a finite number above 0 is needed", o.Scale)
	}
	o.Units = cmp.Or(o.Units, UnitsAuto)
	in := &source{file: file, data: fromUTF16(data), options: o}
	if len(data) > maxBytes {
		return nil, nil, in.wrong(0, "the file has %d bytes, at most %d (32 MiB) are read", len(data), maxBytes)
	}
	read, err := importers[i].read(in)
	if err != nil {
		return nil, nil, err
	}
	s, err := in.scene(read)
	if err != nil {
		return nil, nil, err
	}
	return s, in.notes(), nil
}

// scene makes the scene of what a file says.
func (s *source) scene(read *content) (*Scene, error) {
	blank := records[sceneType].blank.Interface().(Scene)
	scene := &Scene{
		Version: Version, Name: stem(s.file), Domain: read.domain, Obstacles: read.obstacles, Goals: read.goals, Groups: read.groups,
		Simulation: blank.Simulation, Map: blank.Map,
	}
	ground, err := scene.Ground()
	if err != nil {
		return nil, s.wrong(0, "no ground can be made of this: %s", plain(err))
	}
	if long := ground.Lattice.Length(); long < 1 && s.options.Units != UnitsMetres && s.options.Scale == 0 {
		s.remark(0, "the whole ground is %.2g m long: a unit of the file counts as a metre, and people are half a metre wide", long)
	}
	goal, free := freest(ground)
	if !free {
		return nil, s.wrong(0, "there is no free ground: everything is blocked, or narrower than %.3g m, a lattice step", ground.Lattice.Step)
	}
	if len(scene.Goals) == 0 {
		scene.Goals = []Goal{records[reflect.TypeFor[Goal]()].blank.Interface().(Goal)}
		scene.Goals[0].ID, scene.Goals[0].Points = "goal", []mgl64.Vec2{goal}
	}
	for i := range scene.Groups {
		scene.Groups[i].Profile, scene.Groups[i].Itinerary = DefaultProfile().ID, []string{scene.Goals[0].ID}
	}

	// Whoever gets the scene gets what writing and reading it would give.
	document, err := scene.Encode()
	if err != nil {
		return nil, s.wrong(0, "%s", strings.TrimPrefix(err.Error(), "scenes: "))
	}
	scene, problems := Read(s.file, document)
	for _, p := range problems {
		if !p.Note {
			return nil, s.wrong(0, "what comes of it is no sound scene: %s: %s", p.Path, p.Message)
		}
	}
	return scene, nil
}

// source is a file that is imported.
type source struct {
	file    string
	data    []byte
	options ImportOptions
	remarks []remark
}

// remark is what a note says, and where it is so.
type remark struct {
	message string
	at      int // the first place, an offset into the data
	more    int // places after it
}

// wrong returns the error of a place, given as an offset into the data.
func (s *source) wrong(at int, format string, args ...any) error {
	line, column := s.place(at)
	return &ImportError{File: s.file, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
}

// remark notes something about a place. What was said before is counted.
func (s *source) remark(at int, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	i := slices.IndexFunc(s.remarks, func(r remark) bool { return r.message == message })
	switch {
	case i >= 0:
		s.remarks[i].more++
	case len(s.remarks) < maxNotes:
		s.remarks = append(s.remarks, remark{message: message, at: at})
	}
}

// maxNotes is how many notes of a file are told.
const maxNotes = 100

// notes returns the remarks in the order of the file.
func (s *source) notes() []Note {
	slices.SortStableFunc(s.remarks, func(a, b remark) int { return cmp.Compare(a.at, b.at) })
	var list []Note
	for _, r := range s.remarks {
		n := Note{File: s.file, Message: r.message}
		n.Line, n.Column = s.place(r.at)
		if r.more > 0 {
			n.Message += fmt.Sprintf(" (here and in %d more places)", r.more)
		}
		list = append(list, n)
	}
	return list
}

// place returns the line and column of an offset into the data.
func (s *source) place(at int) (line, column int) {
	before := string(s.data[:at])
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}
