package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Format is a file format that scenes are imported from, or exported to.
type Format struct {
	// Name of the format, as --from has it, and the ending of its files.
	Name, Ending string
	// Help describes how an import takes a file, as part of a command's help.
	Help string
	// Read returns the domain, obstacles, goals and groups of a file, of which Complete makes a scene;
	// nil where the source has failed.
	Read func(*Source) *scenes.Scene
	// Write returns a scene in the format, and what of the scene the format cannot hold. nil where
	// scenes are not exported.
	Write func(*scenes.Scene) (data []byte, lost []string, err error)
	// Geographic reports whether coordinates may be degrees of longitude and latitude.
	Geographic bool
	// Layered reports whether shapes lie on layers, which Options.Layers gives roles.
	Layered bool
}

// Units are the unit of a file's coordinates, where its format leaves that open. Others ignore
// them.
type Units string

// The values of Units.
const (
	UnitsAuto    Units = "auto"    // as the file says, or as makes sense
	UnitsMetres  Units = "metres"  // meters of a plane
	UnitsDegrees Units = "degrees" // degrees of longitude and latitude
)

// Options say what a file leaves open.
type Options struct {
	// Units of coordinates. Empty is UnitsAuto.
	Units Units
	// Scale is the number of meters of a unit of the file: a unit of its coordinates, a cell of a
	// grid. 0 is 1. Degrees have none. Limit: >= 0.
	Scale float64
	// Layers are the roles of layers by name, in any case. Others have the role that their name says.
	Layers map[string]Role
}

// Meters returns the scale, 1 where none is given.
func (o Options) Meters() float64 { return cmp.Or(o.Scale, 1) }

// Error is the error of a file that cannot be imported, with its place.
type Error struct{ scenes.Problem }

// Error returns the place and the message.
func (e *Error) Error() string { return "scenes: " + e.String() }

// Source is a file that is imported.
type Source struct {
	text.File
	Options Options
	Err     error // the first, see Fail
	notes   []note
}

// note is a message, its first place, an offset into the data, and the number of places after it.
type note struct {
	message  string
	at, more int
}

// NewSource returns a file to be read: without its byte order mark, and as UTF-8 where the mark is
// that of UTF-16.
func NewSource(file string, data []byte, o Options) (*Source, error) {
	if !(o.Scale == 0 || o.Scale >= text.Smallest && o.Scale <= text.Largest) {
		return nil, fmt.Errorf("scenes: a scale of %v m a unit: a finite number above 0 is needed", o.Scale)
	}
	plain := bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		plain = Decoded(unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM), data)
	}
	s := &Source{File: text.File{Name: file, Data: plain}, Options: o}
	if len(data) > text.MaxBytes {
		s.Fail(0, "the file has %d bytes, at most %d (32 MiB) are read", len(data), text.MaxBytes)
	}
	return s, s.Err
}

// Decoded returns a text of an encoding in UTF-8. What is invalid becomes U+FFFD.
func Decoded(e encoding.Encoding, data []byte) []byte {
	text, err := e.NewDecoder().Bytes(data)
	if err != nil {
		panic("plan: a text that cannot be decoded: " + err.Error())
	}
	return text
}

func (s *Source) problem(at int, message string) scenes.Problem {
	p := scenes.Problem{File: s.Name, Message: message}
	p.Line, p.Column = s.Place(at)
	return p
}

// Fail sets the error of a place, given as an offset into the data, unless there is one.
func (s *Source) Fail(at int, format string, args ...any) {
	if s.Err == nil {
		s.Err = &Error{s.problem(at, fmt.Sprintf(format, args...))}
	}
}

// Notef notes something about a place. Repeated messages are counted.
func (s *Source) Notef(at int, format string, args ...any) {
	const most = 100 // notes of a file
	message := fmt.Sprintf(format, args...)
	i := slices.IndexFunc(s.notes, func(n note) bool { return n.message == message })
	switch {
	case i >= 0:
		s.notes[i].more++
	case len(s.notes) < most:
		s.notes = append(s.notes, note{message: message, at: at})
	}
}

// Notes returns the notes in the order of the file.
func (s *Source) Notes() (list []scenes.Problem) {
	slices.SortStableFunc(s.notes, func(a, b note) int { return cmp.Compare(a.at, b.at) })
	for _, n := range s.notes {
		p := s.problem(n.at, n.message)
		if p.Note = true; n.more > 0 {
			p.Message += fmt.Sprintf(" (here and in %d more places)", n.more)
		}
		list = append(list, p)
	}
	return list
}

// Ground returns the scene of a format that describes obstacles alone.
func Ground(domain scenes.Rect, obstacles []geom.Polygon) *scenes.Scene {
	s := scenes.New(domain)
	s.Obstacles = obstaclesOf(obstacles)
	return s
}

func obstaclesOf(polygons []geom.Polygon) (list []scenes.Obstacle) {
	for _, p := range polygons {
		o := scenes.Obstacle{Outline: p.Outer}
		for _, h := range p.Holes {
			o.Holes = append(o.Holes, h)
		}
		list = append(list, o)
	}
	return list
}

// Complete names a scene, gives it a goal where it has none, and returns what writing and reading it
// gives, or fails.
func (s *Source) Complete(scene *scenes.Scene) *scenes.Scene {
	scene.Name = text.Stem(s.Name)
	ground, err := scene.Ground()
	if err != nil {
		s.Fail(0, "no ground can be made of this: %s", text.Plain(err))
		return nil
	}
	if long := ground.Lattice.Length(); long < 1 && s.Options.Units != UnitsMetres && s.Options.Scale == 0 {
		s.Notef(0, "the whole ground is %.2g m long: a unit of the file counts as a meter, and people are half a meter wide", long)
	}
	goal, free := freest(ground)
	if !free {
		s.Fail(0, "there is no free ground: everything is blocked, or narrower than %.3g m, a lattice step", ground.Lattice.Step)
		return nil
	}
	if len(scene.Goals) == 0 {
		scene.Goals = []scenes.Goal{scenes.Default[scenes.Goal]()}
		scene.Goals[0].ID, scene.Goals[0].Points = "goal", []mgl64.Vec2{goal}
	}
	document, err := scene.Encode()
	if err != nil {
		s.Fail(0, "%s", text.Plain(err))
		return nil
	}
	scene, problems := scenes.Read(s.Name, document)
	for _, p := range problems {
		if !p.Note {
			s.Fail(0, "what comes of it is no sound scene: %s: %s", p.Path, p.Message)
		}
	}
	return scene
}
