package spm

import (
	"errors"
	"fmt"

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
	for i, n := range Methods {
		if n == name {
			return Method(i), nil
		}
	}
	return 0, fmt.Errorf("spm: no method is called %q; there are %q", name, Methods)
}

// group is the number of invocations of a compute workgroup. Any power of two up to 1024 gives the
// same map.
const group = 64

// Builder holds the programs of a method, and with wavefront its queues. They take what the layers
// built together needed most so far, until Delete: 104 bytes for each part of a triangle that a
// layer lights, mostly 10 to 25 parts a corner, 80 for each record, and 88 for each window of a
// wave, one a corner. Bytes is their sum.
//
// Parts are kept in as many buffers as they take. All else is in one buffer each, as large as the
// device lets shaders see: 128 MiB hold 100,000 corners many times over. What is more is refused
// with a *GroundError.
type Builder struct {
	device     *gpu.Device
	method     Method
	cover      *gpu.Pass[coverInput]
	resolve    *gpu.Pass[resolveInput]
	sequential *sequential
	wavefront  *wavefront
	unreached  *gpu.Buffer[triangle] // of the layer that is drawn
	building   *building             // nil: none is pending
	undrawn    bool                  // see SkipFields
	stats      Stats
}

// defines are the constants that shaders share with Go.
var defines = map[string]any{
	"GROUP":              group,
	"SCAN_SIZE":          uint32(scanGroup),
	"MOST_TURNS":         uint32(mostTurns),
	"STATUS_UNUSED":      statusUnused,
	"STATUS_SOURCE":      statusSource,
	"STATUS_OBSTACLE":    statusObstacle,
	"STATUS_EXPANDED":    statusExpanded,
	"WEDGE_NONE":         wedgeNone,
	"WEDGE_TAUT":         wedgeTaut,
	"WEDGE_EMPTY":        wedgeEmpty,
	"STATE_UNREACHED":    float32(Unreached),
	"STATE_REACHED":      float32(Reached),
	"STATE_OBSTACLE":     float32(Obstacle),
	"FROM_SEGMENT":       uint32(fromSegment),
	"WHOLE_FACE":         uint32(wholeFace),
	"SECTOR_LIGHT_FIELD": uint32(geom.SectorLightField),
}

// Passes are the passes of this package, of all methods.
func Passes() []gpu.PassInfo {
	return []gpu.PassInfo{
		startPass.Info(), seedPass.Info(), propagatePass.Info(), tiesPass.Info(), expandPass.Info(),
		tallyPass.Info(), scanPass.Info(), scatterPass.Info(), shardPass.Info(),
		searchPass.Info(), shadowPass.Info(), conePass.Info(), distancesPass.Info(),
		resolvePass.Info(), coverPass.Info(),
		queryPass(queryDepth, false).Info(), queryPass(queryDepth, true).Info(), sightPass.Info(),
	}
}

// compile makes a pass.
func compile[T any](d *gpu.Device, spec gpu.PassSpec[T], pass **gpu.Pass[T]) (err error) {
	*pass, err = gpu.NewPass(d, spec)
	return err
}

// NewBuilder compiles the programs of a method. The error is a *MethodError, *gpu.CompileError or
// *gpu.CapacityError, or one of gpu.Device.Do, as of all functions of this package that use the
// device.
func NewBuilder(d *gpu.Device, method Method) (*Builder, error) {
	if method != Wavefront && method != Sequential {
		return nil, &MethodError{method}
	}
	b := &Builder{device: d, method: method}
	if err := d.Do(b.open); err != nil {
		b.Delete()
		return nil, err
	}
	return b, nil
}

func (b *Builder) open() error {
	err := errors.Join(compile(b.device, coverPass, &b.cover), compile(b.device, resolvePass, &b.resolve))
	switch {
	case err != nil:
	case b.method == Sequential:
		b.sequential, err = newSequential(b.device)
	default:
		b.wavefront, err = newWavefront(b.device)
	}
	return err
}

// Delete frees the programs. Deleting none does nothing.
func (b *Builder) Delete() {
	if b == nil {
		return
	}
	if b.building != nil {
		b.drop(b.building)
	}
	b.unreached.Delete()
	if b.sequential != nil {
		b.sequential.delete()
	}
	if b.wavefront != nil {
		b.wavefront.delete()
	}
}

// Bytes is the memory that the builder takes on the device for its queues, besides that of maps.
func (b *Builder) Bytes() int64 {
	sum := b.unreached.Bytes()
	if b.wavefront != nil {
		sum += bytesOf(b.wavefront.buffers()...)
	}
	return sum
}
