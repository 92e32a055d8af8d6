// Package document has a scene with its text, so that problems found after reading have a place.
package document

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/scenes/formats"
	"github.com/wayfront/wayfront/spm"
)

// Document is a scene with its text, so that problems found after reading have a place in it.
type Document struct {
	*scenes.Scene
	File  string           // for messages
	Notes []scenes.Problem // of reading, which are no errors
	data  []byte
}

// Load reads a scene by file name or built-in name. The error of a file that is no sound scene is
// *scenes.Invalid, or names the remedy if its ending is that of an import format.
func Load(nameOrFile string) (*Document, error) {
	defer console.NewProgress(os.Stderr, "reading the scene", 0).Done()
	file, data, err := builtin.Open(nameOrFile)
	if err != nil {
		return nil, err
	}
	scene, problems := scenes.Read(file, data)
	if format := formats.OfFile(file); scene == nil && format != nil {
		return nil, fmt.Errorf("%s is %s, not a scene: make one of it with navview convert %[1]s %[3]s",
			file, format.Name, strings.TrimSuffix(file, filepath.Ext(file))+".json")
	}
	if scene == nil {
		return nil, &scenes.Invalid{File: file, Problems: problems}
	}
	return &Document{scene, file, problems, data}, nil
}

// problem returns a problem at a path of the document.
func (d *Document) problem(message string, path ...any) scenes.Problem {
	return scenes.ProblemAt(d.File, d.data, message, path...)
}

// MapSize returns the size of the scene's maps, checked against the limit of package spm.
func (d *Document) MapSize() (int, error) {
	if size := d.Map.Size; size > spm.MaxSize {
		p := d.problem(fmt.Sprintf("size has to be at most %d texels, got %d", spm.MaxSize, size), "map", "size")
		return 0, &scenes.Invalid{File: d.File, Problems: []scenes.Problem{p}}
	}
	return d.Map.Size, nil
}

// Explain adds to an error of engine.New which fields of the scene cause it.
func (d *Document) Explain(err error) error {
	if full := (*gpu.CapacityError)(nil); errors.As(err, &full) {
		return d.TooLarge(err, d.Map.Size, len(d.Goals), "map.size, the number of goals or that of people")
	}
	var room *spawn.RoomError
	if !errors.As(err, &room) {
		return err
	}
	crowded, e := d.crowded()
	if e != nil {
		return err
	}
	return &scenes.Invalid{File: d.File, Problems: crowded}
}

// texelBytes is the memory of a texel of a map: a generator index and four floats.
const texelBytes = 4 + 16

// TooLarge adds to a capacity error the memory of the maps and what to lower.
func (d *Document) TooLarge(err error, size, goals int, lower string) error {
	var full *gpu.CapacityError
	var ground *spm.GroundError
	switch {
	case !errors.As(err, &full):
		return err
	case errors.As(err, &ground) && goals > 1:
		return fmt.Errorf("%w; this does not depend on the size of maps: give fewer goals, or obstacles with fewer corners", err)
	case errors.As(err, &ground):
		return fmt.Errorf("%w; this does not depend on the size of the map: give obstacles with fewer corners, or the goal fewer sources", err)
	case full.Unit == "layers":
		return fmt.Errorf("%w; every goal has a layer of its own: give at most %s", err, console.Count(full.Limit, "goal", "goals"))
	}
	domain := d.Max().Sub(d.Min())
	extent := spm.NewExtent(domain[0], domain[1], size)
	maps := "a map"
	if goals > 1 {
		maps = fmt.Sprintf("each of %d maps", goals)
	}
	return fmt.Errorf("%w; %s of %d x %d texels takes %.2g GiB, %d bytes a texel: lower %s", err, maps, extent.Columns, extent.Rows,
		texelBytes*float64(extent.Columns)*float64(extent.Rows)/(1<<30), texelBytes, lower)
}

// Refusals returns the problems that reading cannot detect and other verbs would refuse.
func (d *Document) Refusals() ([]scenes.Problem, error) {
	found, err := d.crowded()
	if err != nil {
		return nil, err
	}
	var large *scenes.Invalid
	if _, err := d.MapSize(); errors.As(err, &large) {
		found = append(found, large.Problems...)
	}
	sorted(found)
	return found, nil
}

// crowded returns the groups that do not fit their spawn areas. Each is judged without the groups
// that do not fit.
func (d *Document) crowded() ([]scenes.Problem, error) {
	ground, err := d.Ground()
	if err != nil {
		return nil, err
	}
	walls := geom.NewWallGrid(ground)
	scene := *d.Scene
	scene.Groups = slices.Clone(d.Groups)
	var found []scenes.Problem
	for {
		_, err := spawn.Agents(&scene, ground, walls)
		if err == nil {
			sorted(found)
			return found, nil
		}
		var room *spawn.RoomError
		if !errors.As(err, &room) {
			return nil, err
		}
		group := slices.IndexFunc(scene.Groups, func(g scenes.Group) bool { return g.ID == room.Group })
		found = append(found, d.problem(strings.TrimPrefix(room.Error(), "agents: "), "groups", group, "spawn"))
		scene.Groups[group].Count = 0
	}
}

// sorted sorts problems by their place in the document.
func sorted(problems []scenes.Problem) {
	slices.SortStableFunc(problems, func(a, b scenes.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// GoalByID returns the index of a goal, of the first one for "". The error is *console.UsageError.
func (d *Document) GoalByID(id string) (int, error) {
	ids := make([]string, len(d.Goals))
	for i, g := range d.Goals {
		if ids[i] = g.ID; id == "" || id == g.ID {
			return i, nil
		}
	}
	return 0, console.Usagef("--goal %s: the scene has no such goal, but: %s", console.Quoted(id), console.QuotedList(ids))
}
