package engine_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// program writes the text of a program to a file of its own.
func program(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// goCommand runs the go command in the module, with the environment changed.
func goCommand(t *testing.T, env []string, arguments ...string) string {
	t.Helper()
	command := exec.Command("go", arguments...)
	command.Dir, command.Env = "..", append(os.Environ(), env...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v go %s: %v\n%s", env, strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// TestEngineLinksNoWindowSystem builds a program that imports the engine: with tag egl it needs EGL
// and the C library alone, without it libGL besides. It has no window, database or GUI.
func TestEngineLinksNoWindowSystem(t *testing.T) {
	source := program(t, `package main

import (
	"context"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/scenes"
)

func main() {
	w, err := engine.Headless(context.Background(), scenes.New(scenes.Rect{0, 0, 9, 9}), engine.Options{})
	if err == nil {
		w.Close()
	}
}
`)
	system := []string{"libc.so.6", "libdl.so.2", "libpthread.so.0", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
	for tags, own := range map[string][]string{"egl": {"libEGL.so.1"}, "headless,egl": {"libEGL.so.1"}, "": {"libGL.so.1", "libX11.so.6"}} {
		binary := filepath.Join(t.TempDir(), "program")
		goCommand(t, nil, "build", "-tags", tags, "-o", binary, source)
		file, err := elf.Open(binary)
		if err != nil {
			t.Fatal(err)
		}
		needed, err := file.ImportedLibraries()
		file.Close()
		if err != nil || !slices.Contains(needed, own[0]) {
			t.Errorf("tags %q: the binary needs %v, want %s among them: %v", tags, needed, own[0], err)
		}
		for _, library := range needed {
			if !slices.Contains(system, library) && !slices.Contains(own, library) {
				t.Errorf("tags %q: the binary needs %s", tags, library)
			}
		}
		deps := strings.Fields(goCommand(t, nil, "list", "-deps", "-tags", tags, source))
		if !slices.Contains(deps, module+"engine") {
			t.Fatalf("the list lacks what is known to be imported: %v", deps)
		}
		for _, dep := range deps {
			for _, other := range []string{"sql", "glfw", "engine/window", "parquet", "gonum.org", "golang.org/x/image", "kong"} {
				if strings.Contains(dep, other) {
					t.Errorf("tags %q: importing the engine brings %s", tags, dep)
				}
			}
		}
	}
}

// TestExactAnywhere runs exact path questions in a program without cgo, and builds their packages
// and that of trajectories for systems that have no OpenGL of Wayfront's.
func TestExactAnywhere(t *testing.T) {
	source := program(t, `package main

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm/exact"
)

func main() {
	s := scenes.New(scenes.Rect{0, 0, 10, 10})
	s.Obstacles = []scenes.Obstacle{{Rect: &scenes.Rect{4, 0, 6, 6}}}
	l, err := s.Lattice()
	if err != nil {
		panic(err)
	}
	b := geom.NewBuilder(l)
	if err := b.Set(0, s.Obstacles[0].Polygon()); err != nil {
		panic(err)
	}
	g, err := b.Ground()
	if err != nil {
		panic(err)
	}
	v, err := exact.Solve(g, exact.Goal{Points: []mgl64.Vec2{{9, 2}}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.3f", v.Query(mgl64.Vec2{1, 2}).Distance)
}
`)
	// Two legs of 3 by 4 m, and 2 m along the obstacle's upper side.
	if got := goCommand(t, []string{"CGO_ENABLED=0"}, "run", source); got != "12.000" {
		t.Errorf("the distance is %s", got)
	}
	for _, system := range []string{"js/wasm", "darwin/arm64", "freebsd/amd64", "windows/amd64"} {
		name, machine, _ := strings.Cut(system, "/")
		goCommand(t, []string{"CGO_ENABLED=0", "GOOS=" + name, "GOARCH=" + machine}, "build", "./spm/exact", "./engine/geom/...", "./scenes", "./agents/traj")
	}
}
