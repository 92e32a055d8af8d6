package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// Device is an OpenGL context as this package uses it.
type Device struct {
	info Info

	key    *byte // identifies the device to the debug callback
	pinner runtime.Pinner
	sticky error

	indirect    indirectDraw
	vertexArray uint32
	enabled     []uint32 // the attributes of vertexArray in use

	readbacks  int64
	deliveries int64
	waits      int64

	timer timer
}

// Info says which device it is and what it can do.
type Info struct {
	Vendor   string
	Renderer string
	Version  string // of OpenGL, with the driver's
	GLSL     string
	Software bool // renders on the processor
	Debug    bool // the context reports errors by messages
	Limits   Limits
}

// String names the device in a line.
func (i Info) String() string {
	s := i.Renderer + ", OpenGL " + i.Version
	if i.Software {
		s += ", on the processor"
	}
	return s
}

// Limits are the device's, in texels, bytes and counts.
type Limits struct {
	MaxTextureSize        int
	MaxArrayLayers        int
	MaxStorageBlock       int64 // bytes of a storage buffer that a shader can see
	StorageBindings       int   // binding points
	ComputeStorageBlocks  int   // storage buffers that one stage can use
	VertexStorageBlocks   int
	GeometryStorageBlocks int
	FragmentStorageBlocks int
	SharedMemory          int // bytes a work group
	Invocations           int // a work group
	WorkGroups            [3]int
	ColorAttachments      int
	FramebufferLayers     int
	ViewportSize          [2]int
	GeometryOutput        int // vertices a geometry shader may emit
	TimestampBits         int // 0: no timing
}

var (
	initMutex sync.Mutex
	devices   = map[*byte]*Device{}
)

// New makes a device of the context that is current on the calling thread, which the goroutine must be locked to. It
// loads the functions of OpenGL, checks that the version is 4.5 or later, and turns debug output on.
func New() (*Device, error) {
	initMutex.Lock()
	err := gl.Init()
	initMutex.Unlock()
	if err != nil {
		return nil, fmt.Errorf("gpu: no OpenGL 4.5 in the current context, or no context is current on this thread: the driver lacks %w", err)
	}
	if gl.GetString(gl.VERSION) == nil {
		return nil, errors.New("gpu: no OpenGL context is current on this thread: make one current first, with the goroutine locked to its thread")
	}
	d := &Device{}
	d.info = readInfo()
	if major, minor := integer(gl.MAJOR_VERSION), integer(gl.MINOR_VERSION); major < 4 || major == 4 && minor < 5 {
		return nil, fmt.Errorf("gpu: OpenGL 4.5 is needed, the context has %s on %s: update the driver, or use Mesa's software renderer", d.info.Version, d.info.Renderer)
	}
	if d.indirect, err = loadIndirectDraw(); err != nil {
		return nil, err
	}
	d.watch()
	gl.CreateVertexArrays(1, &d.vertexArray)
	d.label(gl.VERTEX_ARRAY, d.vertexArray, "gpu attributes")
	// Depths are 0 to 1 as stored, so that a float depth keeps its precision near 0.
	gl.ClipControl(gl.LOWER_LEFT, gl.ZERO_TO_ONE)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1)
	if err := d.Err(); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func integer(name uint32) int {
	var v int32
	gl.GetIntegerv(name, &v)
	return int(v)
}

func readInfo() Info {
	renderer := gl.GoStr(gl.GetString(gl.RENDERER))
	info := Info{
		Vendor:   gl.GoStr(gl.GetString(gl.VENDOR)),
		Renderer: renderer,
		Version:  gl.GoStr(gl.GetString(gl.VERSION)),
		GLSL:     gl.GoStr(gl.GetString(gl.SHADING_LANGUAGE_VERSION)),
		Software: isSoftware(renderer),
		Debug:    integer(gl.CONTEXT_FLAGS)&gl.CONTEXT_FLAG_DEBUG_BIT != 0,
	}
	l := &info.Limits
	l.MaxTextureSize = integer(gl.MAX_TEXTURE_SIZE)
	l.MaxArrayLayers = integer(gl.MAX_ARRAY_TEXTURE_LAYERS)
	gl.GetInteger64v(gl.MAX_SHADER_STORAGE_BLOCK_SIZE, &l.MaxStorageBlock)
	l.StorageBindings = integer(gl.MAX_SHADER_STORAGE_BUFFER_BINDINGS)
	l.ComputeStorageBlocks = integer(gl.MAX_COMPUTE_SHADER_STORAGE_BLOCKS)
	l.VertexStorageBlocks = integer(gl.MAX_VERTEX_SHADER_STORAGE_BLOCKS)
	l.GeometryStorageBlocks = integer(gl.MAX_GEOMETRY_SHADER_STORAGE_BLOCKS)
	l.FragmentStorageBlocks = integer(gl.MAX_FRAGMENT_SHADER_STORAGE_BLOCKS)
	l.SharedMemory = integer(gl.MAX_COMPUTE_SHARED_MEMORY_SIZE)
	l.Invocations = integer(gl.MAX_COMPUTE_WORK_GROUP_INVOCATIONS)
	for i := range l.WorkGroups {
		var v int32
		gl.GetIntegeri_v(gl.MAX_COMPUTE_WORK_GROUP_COUNT, uint32(i), &v)
		l.WorkGroups[i] = int(v)
	}
	l.ColorAttachments = min(integer(gl.MAX_COLOR_ATTACHMENTS), integer(gl.MAX_DRAW_BUFFERS))
	l.FramebufferLayers = integer(gl.MAX_FRAMEBUFFER_LAYERS)
	var size [2]int32
	gl.GetIntegerv(gl.MAX_VIEWPORT_DIMS, &size[0])
	l.ViewportSize = [2]int{int(size[0]), int(size[1])}
	l.GeometryOutput = integer(gl.MAX_GEOMETRY_OUTPUT_VERTICES)
	var bits int32
	gl.GetQueryiv(gl.TIMESTAMP, gl.QUERY_COUNTER_BITS, &bits)
	l.TimestampBits = int(bits)
	return info
}

