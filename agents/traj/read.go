package traj

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/parquet-go/parquet-go"

	"github.com/wayfront/wayfront/agents/measure"
)

// FormatError says that a file of trajectories cannot be read.
type FormatError struct {
	File string
	Line int // 0: of the file as a whole
	Why  string
}

func (e *FormatError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("traj: %s:%d: %s", e.File, e.Line, e.Why)
	}
	return fmt.Sprintf("traj: %s: %s", e.File, e.Why)
}

// smoothing is the number of frames before and after one that velocities are computed from where a
// file has none.
const smoothing = 2

// mostFrames bounds what a number in a file makes the reader allocate: 10 days at 20 frames a
// second.
const mostFrames = 1 << 24

// Read reads trajectories by the ending of the file's name: those of a Format of this package, and
// what others write in them. Units of the Pedestrian Dynamics Data Archive are taken from the
// file's heading, m or cm. Where a file has no velocities they are computed from places. Errors
// are *FormatError, or those of the file system.
func Read(path string) (measure.Recording, error) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return strings.EqualFold(f.Ending, filepath.Ext(path)) })
	if i < 0 {
		return measure.Recording{}, &FormatError{path, 0, "the ending names no format of trajectories: " + strings.Join(Endings(), ", ")}
	}
	r := &reader{path: path, groups: map[string]int{}, frames: map[int]*measure.Frame{}}
	err := Formats[i].read(r)
	if err == nil && len(r.frames) == 0 {
		err = r.fail(0, "there is no agent and no frame in it")
	}
	if err != nil {
		return measure.Recording{}, err
	}
	return r.recording(), nil
}

// Endings returns the endings of all formats.
func Endings() []string {
	var all []string
	for _, f := range Formats {
		all = append(all, f.Ending)
	}
	return all
}

// reader collects what a file holds.
type reader struct {
	path   string
	frames map[int]*measure.Frame
	names  []string
	groups map[string]int
	moving bool // the file has velocities
}

func (r *reader) fail(line int, format string, a ...any) error {
	return &FormatError{r.path, line, fmt.Sprintf(format, a...)}
}

// group returns the index of a group by its name.
func (r *reader) group(name string) int {
	i, known := r.groups[name]
	if !known {
		i = len(r.names)
		r.groups[name] = i
		r.names = append(r.names, name)
	}
	return i
}

// frame returns the frame of a number, which may have no walkers.
func (r *reader) frame(number int, time float64) *measure.Frame {
	f := r.frames[number]
	if f == nil {
		f = &measure.Frame{Time: time}
		r.frames[number] = f
	}
	return f
}

func (r *reader) add(frame int, time float64, w measure.Walker) {
	f := r.frame(frame, time)
	f.Walkers = append(f.Walkers, w)
}

// recording returns frames in the order of their numbers, walkers in that of their ids.
func (r *reader) recording() measure.Recording {
	out := measure.Recording{Groups: r.names}
	numbers := make([]int, 0, len(r.frames))
	for n := range r.frames {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		f := *r.frames[n]
		slices.SortFunc(f.Walkers, func(a, b measure.Walker) int { return cmp.Compare(a.ID, b.ID) })
		out.Frames = append(out.Frames, f)
	}
	if !r.moving {
		measure.Velocities(out.Frames, smoothing)
	}
	return out
}

// readCSV reads columns by the names of the heading; time, vx, vy and group may be missing, but not
// time where there is no frame.
func readCSV(r *reader) error {
	file, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows := csv.NewReader(bufio.NewReader(file))
	rows.ReuseRecord = true
	heading, err := rows.Read()
	if err != nil {
		return r.fail(1, "there is no heading: %v", err)
	}
	column := map[string]int{}
	for i, name := range heading {
		column[strings.TrimSpace(name)] = i
	}
	for _, name := range []string{"frame", "time", "id", "x", "y"} {
		if _, ok := column[name]; !ok {
			return r.fail(1, "there is no column %q among %s", name, strings.Join(heading, ", "))
		}
	}
	_, moving := column["vx"]
	_, moving2 := column["vy"]
	_, grouped := column["group"]
	r.moving = moving && moving2
	for {
		record, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		line, _ := rows.FieldPos(0)
		if err != nil {
			return r.fail(line, "%v", err)
		}
		fields := fields{r: r, line: line, of: func(name string) string { return record[column[name]] }}
		w := measure.Walker{ID: fields.integer("id"), At: mgl64.Vec2{fields.number("x"), fields.number("y")}}
		if r.moving {
			w.Velocity = mgl64.Vec2{fields.number("vx"), fields.number("vy")}
		}
		if grouped {
			w.Group = r.group(record[column["group"]])
		}
		frame, time := fields.integer("frame"), fields.number("time")
		if fields.err != nil {
			return fields.err
		}
		r.add(frame, time, w)
	}
}

