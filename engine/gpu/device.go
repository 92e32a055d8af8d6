package gpu

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"sync/atomic"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu/internal/glstate"
)

// Device is an OpenGL context as this package uses it.
type Device struct {
	info   Info
	guest  bool // the context is a host's: its state is put aside and comes back
	budget int  // turns of loops of a dispatch, at most

	// vertexArray describes the attributes of draws, and by its label stands for the context.
	vertexArray uint32
	mark        string
	current     [64]byte // the label of the context that is current
	length      int32    // of current
	word        *uint32  // that a buffer is filled with
	enabled     []uint32 // the attributes of vertexArray in use

	depth   int      // of doors
	freeing int      // calls of Free
	later   []func() // deletions that wait for the context
	entries int64
	aside   glstate.Keeper // of a host's
	probes  glstate.Probes // of a host's context

	watcher watcher
	sticky  error

	indirect unsafe.Pointer // glDrawArraysIndirect
	programs map[[sha256.Size]byte]*program
	memory   *Memory // that objects are made with; nil: they are not counted

	readbacks int64

	timer    timer
	order    order
	accesses []access // of the run that is being issued
	barriers int64
	dirty    bool // shaders have written to buffers since the host's last turn
	counts   []*PassCount
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

// Limits are the device's, in texels, bytes and counts.
type Limits struct {
	MaxTextureSize       int
	MaxArrayLayers       int
	MaxStorageBlock      int64 // bytes of a storage buffer that a shader can see
	ComputeStorageBlocks int   // storage buffers that a compute stage can use
	SharedMemory         int   // bytes a work group
	Invocations          int   // a work group
	WorkGroups           [3]int
	TimestampBits        int // 0: no timing
}

// made counts the devices of the process.
var made atomic.Uint64

// Options say how a device uses a host's context. The zero value loads functions by the interface
// that made the context, and restores all state.
type Options struct {
	// GetProcAddress returns the address of a function of OpenGL for the current context, nil for one
	// that there is not, as eglGetProcAddress and its like do; nil: that of EGL, GLX or WGL, whichever
	// has the current context. It is called by New alone.
	GetProcAddress func(name string) unsafe.Pointer

	State State // what the host finds of its state after calls
}

// State is what a host finds of its OpenGL state after a call. In every case the debug callback
// stays as it is, and calls work whatever the state before them.
type State uint8

// The values of State.
const (
	// Restore: as it was before the call. Everything that the call changes is read first.
	Restore State = iota
	// Reset: as it was when a call of the device first changed it, which saves reading it again. Make
	// the device, and its first world, before binding anything.
	Reset
	// Leave: as the call leaves it, which is fastest. The host sets what it relies on after each call.
	Leave
)

// New makes a device of a host's context, the one that is current on the calling thread, which the
// goroutine has to be locked to. The context's debug callback stays as it is; so does its state, or
// as Options.State has it, in everything that the device is used for: see Device.Do. Functions of
// OpenGL are loaded once a process. The error is a *ContextError, a *HostError, a *LoaderError, a
// *StateError of a State that there is not, or says which version of OpenGL there is.
func New(o Options) (*Device, error) {
	if o.State > Leave {
		return nil, &StateError{fmt.Sprintf("no gpu.State %d", o.State), "give Restore, Reset or Leave"}
	}
	return open(true, o)
}

// NewOwn makes a device of a context that nothing but Wayfront uses, the one that is current on the
// calling thread, as those of packages headless and window. State is set once and stays, which
// saves the time to put it aside, and the driver's messages are watched: see Device.Err.
func NewOwn() (*Device, error) { return open(false, Options{}) }

func open(guest bool, o Options) (*Device, error) {
	if err := load(o.GetProcAddress); err != nil {
		return nil, err
	}
	if gl.GetString(gl.VERSION) == nil {
		return nil, &ContextError{NoContext}
	}
	if codes := glstate.Errors(); codes != nil {
		return nil, &HostError{codes}
	}
	if major, minor := glstate.Integer(gl.MAJOR_VERSION), glstate.Integer(gl.MINOR_VERSION); major < 4 || major == 4 && minor < 5 {
		return nil, fmt.Errorf("gpu: OpenGL 4.5 is needed, the context has %s on %s: update the driver, or use Mesa's software renderer",
			gl.GoStr(gl.GetString(gl.VERSION)), gl.GoStr(gl.GetString(gl.RENDERER)))
	}
	if glstate.Integer(gl.CONTEXT_FLAGS)&gl.CONTEXT_FLAG_NO_ERROR_BIT_KHR != 0 {
		return nil, &ContextError{Unchecked}
	}
	d := &Device{
		word: new(uint32),
		info: readInfo(), guest: guest, budget: Budget, mark: fmt.Sprintf("wayfront device %d", made.Add(1)),
		indirect: loaded["glDrawArraysIndirect"], programs: map[[sha256.Size]byte]*program{},
	}
	d.aside.First, d.aside.Leave = o.State == Reset, o.State == Leave
	gl.CreateVertexArrays(1, &d.vertexArray)
	d.label(gl.VERTEX_ARRAY, d.vertexArray, d.mark)
	if guest {
		d.probes = glstate.NewProbes()
	} else {
		glstate.Own()
		d.watcher = watch()
	}
	d.collect()
	if err := d.sticky; err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func readInfo() Info {
	read := func(name uint32) string { return gl.GoStr(gl.GetString(name)) }
	info := Info{
		Vendor: read(gl.VENDOR), Renderer: read(gl.RENDERER), Version: read(gl.VERSION), GLSL: read(gl.SHADING_LANGUAGE_VERSION),
		Software: software.MatchString(read(gl.RENDERER)),
		Debug:    glstate.Integer(gl.CONTEXT_FLAGS)&gl.CONTEXT_FLAG_DEBUG_BIT != 0,
		Limits: Limits{
			MaxTextureSize:       glstate.Integer(gl.MAX_TEXTURE_SIZE),
			MaxArrayLayers:       glstate.Integer(gl.MAX_ARRAY_TEXTURE_LAYERS),
			MaxStorageBlock:      int64(glstate.Integer(gl.MAX_SHADER_STORAGE_BLOCK_SIZE)),
			ComputeStorageBlocks: glstate.Integer(gl.MAX_COMPUTE_SHADER_STORAGE_BLOCKS),
			SharedMemory:         glstate.Integer(gl.MAX_COMPUTE_SHARED_MEMORY_SIZE),
			Invocations:          glstate.Integer(gl.MAX_COMPUTE_WORK_GROUP_INVOCATIONS),
		},
	}
	for i := range info.Limits.WorkGroups {
		var v int32
		gl.GetIntegeri_v(gl.MAX_COMPUTE_WORK_GROUP_COUNT, uint32(i), &v)
		info.Limits.WorkGroups[i] = int(v)
	}
	var bits int32
	gl.GetQueryiv(gl.TIMESTAMP, gl.QUERY_COUNTER_BITS, &bits)
	info.Limits.TimestampBits = int(bits)
	return info
}

// software recognizes renderers that run on the processor.
var software = regexp.MustCompile(`(?i)llvmpipe|softpipe|swrast|software`)

// Info says which device it is and what it can do.
func (d *Device) Info() Info { return d.info }

// Close frees what the device itself holds: programs and queries. Buffers, textures and targets
// live until they are deleted or the context goes. The error is a *ContextError where the context
// is not current; closing twice does nothing.
func (d *Device) Close() error {
	if d.vertexArray == 0 {
		return nil
	}
	if err := d.Current(); err != nil {
		return err
	}
	d.freeLater()
	d.timer.delete()
	for _, p := range d.programs {
		gl.DeleteProgram(p.name)
	}
	gl.DeleteVertexArrays(1, &d.vertexArray)
	d.vertexArray = 0
	if d.guest {
		d.probes.Delete()
	} else {
		d.watcher.close()
	}
	return nil
}

// Finish waits until the device has done everything asked of it.
func (d *Device) Finish() {
	if d.depth == 0 {
		if err := d.Current(); err != nil {
			panic(err)
		}
	}
	gl.Finish()
}

// Entries counts how often the context was entered so far: how often a host's state was put aside
// and given back.
func (d *Device) Entries() int64 { return d.entries }

// Readbacks counts the reads of buffers, textures and framebuffers so far. Each waited for the
// device.
func (d *Device) Readbacks() int64 { return d.readbacks }

// Groups is how many work groups of a size cover n items: n/size rounded up, 0 for none.
func Groups(n, size int) uint32 {
	if n < 0 || size <= 0 {
		panic(fmt.Sprintf("gpu: Groups(%d, %d): the count must not be negative and the size must be positive", n, size))
	}
	return uint32((n + size - 1) / size)
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
