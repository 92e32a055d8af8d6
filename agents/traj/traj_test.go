package traj

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/parquet-go/parquet-go"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes"
)

// run is of a scene of 20 x 10 m with a wall, and a door in it from 1 s on.
func run(every int) Run {
	return Run{Every: every, Scene: &scenes.Scene{
		Name: "hall", Domain: scenes.Rect{-10, 0, 10, 10},
		Groups:     []scenes.Group{{ID: "left"}, {ID: `a,"b"`}},
		Simulation: scenes.Simulation{Timestep: 0.1},
		Obstacles: []scenes.Obstacle{
			{Rect: &scenes.Rect{-1, 0, 1, 4}},
			{Rect: &scenes.Rect{-1, 6, 1, 10}},
			{Rect: &scenes.Rect{-1, 4, 1, 6}, Open: []scenes.Interval{{1, 2}}},
		},
	}}
}

// walk is frames of agents that come and go. The frame before the last is empty.
func walk(every int) []measure.Frame {
	rnd := rand.New(rand.NewPCG(1, 2))
	var frames []measure.Frame
	for k := range 12 {
		f := measure.Frame{Time: float64(k*every) * 0.1}
		for id := range 30 {
			if k == 10 || k < id%5 || k > 6+id%7 && k < 11 {
				continue
			}
			f.Walkers = append(f.Walkers, measure.Walker{
				ID: id, Group: id % 2, At: mgl64.Vec2{20*rnd.Float64() - 10, 10 * rnd.Float64()},
				Velocity: mgl64.Vec2{rnd.NormFloat64(), rnd.NormFloat64()},
			})
		}
		frames = append(frames, f)
	}
	return frames
}

