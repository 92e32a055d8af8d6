// Package goalmap builds the shortest path map of one goal, for the verbs that write or query it.
package goalmap

import (
	"fmt"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// Flags are the flags of verbs that build one goal's map.
type Flags struct {
	Scene  string  `arg:"" help:"A file, a built-in scene, or - for standard input."`
	Goal   string  `placeholder:"ID" help:"The goal whose map is built. The scene's first goal if not given."`
	Size   *int    `placeholder:"N" help:"Texels along the longer side of the domain. The scene's own if not given."`
	Method *string `enum:"wavefront,sequential" placeholder:"NAME" help:"How the map is built: ${enum} (default: wavefront)."`
}

// Validate checks the size.
func (f Flags) Validate() error {
	if f.Size != nil && (*f.Size < 1 || *f.Size > spm.MaxSize) {
		return fmt.Errorf("--size %d: 1 to %d texels", *f.Size, spm.MaxSize)
	}
	return nil
}

// Load reads the scene and finds the goal.
func (f Flags) Load() (*document.Document, scenes.Goal, error) {
	doc, err := document.Load(f.Scene)
	if err != nil {
		return nil, scenes.Goal{}, err
	}
	i, err := doc.GoalByID(f.Goal)
	return doc, doc.Goals[i], err
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

// Build builds the map at time 0, on the ground of the goal's clearance, and returns with it the
// ground of the same obstacles without clearance. With steps above 0 it is built in part; without
// fields it is for views only.
func (f Flags) Build(
	s *console.Session, d *gpu.Device, doc *document.Document, goal scenes.Goal, steps int, fields bool,
) (*spm.Map, *geom.Ground, error) {
	size, err := doc.MapSize()
	lower := "map.size, or give a smaller --size"
	if f.Size != nil {
		size, err, lower = *f.Size, nil, "--size"
	}
	if err != nil {
		return nil, nil, err
	}
	open, err := doc.GroundFor(0, scenes.Passage{Staff: goal.Staff})
	if err != nil {
		return nil, nil, err
	}
	clear, err := doc.GroundFor(0, goal.Passage())
	if err != nil {
		return nil, nil, err
	}
	method := spm.Wavefront
	if steps > 0 {
		method = spm.Sequential
	} else if f.Method != nil {
		if method, err = spm.ParseMethod(*f.Method); err != nil {
			return nil, nil, err
		}
	}
	builder, err := spm.NewBuilder(d, method)
	if err != nil {
		return nil, nil, err
	}
	defer builder.Delete()
	if !fields {
		builder.SkipFields()
	}
	sources := goal.SourcesOn(open, clear)
	if method == spm.Sequential {
		// A segment is its ends and what is between.
		cones := len(sources.Points) + 3*len(sources.Segments) + len(clear.Corners)
		if steps > 0 {
			builder.Stop(steps)
			cones = min(cones, steps)
		}
		domain := doc.Max().Sub(doc.Min())
		defer watchBuild(s, builder, cones, spm.NewExtent(domain[0], domain[1], size)).Done()
	} else {
		defer console.NewProgress(s.Stderr, "map", 0).Done()
	}
	m, err := New(builder, clear, doc.Scene, []spm.Goal{{Points: sources.Points, Segments: sources.Segments}}, size)
	if err != nil {
		return nil, nil, doc.TooLarge(err, size, 1, lower)
	}
	return m, open, nil
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

// New builds maps of goals, a layer each, in one batch.
func New(b *spm.Builder, ground *geom.Ground, scene *scenes.Scene, goals []spm.Goal, size int) (*spm.Map, error) {
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