func isSoftware(renderer string) bool {
	renderer = strings.ToLower(renderer)
	for _, s := range []string{"llvmpipe", "softpipe", "swrast", "software"} {
		if strings.Contains(renderer, s) {
			return true
		}
	}
	return false
}

// Info says which device it is and what it can do.
func (d *Device) Info() Info { return d.info }

// Close stops debug output and frees what the device itself holds. Buffers, textures, targets and programs live until
// they are deleted or the context goes.
func (d *Device) Close() {
	if d.key == nil {
		return
	}
	d.timer.delete()
	gl.DeleteVertexArrays(1, &d.vertexArray)
	d.unwatch()
}

// Finish waits until the device has done everything asked of it.
func (d *Device) Finish() { gl.Finish() }

// Readbacks counts the reads of buffers, textures and framebuffers so far. Each waited for the device.
func (d *Device) Readbacks() int64 { return d.readbacks }

// Barrier orders what shaders wrote before it against what is done with it afterwards.
type Barrier uint32

// The uses that come after the barrier; they may be or'ed. Each names how the written data will be read (or overwritten)
// next, not how it was written.
const (
	BarrierStorage     Barrier = gl.SHADER_STORAGE_BARRIER_BIT                                // storage buffers in shaders
	BarrierTexture     Barrier = gl.TEXTURE_FETCH_BARRIER_BIT                                 // samplers
	BarrierImage       Barrier = gl.SHADER_IMAGE_ACCESS_BARRIER_BIT                           // images in shaders
	BarrierCommand     Barrier = gl.COMMAND_BARRIER_BIT                                       // indirect draws and dispatches
	BarrierVertex      Barrier = gl.VERTEX_ATTRIB_ARRAY_BARRIER_BIT                           // attributes
	BarrierFramebuffer Barrier = gl.FRAMEBUFFER_BARRIER_BIT                                   // attachments of targets
	BarrierUpdate      Barrier = gl.BUFFER_UPDATE_BARRIER_BIT | gl.TEXTURE_UPDATE_BARRIER_BIT // Write, Clear, CopyTo (Read does it itself)
	BarrierAll         Barrier = gl.ALL_BARRIER_BITS
)

// Barrier makes what shaders wrote to buffers and images so far visible to the uses named.
func (d *Device) Barrier(uses Barrier) { gl.MemoryBarrier(uint32(uses)) }

// Groups is how many work groups of a size cover n items: n/size rounded up, 0 for none.
func Groups(n, size int) uint32 {
	if n < 0 || size <= 0 {
		panic(fmt.Sprintf("gpu: Groups(%d, %d): the count must not be negative and the size must be positive", n, size))
	}
	return uint32((n + size - 1) / size)
}

// CapacityError says that something does not fit the device.
type CapacityError struct {
	What   string // what was to be made, by its label
	Unit   string // of the numbers
	Needed int64
	Limit  int64 // 0 where the device did not say: it ran out of memory
}

func (e *CapacityError) Error() string {
	if e.Limit == 0 {
		return fmt.Sprintf("gpu: %s needs %d %s, and the device is out of memory", e.What, e.Needed, e.Unit)
	}
	return fmt.Sprintf("gpu: %s needs %d %s, the device's limit is %d", e.What, e.Needed, e.Unit, e.Limit)
}

// label names an object for messages and captures.
func (d *Device) label(kind, name uint32, label string) {
	if label == "" {
		return
	}
	// Drivers promise 256 bytes at least (MAX_LABEL_LENGTH).
	label = label[:min(len(label), 200)]
	gl.ObjectLabel(kind, name, int32(len(label)), unsafe.StringData(label))
}

// outOfMemory takes the error that a failed allocation left.
func outOfMemory() bool {
	for code := gl.GetError(); code != gl.NO_ERROR; code = gl.GetError() {
		if code == gl.OUT_OF_MEMORY {
			return true
		}
	}
	return false
}