func write(t *testing.T, f Format, r Run, frames []measure.Frame) []byte {
	t.Helper()
	var out bytes.Buffer
	w := f.New(&out)
	if err := w.Begin(r); err != nil {
		t.Fatal(err)
	}
	for _, frame := range frames {
		if err := w.Frame(frame); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(true); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestRoundTrip: what is written is read again, but for digits behind those that a format keeps.
func TestRoundTrip(t *testing.T) {
	for _, f := range Formats {
		t.Run(f.Name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run"+f.Ending)
			frames := walk(3)
			if err := os.WriteFile(path, write(t, f, run(3), frames), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := Read(path)
			if err != nil {
				t.Fatal(err)
			}
			var want []measure.Frame
			for _, frame := range frames {
				if len(frame.Walkers) > 0 || f.Name == "sqlite" || f.Name == "parquet" { // text has no row for an empty frame
					want = append(want, frame)
				}
			}
			if len(got.Frames) != len(want) {
				t.Fatalf("%d frames, want %d", len(got.Frames), len(want))
			}
			grouped := f.Name != "peda"
			for k, frame := range want {
				have := got.Frames[k]
				if len(have.Walkers) != len(frame.Walkers) || math.Abs(have.Time-frame.Time) > 1e-9 {
					t.Fatalf("frame %d has %d agents at %v s, want %d at %v s", k, len(have.Walkers), have.Time, len(frame.Walkers), frame.Time)
				}
				for i, w := range frame.Walkers {
					v := have.Walkers[i]
					if v.ID != w.ID || v.At.Sub(w.At).Len() > 1e-6 {
						t.Fatalf("frame %d: %+v, want %+v", k, v, w)
					}
					if !grouped {
						continue // and velocities are computed
					}
					if v.Velocity.Sub(w.Velocity).Len() > 1e-6 || got.Groups[v.Group] != run(3).Scene.Groups[w.Group].ID {
						t.Fatalf("frame %d: %+v of group %q, want %+v", k, v, got.Groups[v.Group], w)
					}
				}
			}
		})
	}
}

// TestText compares files of text with what they should be: names of groups are quoted where they
// have to be, and times have no rounding errors of multiples of the time step.
func TestText(t *testing.T) {
	step := 0.1 // so that 3 * step is 0.30000000000000004
	frames := []measure.Frame{{}, {Time: 3 * step, Walkers: []measure.Walker{
		{ID: 2, At: mgl64.Vec2{5e6 + 0.25, -1}, Velocity: mgl64.Vec2{0.5, 1e-7}, Group: 1}, {ID: 7, At: mgl64.Vec2{1, 2}},
	}}}
	for name, want := range map[string]string{
		"csv": "frame,time,id,x,y,vx,vy,group\n" +
			"1,0.3,2,5000000.250000,-1.000000,0.500000,0.000000,\"a,\"\"b\"\"\"\n" +
			"1,0.3,7,1.000000,2.000000,0.000000,0.000000,left\n",
		"peda": "# framerate: 2.5\n# scene: \"hall\"\n# id frame x/m y/m z/m\n" +
			"2 1 5000000.250000 -1.000000 0\n7 1 1.000000 2.000000 0\n",
	} {
		for _, f := range Formats {
			if f.Name == name {
				if got := string(write(t, f, run(4), frames)); got != want {
					t.Errorf("%s: got\n%swant\n%s", name, got, want)
				}
			}
		}
	}
}

// TestSQLiteSchema asks a database what readers of JuPedSim's files ask: version 2 of its schema
// (jupedsim/sqlite_serialization.py), the queries of PedPy (pedpy/io/jupedsim_loader.py) and of its
// viewer.
func TestSQLiteSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.sqlite")
	frames := walk(2)
	if err := os.WriteFile(path, write(t, Formats[1], run(2), frames), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	value := func(query string, a ...any) string {
		t.Helper()
		var v string
		if err := db.QueryRow(query, a...).Scan(&v); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return v
	}
	for key, want := range map[string]string{"version": "2", "fps": "5", "xmin": "-10", "xmax": "10", "ymin": "0", "ymax": "10"} {
		if got := value("SELECT value FROM metadata WHERE key = ?", key); got != want {
			t.Errorf("metadata %s is %q, want %q", key, got, want)
		}
	}
	rows, err := db.Query("select frame, id, pos_x as x, pos_y as y, ori_x, ori_y from trajectory_data")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	count := 0
	for rows.Next() {
		var frame, id int
		var x, y, u, v float64
		if err := rows.Scan(&frame, &id, &x, &y, &u, &v); err != nil {
			t.Fatal(err)
		}
		var w measure.Walker
		for _, w = range frames[frame].Walkers {
			if w.ID == id {
				break
			}
		}
		if w.ID != id || w.At != (mgl64.Vec2{x, y}) || math.Abs(math.Hypot(u, v)-1) > 1e-12 || w.Velocity.Dot(mgl64.Vec2{u, v}) <= 0 {
			t.Errorf("agent %d of frame %d is at %v, %v and heads for %v, %v; it was %+v", id, frame, x, y, u, v, w)
		}
		count++
	}
	want := 0
	for _, f := range frames {
		want += len(f.Walkers)
	}
	if count != want || rows.Err() != nil {
		t.Errorf("%d rows, want %d: %v", count, want, rows.Err())
	}
	// The door is open from 1 s until 2 s: in frames 5 to 9. Ground of two rooms, then of one.
	if n := value("SELECT count(*) FROM frame_data"); n != "12" {
		t.Errorf("%s frames have a geometry, want 12", n)
	}
	for frame := range frames {
		text := value("SELECT wkt FROM geometry g JOIN frame_data f ON f.geometry_hash = g.hash WHERE f.frame = ?", frame)
		if open := frame >= 5 && frame < 10; strings.HasPrefix(text, "POLYGON") != open || strings.HasPrefix(text, "MULTIPOLYGON") == open {
			t.Errorf("frame %d: the ground is %s", frame, text)
		}
	}
	if n := value("SELECT count(*) FROM geometry"); n != "2" {
		t.Errorf("%s geometries, want 2", n)
	}
}

func TestParquetMetadata(t *testing.T) {
	data := write(t, Formats[2], run(2), walk(2))
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"scene": "hall", "fps": "5"} {
		if got, ok := file.Lookup(key); !ok || got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if got, _ := file.Lookup("geometry"); !strings.HasPrefix(got, "MULTIPOLYGON") {
		t.Errorf("the geometry is %q", got)
	}
}

// failing is an output that takes so many bytes.
type failing struct{ left int }

var errFull = errors.New("the disk is full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestFailures: an error of the output comes back from one of the calls, and no temporary file stays.
func TestFailures(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, f := range Formats {
		for _, room := range []int{0, 100} {
			w := f.New(&failing{room})
			err := w.Begin(run(1))
			for _, frame := range walk(1) {
				if err == nil {
					err = w.Frame(frame)
				}
			}
			err = errors.Join(err, w.End(err == nil))
			if !errors.Is(err, errFull) {
				t.Errorf("%s: %v with room for %d bytes", f.Name, err, room)
			}
		}
		// An error elsewhere discards the file.
		var out bytes.Buffer
		w := f.New(&out)
		if err := errors.Join(w.Begin(run(1)), w.Frame(walk(1)[0]), w.End(false)); err != nil {
			t.Errorf("%s: discarding: %v", f.Name, err)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestReadForeign reads files that other programs write.
func TestReadForeign(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// Centimeters, tabs, a byte order mark, frames that begin late, an agent that walks 1 m/s.
	var rows strings.Builder
	rows.WriteString("\ufeff# description: UNI_CORR\n# framerate: 16 fps\n# PersID\tFrame\tX/cm\tY/cm\tZ/cm\n")
	for frame := 96; frame < 160; frame++ {
		fmt.Fprintf(&rows, "1\t%d\t%v\t250\t170\n", frame, float64(frame)*100/16)
	}
	r, err := Read(put("archive.txt", rows.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Frames) != 64 || r.Frames[0].Time != 6 {
		t.Errorf("%d frames from %v s on", len(r.Frames), r.Frames[0].Time)
	}
	for _, f := range r.Frames {
		if w := f.Walkers[0]; w.At.Sub(mgl64.Vec2{f.Time, 2.5}).Len() > 1e-9 || w.Velocity.Sub(mgl64.Vec2{1, 0}).Len() > 1e-9 {
			t.Fatalf("at %v s %+v", f.Time, w)
		}
	}
	r, err = Read(put("other.CSV", "id,y,x,time,frame\n4,1,2,0,0\n4,1,3,0.5,1\n"))
	if err != nil || len(r.Frames) != 2 || r.Frames[1].Walkers[0].Velocity != (mgl64.Vec2{2, 0}) {
		t.Errorf("%+v, %v", r, err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a.dat":     {"", "the ending names no format"},
		"empty.csv": {"", ":1: there is no heading"},
		"b.csv":     {"frame,time,id,x\n", `:1: there is no column "y"`},
		"c.csv":     {"frame,time,id,x,y\n0,0,1,2,3\n1,0,1,two,3\n", `:3: x is "two", not a number`},
		"d.csv":     {"frame,time,id,x,y\n0,0,1,2,NaN\n", `:2: y is "NaN", not a number`},
		"e.csv":     {"frame,time,id,x,y\n0,0,1\n", ":2: "},
		"f.csv":     {"frame,time,id,x,y\n", "there is no agent and no frame"},
		"g.txt":     {"1 1 0 0 0\n", ":1: the heading has no rate of frames"},
		"h.txt":     {"# framerate: 25\n1 1 0\n", ":2: 3 columns"},
		"i.txt":     {"# framerate: 25\n1 1.5 0 0\n", `:2: frame is "1.5", not an integer`},
		"j.sqlite":  {"no database", "no rate of frames"},
		"k.parquet": {"no parquet", "k.parquet"},
	} {
		_, err := Read(put(name, c.text))
		var wrong *FormatError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for _, ending := range Endings() {
		if _, err := Read(filepath.Join(dir, "missing"+ending)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a missing file %s: %v", ending, err)
		}
	}
}