// fields reads the fields of a row up to the first error.
type fields struct {
	r    *reader
	line int
	of   func(name string) string
	err  error
}

func (f *fields) number(name string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(f.of(name)), 64)
	if f.err == nil && (err != nil || math.IsNaN(v) || math.IsInf(v, 0)) {
		f.err = f.r.fail(f.line, "%s is %q, not a number", name, f.of(name))
	}
	return v
}

func (f *fields) integer(name string) int {
	v, err := strconv.Atoi(strings.TrimSpace(f.of(name)))
	if f.err == nil && err != nil {
		f.err = f.r.fail(f.line, "%s is %q, not an integer", name, f.of(name))
	}
	return v
}

// readPeDa reads text of the Pedestrian Dynamics Data Archive. The heading has to say the rate of
// frames; places are in meters unless it names centimeters.
func readPeDa(r *reader) error {
	file, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer file.Close()
	rate, scale := 0.0, 1.0
	lines := bufio.NewScanner(file)
	for line := 1; lines.Scan(); line++ {
		text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if text == "" {
			continue
		}
		if strings.HasPrefix(text, "#") {
			if rate == 0 && strings.Contains(text, "framerate") {
				for _, word := range strings.Fields(text) {
					if v, err := strconv.ParseFloat(word, 64); err == nil && v > 0 && rate == 0 {
						rate = v
					}
				}
			}
			if low := strings.ToLower(text); strings.Contains(low, "x/cm") || strings.Contains(low, "in cm") {
				scale = 0.01
			} else if strings.Contains(low, "x/m") || strings.Contains(low, "in m") {
				scale = 1
			}
			continue
		}
		if rate == 0 {
			return r.fail(line, "the heading has no rate of frames: give a line such as # framerate: 25")
		}
		words := strings.Fields(text)
		if len(words) < 4 {
			return r.fail(line, "%d columns, want id frame x y and perhaps z", len(words))
		}
		fields := fields{r: r, line: line, of: func(name string) string { return words[slices.Index([]string{"id", "frame", "x", "y"}, name)] }}
		id, frame, x, y := fields.integer("id"), fields.integer("frame"), fields.number("x"), fields.number("y")
		if fields.err != nil {
			return fields.err
		}
		r.add(frame, float64(frame)/rate, measure.Walker{ID: id, At: mgl64.Vec2{x * scale, y * scale}})
	}
	if err := lines.Err(); err != nil {
		return r.fail(0, "%v", err)
	}
	return nil
}

// readParquet reads what this package has written, or another program with the same columns.
func readParquet(r *reader) error {
	file, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	whole, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return r.fail(0, "%v", err)
	}
	for _, name := range []string{"frame", "time", "id", "x", "y", "vx", "vy", "group"} {
		if _, ok := whole.Schema().Lookup(name); !ok {
			return r.fail(0, "there is no column %q", name)
		}
	}
	r.moving = true
	rows := parquet.NewGenericReader[row](whole)
	defer rows.Close()
	for batch := make([]row, 4096); ; {
		n, err := rows.Read(batch)
		for _, v := range batch[:n] {
			r.add(int(v.Frame), v.Time, measure.Walker{
				ID: int(v.ID), At: mgl64.Vec2{v.X, v.Y},
				Velocity: mgl64.Vec2{float64(v.VX), float64(v.VY)}, Group: r.group(v.Group),
			})
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return r.fail(0, "%v", err)
		}
	}
	// Frames without agents, of which there are no rows.
	frames, _ := whole.Lookup("frames")
	fps, _ := whole.Lookup("fps")
	count, errFrames := strconv.Atoi(frames)
	rate, errRate := strconv.ParseFloat(fps, 64)
	if errFrames == nil && errRate == nil && rate > 0 && count <= mostFrames {
		for i := range count {
			r.frame(i, rounded(float64(i)/rate))
		}
	}
	return nil
}
