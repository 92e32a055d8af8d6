package engine

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/internal/flat"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/shaders"
)

// Fingerprint is all that a run depends on besides its scene and its edits. Runs of equal
// fingerprints are equal, bit for bit; nothing is promised where one field differs.
type Fingerprint struct {
	Renderer  string     `json:"renderer"`  // the device
	Driver    string     `json:"driver"`    // its vendor, and the version of OpenGL with the driver's
	Processor string     `json:"processor"` // what Go was compiled for
	Module    string     `json:"module"`    // the version of Wayfront; "(devel)" in its own tree
	Shaders   string     `json:"shaders"`   // a hash of their text
	Layout    string     `json:"layout"`    // a hash of what a saved world has, and of the methods of Edit
	MapSize   int        `json:"mapSize"`   // texels along the domain's longer side
	Method    string     `json:"method"`    // that maps are built by
	Events    EventKinds `json:"events"`    // that are reported
}

// Differences lists what differs between two fingerprints, as lines for people.
func (f Fingerprint) Differences(other Fingerprint) (lines []string) {
	a, b := reflect.ValueOf(f), reflect.ValueOf(other)
	for i := range a.NumField() {
		if x, y := a.Field(i).Interface(), b.Field(i).Interface(); x != y {
			lines = append(lines, fmt.Sprintf("%s is %v there and %v here", a.Type().Field(i).Tag.Get("json"), x, y))
		}
	}
	return lines
}

// IncompatibleError says that a world was saved, or a journal written, under another fingerprint
// than the one here: it would not go on as it did there.
type IncompatibleError struct{ There, Here Fingerprint }

func (e *IncompatibleError) Error() string {
	return "engine: the fingerprints differ: " + strings.Join(e.There.Differences(e.Here), "; ") +
		"; use that device, driver and version, and the options that the world was made with"
}

// Fingerprint is that of the world.
func (w *World) Fingerprint() Fingerprint {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fingerprint
}

// fingerprintOf is the fingerprint of a world of a scene that was checked.
func fingerprintOf(d *gpu.Device, scene *scenes.Scene, o Options) Fingerprint {
	info := d.Info()
	f := Fingerprint{
		Renderer: info.Renderer, Driver: info.Vendor + ", " + info.Version, Processor: runtime.GOARCH, Module: moduleVersion(),
		Shaders: shaderDigest(), Layout: savedLayout(), MapSize: scene.Map.Size, Method: o.Method.String(), Events: o.Events,
	}
	if o.MapSize > 0 {
		f.MapSize = o.MapSize
	}
	return f
}

var shaderDigest = sync.OnceValue(shaders.Digest)

// savedLayout is a hash of how the state of worlds and the arguments of edits are written.
var savedLayout = sync.OnceValue(func() string {
	codec := new(tables).codec()
	types := []reflect.Type{reflect.TypeFor[savedTables](), reflect.TypeFor[journalEntry]()}
	for _, name := range slices.Sorted(maps.Keys(editMethods())) {
		types = append(types, argumentsOf(editMethods()[name].Type))
	}
	state, err := codec.Layout(reflect.TypeFor[savedState]())
	h := fnv.New64a()
	fmt.Fprintln(h, state)
	for _, t := range types {
		layout, failed := new(flat.Codec).Layout(t)
		err = errors.Join(err, failed)
		fmt.Fprintln(h, layout)
	}
	if err != nil {
		panic(err) // TestSavedStateIsPlain
	}
	return fmt.Sprintf("%016x", h.Sum64())
})

// moduleVersion is the version of this module in the program.
var moduleVersion = sync.OnceValue(func() string {
	const path = "github.com/wayfront/wayfront"
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path == path {
		return "(devel)"
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Version + m.Sum
		}
	}
	return "(devel)"
})
