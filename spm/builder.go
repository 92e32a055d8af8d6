package spm

import (
	"fmt"
	"maps"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Method is a way to build maps. Both fill the same structures, and readers of a map need not know
// which built it.
type Method int

// The methods.
const (
	Wavefront  Method = iota // all generators at once, in waves
	Sequential               // the paper's: one generator an iteration, nearest first
)

// Methods are the names of the methods, by Method.
var Methods = []string{"wavefront", "sequential"}

func (m Method) String() string {
	if m < 0 || int(m) >= len(Methods) {
		return fmt.Sprintf("method %d", int(m))
	}
	return Methods[m]
}

// MethodError says that there is no such method.
type MethodError struct{ Method Method }

func (e *MethodError) Error() string {
	return fmt.Sprintf("spm: there is no %v; use Wavefront or Sequential", e.Method)
}

// ParseMethod finds a method by its name.
func ParseMethod(name string) (Method, error) {
	if i := slices.Index(Methods, name); i >= 0 {
		return Method(i), nil
	}
	return 0, fmt.Errorf("spm: no method is called %q; there are %q", name, Methods)
}

// group is the number of invocations of a compute workgroup. Any power of two up to 1024 gives the
// same map.
const group = 64

// Builder holds the programs of a method, and with wavefront its queues. They take what the layers
// built together needed most so far, until Delete: 104 bytes for each part of a triangle that a
// layer lights, mostly 10 to 25 parts a corner, 80 for each record, and 88 for each window of a
// wave, one a corner.
//
// Parts are kept in as many buffers as they take. All else is in one buffer each, as large as the
// device lets shaders see: 128 MiB hold 100,000 corners many times over. What is more is refused
// with a *GroundError.
type Builder struct {
	device     *gpu.Device
	method     Method
	cover      *gpu.Pass[coverInput]
	resolve    *gpu.Pass[resolveInput]
	sequential *sequential // nil by the other method
	wavefront  *wavefront  // nil by the other method
	unreached  *gpu.Buffer[triangle]
	building   *building // nil: none is pending
	undrawn    bool      // see SkipFields
	stats      Stats
}

// defines are the constants that shaders share with Go.
var defines = map[string]any{
	"GROUP":                 group,
	"SCAN_SIZE":             uint32(scanGroup),
	"MOST_TURNS":            uint32(mostTurns),
	"STATUS_UNUSED":         statusUnused,
	"STATUS_SOURCE":         statusSource,
	"STATUS_OBSTACLE":       statusObstacle,
	"STATUS_EXPANDED":       statusExpanded,
	"WEDGE_NONE":            wedgeNone,
	"WEDGE_TAUT":            wedgeTaut,
	"WEDGE_EMPTY":           wedgeEmpty,
	"STATE_UNREACHED":       float32(Unreached),
	"STATE_REACHED":         float32(Reached),
	"STATE_OBSTACLE":        float32(Obstacle),
	"FROM_SEGMENT":          uint32(fromSegment),
	"WHOLE_FACE":            uint32(wholeFace),
	"SECTOR_LIGHT_FIELD":    uint32(geom.SectorLightField),
	"PLACEMENT_LIGHT_FIELD": uint32(ofLightField),
	"REPLY_UNREACHED":       uint32(Unreached),
	"REPLY_REACHED":         uint32(Reached),
	"REPLY_OBSTACLE":        uint32(Obstacle),
	"QUERY_DEPTH":           queryDepth,
	"FACE_SPLIT":            geom.FaceSplit,
	"SNAP_SLACK":            geom.SnapSlack,
}

// loader makes passes on a device or, without one, lists them.
type loader struct {
	device *gpu.Device
	more   map[string]any // defines
	passes []gpu.PassInfo
	err    error // the first
}

// load makes a pass, or lists it. Its stages are files of shaders/spm, or the compute shader of its
// name.
func load[T any](l *loader, pass **gpu.Pass[T], name string, stages ...string) {
	s := gpu.PassSpec[T]{Name: "spm " + name, Defines: maps.Clone(defines), Structs: []any{Generator{}, cone{}}}
	maps.Copy(s.Defines, l.more)
	if len(stages) == 0 {
		stages = []string{name + ".comp"}
	}
	for _, stage := range stages {
		s.Stages = append(s.Stages, "spm/"+stage+".glsl")
	}
	if l.device == nil {
		l.passes = append(l.passes, s.Info())
	} else if l.err == nil {
		*pass, l.err = gpu.NewPass(l.device, s)
	}
}

// Passes are the passes of this package, of all methods.
func Passes() []gpu.PassInfo {
	var l loader
	new(wavefront).load(&l)
	new(sequential).load(&l)
	new(Builder).load(&l)
	new(Batch).load(&l)
	return l.passes
}

func (b *Builder) load(l *loader) {
	load(l, &b.resolve, "resolve", "resolve.vert", "resolve.frag")
	load(l, &b.cover, "cover", "cover.vert", "cover.geom", "cover.frag")
}

// NewBuilder compiles the programs of a method. The error is a *MethodError, *gpu.CompileError or
// *gpu.CapacityError, or one of gpu.Device.Do, as of all functions of this package that use the
// device.
func NewBuilder(d *gpu.Device, method Method) (*Builder, error) {
	if method != Wavefront && method != Sequential {
		return nil, &MethodError{method}
	}
	b := &Builder{device: d, method: method}
	err := d.Do(func() (err error) {
		l := loader{device: d}
		b.load(&l)
		if method == Sequential {
			b.sequential, err = newSequential(&l)
		} else {
			b.wavefront, err = newWavefront(&l)
		}
		return err
	})
	if err != nil {
		b.Delete()
		return nil, err
	}
	return b, nil
}

// Delete frees the programs. Deleting none does nothing.
func (b *Builder) Delete() {
	if b == nil {
		return
	}
	if b.building != nil {
		b.drop(b.building)
	}
	free(b.buffers()...)
	if b.wavefront != nil && b.wavefront.mail != nil {
		b.wavefront.mail.Delete()
	}
}

// buffers are all that the builder has on the device.
func (b *Builder) buffers() []resource {
	all := []resource{b.unreached}
	if b.sequential != nil {
		all = append(all, b.sequential.current, b.sequential.commands)
	}
	if b.wavefront != nil {
		all = append(all, b.wavefront.buffers()...)
	}
	return all
}
