package gpu_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

func TestMain(m *testing.M) { gputest.Main(m) }

// specOf is the pass of sources: a file name without its folder, and its text without the version,
// in turn.
func specOf[T any](sources ...string) gpu.PassSpec[T] {
	spec, files := gpu.PassSpec[T]{}, fstest.MapFS{}
	for i := 0; i < len(sources); i += 2 {
		name := "own/" + sources[i]
		files[name] = &fstest.MapFile{Data: []byte("#version 450 core\n" + sources[i+1])}
		spec.Stages = append(spec.Stages, name)
	}
	spec.Files = files
	return spec
}

// pass makes a pass of sources, as in specOf.
func pass[T any](t testing.TB, d *gpu.Device, sources ...string) *gpu.Pass[T] {
	t.Helper()
	p, err := gpu.NewPass(d, specOf[T](sources...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// compute makes a compute pass of one stage.
func compute[T any](t testing.TB, d *gpu.Device, text string) *gpu.Pass[T] {
	t.Helper()
	return pass[T](t, d, "pass.comp.glsl", text)
}

// outInput is the input of passes that write one buffer.
type outInput[T any] struct {
	values *gpu.Buffer[T] `gpu:"write"`
}

func buffer[T any](t testing.TB, d *gpu.Device, n int) *gpu.Buffer[T] {
	t.Helper()
	b, err := gpu.NewBuffer[T](d, t.Name(), n)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func texture(t testing.TB, d *gpu.Device, format gpu.Format, width, height, layers int) *gpu.Texture {
	t.Helper()
	x, err := gpu.NewTexture(d, gpu.TextureSpec{Label: t.Name(), Format: format, Width: width, Height: height, Layers: layers})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func target(t testing.TB, d *gpu.Device, color *gpu.Texture, layer int, depth *gpu.Texture) *gpu.Target {
	t.Helper()
	x, err := gpu.NewTarget(d, color, layer, depth)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// read gives all elements of a buffer.
func read[T any](b *gpu.Buffer[T]) []T {
	dst := make([]T, b.Len())
	b.Read(0, dst)
	return dst
}

// panics checks that f panics with a message of this package that contains all of the parts.
func panics(t *testing.T, f func(), parts ...string) {
	t.Helper()
	defer func() {
		t.Helper()
		message, _ := recover().(string)
		if !strings.HasPrefix(message, "gpu: ") {
			t.Errorf("panicked with %q, want a message of gpu", message)
		}
		for _, part := range parts {
			if !strings.Contains(message, part) {
				t.Errorf("panicked with %q, want %q in it", message, part)
			}
		}
	}()
	f()
}
