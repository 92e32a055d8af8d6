package gpu

import (
	"slices"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu/internal/glstate"
)

// Bounds of what is in flight, so that a device that never answers, or a caller that never ends a
// frame, costs time figures and not memory.
const (
	maxPendingFrames = 16
	maxFrameStages   = 1024
	meanFrames       = 64 // readings that Timing.Mean covers
)

// Timing is what a stage takes in a frame. One that runs several times in a frame is summed.
type Timing struct {
	Name   string        // of nested stages, joined by slashes
	Last   time.Duration // on the device, in the newest frame read
	Mean   time.Duration // on the device, over the last 64 frames that had the stage
	CPU    time.Duration // in the Go code and driver, in the newest frame read
	Frames int64         // how many frames were read
}

// timer measures stages by pairs of timestamps.
type timer struct {
	on      bool
	path    string
	paths   map[[2]string]string // of stages by the outer path and the name
	current frame
	pending []frame
	free    []uint32 // queries to use again
	records []*record
}

// frame is the stages between two FrameEnds.
type frame struct {
	stages []interval
	last   uint32 // the query issued last: when it is available, all are
}

type interval struct {
	path       string
	begin, end uint32 // queries; 0 where none were issued
	cpu        time.Duration
}

// record is the times of a stage in all frames.
type record struct {
	Timing
	recent [meanFrames]time.Duration // a ring of Last
	sum    time.Duration             // of recent
}

// MeasureStages begins to measure the stages of later frames, or ends it. While it measures, end
// each frame by FrameEnd.
func (d *Device) MeasureStages(on bool) { d.timer.on = on }

// Stage runs f as a named part of a frame, and measures it on the device and on the processor where
// MeasureStages is on. Stages may nest; the inner one's name is then the path "outer/inner".
// Captures show stages as groups. It is a Device.Do of its own.
func (d *Device) Stage(name string, f func()) {
	defer d.mustEnter()()
	t := &d.timer
	outer := t.path
	t.path = t.within(outer, name)
	p := interval{path: t.path}
	// A host may have filled the stack.
	grouped := !d.guest || glstate.Integer(gl.DEBUG_GROUP_STACK_DEPTH) < glstate.Integer(gl.MAX_DEBUG_GROUP_STACK_DEPTH)
	if grouped {
		label := name[:min(len(name), 200)]
		gl.PushDebugGroup(gl.DEBUG_SOURCE_APPLICATION, 0, int32(len(label)), unsafe.StringData(label))
	}
	index := -1
	if t.on && d.info.Limits.TimestampBits > 0 && len(t.pending) < maxPendingFrames && len(t.current.stages) < maxFrameStages {
		p.begin, p.end = t.query(), t.query()
		index = len(t.current.stages)
		t.current.stages = append(t.current.stages, p)
		gl.QueryCounter(p.begin, gl.TIMESTAMP)
	}
	start := time.Now()
	defer func() {
		t.path = outer
		if index >= 0 {
			t.current.stages[index].cpu = time.Since(start)
			gl.QueryCounter(p.end, gl.TIMESTAMP)
			t.current.last = p.end
		}
		if grouped {
			gl.PopDebugGroup()
		}
	}()
	f()
}

// within is the path of a stage in another one. Each is put together once.
func (t *timer) within(outer, name string) string {
	if outer == "" {
		return name
	}
	path, known := t.paths[[2]string{outer, name}]
	if !known {
		if t.paths == nil {
			t.paths = map[[2]string]string{}
		}
		path = outer + "/" + name
		t.paths[[2]string{outer, name}] = path
	}
	return path
}

func (t *timer) query() uint32 {
	if n := len(t.free); n > 0 {
		q := t.free[n-1]
		t.free = t.free[:n-1]
		return q
	}
	var q uint32
	gl.CreateQueries(gl.TIMESTAMP, 1, &q)
	return q
}

// FrameEnd ends a frame of stages and reads those earlier frames that the device has finished. It
// never waits. Call it outside of stages.
func (d *Device) FrameEnd() {
	t := &d.timer
	if t.path != "" {
		panic("gpu: FrameEnd inside of stage " + t.path)
	}
	if len(t.current.stages) > 0 {
		t.pending = append(t.pending, t.current)
		t.current = frame{}
	}
	if len(t.pending) == 0 {
		return
	}
	defer d.mustEnter()()
	for len(t.pending) > 0 {
		var available uint32
		gl.GetQueryObjectuiv(t.pending[0].last, gl.QUERY_RESULT_AVAILABLE, &available)
		if available == gl.FALSE {
			return
		}
		t.read(t.pending[0])
		t.pending = slices.Delete(t.pending, 0, 1)
	}
}

// read takes the times of a finished frame.
func (t *timer) read(f frame) {
	var ended []*record // of this frame, once each
	for _, p := range f.stages {
		var begin, end uint64
		gl.GetQueryObjectui64v(p.begin, gl.QUERY_RESULT, &begin)
		gl.GetQueryObjectui64v(p.end, gl.QUERY_RESULT, &end)
		t.free = append(t.free, p.begin, p.end)
		r := t.record(p.path)
		if !slices.Contains(ended, r) {
			ended = append(ended, r)
			r.Last, r.CPU = 0, 0
		}
		r.Last += time.Duration(end - begin)
		r.CPU += p.cpu
	}
	for _, r := range ended {
		slot := &r.recent[r.Frames%meanFrames]
		r.sum += r.Last - *slot
		*slot = r.Last
		r.Frames++
		r.Mean = r.sum / time.Duration(min(r.Frames, meanFrames))
	}
}

// record is the record of a stage.
func (t *timer) record(path string) *record {
	i := slices.IndexFunc(t.records, func(r *record) bool { return r.Name == path })
	if i < 0 {
		i = len(t.records)
		t.records = append(t.records, &record{Timing: Timing{Name: path}})
	}
	return t.records[i]
}

// Timings lists every stage measured so far, in the order in which they first ended a frame, outer
// ones before inner. The figures are some frames old.
func (d *Device) Timings() []Timing {
	timings := make([]Timing, len(d.timer.records))
	for i, r := range d.timer.records {
		timings[i] = r.Timing
	}
	return timings
}

func (t *timer) delete() {
	for _, f := range append(t.pending, t.current) {
		for _, p := range f.stages {
			t.free = append(t.free, p.begin, p.end)
		}
	}
	if len(t.free) > 0 {
		gl.DeleteQueries(int32(len(t.free)), &t.free[0])
	}
	*t = timer{}
}
