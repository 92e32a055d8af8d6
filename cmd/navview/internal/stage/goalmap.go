package stage

import (
	"fmt"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// MapFlags are the flags of verbs that build one goal's map.
type MapFlags struct {
	Scene  string  `arg:"" help:"A file, a built-in scene, or - for standard input."`
	Goal   string  `placeholder:"ID" help:"The goal whose map is built. The scene's first goal if not given."`
	Size   *int    `placeholder:"N" help:"Texels along the longer side of the domain. The scene's own if not given."`
	Method *string `enum:"wavefront,sequential" placeholder:"NAME" help:"How the map is built: ${enum} (default: wavefront)."`
}

// Validate checks the size.
func (f MapFlags) Validate() error {
	if f.Size != nil && (*f.Size < 1 || *f.Size > spm.MaxSize) {
		return fmt.Errorf("--size %d: 1 to %d texels", *f.Size, spm.MaxSize)
	}
	return nil
}

// GoalMap is the map of one goal, in a layer of its own.
type GoalMap struct {
	*spm.Map
	builder *spm.Builder
	Goal    scenes.Goal
	Open    *geom.Ground // of the same obstacles, without clearance
}

// Load reads the scene and finds the goal.
func (f MapFlags) Load() (*Document, scenes.Goal, error) {
	doc, err := Load(f.Scene)
	if err != nil {
		return nil, scenes.Goal{}, err
	}
	goal, err := goalOf(doc.Scene, f.Goal)
	return doc, goal, err
}

// goalOf returns the goal with an id, or the first goal for "".
func goalOf(scene *scenes.Scene, id string) (scenes.Goal, error) {
	if id == "" {
		return scene.Goals[0], nil
	}
	if goal, ok := scene.Goal(id); ok {
		return goal, nil
	}
	ids := make([]string, len(scene.Goals))
	for i, g := range scene.Goals {
		ids[i] = g.ID
	}
	return scenes.Goal{}, console.Usagef("--goal %s: the scene has no such goal, but: %s", console.Quoted(id), console.QuotedList(ids))
}

// Partial is the flag of a map that is built in part.
type Partial struct {
	Steps int `placeholder:"N" help:"Stop after the N nearest sources and corners have cast their cones, by method sequential: how a map comes about."`
}

// Validate checks the number of steps.
func (s Partial) Validate() error {
	if s.Steps < 0 {
		return fmt.Errorf("--steps %d: at least 1, or 0 for all", s.Steps)
	}
	return nil
}

// Build builds the map at time 0, on the ground of the goal's clearance, for as many steps as
// given; without fields it is for views only.
func (f MapFlags) Build(s *console.Session, d *gpu.Device, doc *Document, goal scenes.Goal, most Partial, fields bool) (*GoalMap, error) {
	var size int
	var err error
	if f.Size != nil {
		size = *f.Size
	} else if size, err = doc.MapSize(); err != nil {
		return nil, err
	}
	open, err := doc.Ground()
	if err != nil {
		return nil, err
	}
	clear, err := doc.GroundAt(0, goal.Clearance)
	if err != nil {
		return nil, err
	}
	method := spm.Wavefront
	if most.Steps > 0 {
		method = spm.Sequential
	} else if f.Method != nil {
		if method, err = spm.ParseMethod(*f.Method); err != nil {
			return nil, err
		}
	}
	builder, err := spm.NewBuilder(d, method)
	if err != nil {
		return nil, err
	}
	if most.Steps > 0 {
		builder.Stop(most.Steps)
	}
	if !fields {
		builder.SkipFields()
	}
	sources := goal.SourcesOn(open, clear)
	if method == spm.Sequential {
		cones := len(sources.Points) + 3*len(sources.Segments) + len(clear.Corners) // a segment is its ends and what is between
		if most.Steps > 0 {
			cones = min(cones, most.Steps)
		}
		domain := doc.Max().Sub(doc.Min())
		defer watchBuild(s, builder, cones, spm.NewExtent(domain[0], domain[1], size)).Done()
	} else {
		defer console.NewProgress(s.Stderr, "map", 0).Done()
	}
	m, err := NewMap(builder, clear, doc.Scene, []spm.Goal{{Points: sources.Points, Segments: sources.Segments}}, size)
	if err != nil {
		builder.Delete()
		lower := "map.size, or give a smaller --size"
		if f.Size != nil {
			lower = "--size"
		}
		return nil, doc.tooLarge(err, size, 1, lower)
	}
	return &GoalMap{m, builder, goal, open}, nil
}

// watchBuild reports the progress of a sequential build of so many cones. Off a terminal a long one
// is announced.
func watchBuild(s *console.Session, b *spm.Builder, cones int, e spm.Extent) *console.Progress {
	const long = 1e9 // texels shaded: some ten seconds on two cores of a software renderer
	bar := console.NewProgress(s.Stderr, "map", cones)
	if bar.Bar == nil && float64(cones)*float64(e.Columns)*float64(e.Rows) > long {
		s.Note("method sequential shades %d x %d texels for each of %s: this takes long; method wavefront, the default, does not",
			e.Columns, e.Rows, console.Count(cones, "source and corner", "sources and corners"))
	}
	b.Watch(func(int, int) { bar.Step() })
	return bar
}

// SpmGoal converts a scene's goal without clearance to one of package spm.
func SpmGoal(g scenes.Goal) spm.Goal { return spm.Goal{Points: g.Points, Segments: Ends(g.Segments)} }

// NewMap builds maps of goals, a layer each, in one batch.
func NewMap(b *spm.Builder, ground *geom.Ground, scene *scenes.Scene, goals []spm.Goal, size int) (*spm.Map, error) {
	room, err := spm.SourceCount(ground, goals...)
	if err != nil {
		return nil, err
	}
	domain := scene.Max().Sub(scene.Min())
	spec := spm.MapSpec{Extent: spm.NewExtent(domain[0], domain[1], size), Sources: room}
	changes := make([]spm.Change, len(goals))
	for i, goal := range goals {
		spec.Grounds = append(spec.Grounds, ground)
		changes[i] = spm.Change{Layer: i, Goal: goal}
	}
	m, err := b.NewMap(spec)
	if err != nil {
		return nil, err
	}
	if err := b.Build(m, changes...); err != nil {
		m.Delete()
		return nil, err
	}
	return m, nil
}

// Free frees the map and its builder.
func (m *GoalMap) Free() {
	m.Delete()
	m.builder.Delete()
}
