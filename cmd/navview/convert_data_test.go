//go:build data

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/goalmap"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats"
	"github.com/wayfront/wayfront/scenes/scenestest"
	"github.com/wayfront/wayfront/spm"
	"github.com/wayfront/wayfront/spm/exact"
)

// These tests run on real worlds that are not part of the project: make test-data DATA=FOLDER.

// dataFolder is the folder that DATA names.
func dataFolder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("DATA")
	if folder == "" {
		t.Fatal("DATA is not set: run make test-data DATA=FOLDER, with the folder that holds worlds/ and paths/")
	}
	return folder
}

// withBuilder hands in a device of its own, and the default method's builder.
func withBuilder(t *testing.T, f func(d *gpu.Device, b *spm.Builder)) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := device.With(&console.Session{}, func(h *device.Host) error {
		b, err := spm.NewBuilder(h.Device, spm.Wavefront)
		if err != nil {
			return err
		}
		defer b.Delete()
		f(h.Device, b)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// buildRuns is how often a build is timed, after one that is not.
const buildRuns = 5

// TestDataWorlds imports every file under worlds, builds the map of its goal and holds it against a
// computation from scratch.
func TestDataWorlds(t *testing.T) {
	root := filepath.Join(dataFolder(t), "worlds")
	var files []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no files in %s", root)
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "file\tbytes\timport ms\tobstacles\tvertices\tcorners\tground ms\tmap ms\treached %\t")
	withBuilder(t, func(d *gpu.Device, b *spm.Builder) {
		for _, file := range files {
			// No subtests: they run on goroutines, and the context belongs to this one's thread.
			if err := dataWorld(d, b, w, file); err != nil {
				t.Errorf("%s: %v", filepath.Base(file), err)
			}
		}
	})
	w.Flush()
	fmt.Printf("\n%s\n", table.String())
}

// dataWorld takes one file through all of it and writes its row of the table.
func dataWorld(d *gpu.Device, b *spm.Builder, w io.Writer, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	format := formats.OfFile(file)
	if format == nil {
		return fmt.Errorf("no format has files that end in %s", filepath.Ext(file))
	}
	begin := time.Now()
	scene, _, err := formats.Import(format, file, data, formats.Options{})
	if err != nil {
		return err
	}
	importing := time.Since(begin)
	document, err := scene.Encode()
	if err != nil {
		return err
	}
	again, problems := scenes.Read(file, document)
	if again == nil || len(problems) > 0 {
		return fmt.Errorf("what was written is refused, or noted: %v", problems)
	}

	// From the scene in memory to the finished map.
	var grounds, maps []float64
	var m *spm.Map
	for range buildRuns + 1 {
		if m != nil {
			m.Delete()
		}
		begin := time.Now()
		ground, err := scene.Ground()
		if err != nil {
			return err
		}
		between := time.Now()
		if m, err = goalmap.New(b, ground, scene, []spm.Goal{{Points: scene.Goals[0].Points, Segments: scene.Goals[0].Segments}}, scene.Map.Size); err != nil {
			return err
		}
		d.Finish()
		grounds = append(grounds, console.Milliseconds(between.Sub(begin)))
		maps = append(maps, console.Milliseconds(time.Since(between)))
	}
	defer m.Delete()
	// Each texel's state, and every 16th along both sides against the reference in float64.
	if err := m.Validate(0, 16); err != nil {
		return err
	}
	field := make([][4]float32, m.Extent.Columns*m.Extent.Rows)
	m.Field.Read(0, field)
	free, reached := 0, 0
	for _, texel := range field {
		switch spm.State(texel[3]) {
		case spm.Reached:
			reached++
			free++
		case spm.Unreached:
			free++
		}
	}
	if 2*reached < free {
		return fmt.Errorf("%d of %d free texels are reached: the goal is to be in the largest piece", reached, free)
	}
	fmt.Fprintf(w, "%s\t%d\t%.1f\t%d\t%d\t%d\t%.1f\t%.1f\t%.1f\t\n", filepath.Base(file), len(data), console.Milliseconds(importing),
		len(scene.Obstacles), scene.Vertices(), len(m.Ground(0).Corners), median(grounds[1:]), median(maps[1:]), 100*float64(reached)/float64(free))
	return nil
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// TestDataPaths holds known lengths of shortest paths, from their start to their end: those of maps
// from the GPU and those of the reference. The lengths are rounded: to 1e-4, which comes to the
// promise of package spm.
func TestDataPaths(t *testing.T) {
	const rounding = 1e-4
	folder := filepath.Join(dataFolder(t), "paths")
	text, err := os.ReadFile(filepath.Join(folder, "arena.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	table, err := os.Open(filepath.Join(folder, "arena.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	rows, err := csv.NewReader(table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	type known struct {
		to     mgl64.Vec2
		length float64
	}
	var starts []mgl64.Vec2
	from := map[mgl64.Vec2][]known{}
	for i, row := range rows {
		if len(row) != 5 {
			t.Fatalf("row %d: %v", i+1, row)
		}
		var v [5]float64
		for k := range v {
			if v[k], err = strconv.ParseFloat(row[k], 64); err != nil {
				t.Fatalf("row %d: %v", i+1, err)
			}
		}
		start := mgl64.Vec2{v[0], v[1]}
		if from[start] == nil {
			starts = append(starts, start)
		}
		from[start] = append(from[start], known{mgl64.Vec2{v[2], v[3]}, v[4]})
	}
	if len(rows) != 160 {
		t.Errorf("%d known lengths, want 160", len(rows))
	}
	// The scene has no goal of its own; each start is one.
	var goals []map[string]any
	for _, p := range starts {
		goals = append(goals, map[string]any{"points": []mgl64.Vec2{p}})
	}
	document["goals"] = goals
	if text, err = json.Marshal(document); err != nil {
		t.Fatal(err)
	}
	scene := scenestest.Read(t, "arena.json", text)
	ground, err := scene.Ground()
	if err != nil {
		t.Fatal(err)
	}
	worst := map[string]float64{}
	withBuilder(t, func(_ *gpu.Device, b *spm.Builder) {
		for i, start := range starts {
			m, err := goalmap.New(b, ground, scene, []spm.Goal{{Points: scene.Goals[i].Points, Segments: scene.Goals[i].Segments}}, 64)
			if err != nil {
				t.Fatal(err)
			}
			reference, err := exact.Solve(ground, spm.Goal{Points: []mgl64.Vec2{start}})
			if err != nil {
				t.Fatal(err)
			}
			for name, view := range map[string]*spm.View{"wavefront": m.View(0), "reference": reference} {
				for _, k := range from[start] {
					got := view.Query(k.to).Distance
					off := math.Abs(got - k.length)
					if !(off <= rounding+view.Tolerance(k.length)) {
						t.Errorf("%s: from %v to %v it is %v m, known are %v m", name, start, k.to, got, k.length)
					}
					worst[name] = max(worst[name], off)
				}
			}
			m.Delete()
		}
	})
	fmt.Printf("\n%d known lengths from %d starts; worst error: wavefront %.2g m, reference %.2g m\n\n", len(rows), len(starts), worst["wavefront"], worst["reference"])
}
