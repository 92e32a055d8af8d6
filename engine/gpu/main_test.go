package gpu_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

func TestMain(m *testing.M) { gputest.Main(m) }

// program makes a program of sources: a file name without its folder, and its text without the version, in turn.
func program(t testing.TB, d *gpu.Device, spec gpu.Spec, sources ...string) *gpu.Program {
	t.Helper()
	p, err := tryProgram(d, spec, sources...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func tryProgram(d *gpu.Device, spec gpu.Spec, sources ...string) (*gpu.Program, error) {
	files := fstest.MapFS{}
	for i := 0; i < len(sources); i += 2 {
		name := "own/" + sources[i]
		files[name] = &fstest.MapFile{Data: []byte("#version 450 core\n" + sources[i+1])}
		spec.Stages = append(spec.Stages, name)
	}
	spec.Files = files
	return gpu.NewProgram(d, spec)
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

func target(t testing.TB, d *gpu.Device, a gpu.Attachments) *gpu.Target {
	t.Helper()
	x, err := gpu.NewTarget(d, a)
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
