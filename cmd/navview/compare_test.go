//go:build compare

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"image"
	"image/draw"
	_ "image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

const (
	compareAgents = 10_000 // scenes of more take too long
	compareSteps  = "100"
	comparePoints = 200
)

// TestCompare builds the program of the commit OLD and that of the working tree, and compares what
// they make of every built-in scene: the state after some steps, answers to queries for each goal,
// and a picture.
func TestCompare(t *testing.T) {
	folder := t.TempDir()
	tree := filepath.Join(folder, "tree")
	command(t, "git", "worktree", "add", "--detach", tree, os.Getenv("OLD"))
	t.Cleanup(func() { command(t, "git", "worktree", "remove", "--force", tree) })
	programs := [2]string{filepath.Join(folder, "old"), filepath.Join(folder, "new")}
	command(t, "go", "-C", tree, "build", "-tags", "headless,egl", "-o", programs[0], "./cmd/navview")
	command(t, "go", "build", "-tags", "headless,egl", "-o", programs[1], ".")
	for _, entry := range builtin.List() {
		if entry.Agents > compareAgents {
			continue
		}
		t.Run(entry.Name, func(t *testing.T) {
			t.Parallel()
			scene, err := builtin.Load(entry.Name)
			if err != nil {
				t.Fatal(err)
			}
			both := func(what string, read func(output []byte) string, arguments ...string) {
				var got [2]string
				for i, program := range programs {
					got[i] = read(command(t, program, arguments...))
				}
				if got[0] != got[1] {
					t.Errorf("%s: old %.200s, new %.200s", what, got[0], got[1])
				}
			}
			text := func(output []byte) string { return string(output) }
			if entry.Agents > 0 {
				both("state", stateHash, "simulate", entry.Name, "--steps", compareSteps, "--report", "-")
			}
			for _, g := range scene.Goals {
				both("query "+g.ID, text, "query", entry.Name, "--goal", g.ID, "--path", "--points", points(t, scene))
			}
			picture := filepath.Join(t.TempDir(), "picture.png")
			both("picture", func([]byte) string { return pixels(t, picture) }, "render", entry.Name, "-o", picture, "--at", "1s")
		})
	}
}

// command runs a program and returns its standard output.
func command(t *testing.T, name string, arguments ...string) []byte {
	t.Helper()
	c := exec.Command(name, arguments...)
	var complaint bytes.Buffer
	c.Stderr = &complaint
	output, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, complaint.Bytes())
	}
	return output
}

func stateHash(report []byte) string {
	var r struct {
		StateHash string `json:"state_hash"`
	}
	if err := json.Unmarshal(report, &r); err != nil || r.StateHash == "" {
		return fmt.Sprintf("no state_hash in %s", report)
	}
	return r.StateHash
}

// points writes random points of the domain to a file.
func points(t *testing.T, scene *scenes.Scene) string {
	random := rand.New(rand.NewPCG(1, 2))
	low, side := scene.Min(), scene.Max().Sub(scene.Min())
	var lines strings.Builder
	for range comparePoints {
		fmt.Fprintln(&lines, low[0]+random.Float64()*side[0], low[1]+random.Float64()*side[1])
	}
	name := filepath.Join(t.TempDir(), "points")
	if err := os.WriteFile(name, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// pixels is the size and a sum of a picture's pixels: files may differ in how they are packed.
func pixels(t *testing.T, name string) string {
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, _, err := image.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	rgba := image.NewRGBA(picture.Bounds())
	draw.Draw(rgba, rgba.Bounds(), picture, picture.Bounds().Min, draw.Src)
	sum := fnv.New64a()
	sum.Write(rgba.Pix)
	return fmt.Sprintf("%v, sum %x", picture.Bounds(), sum.Sum64())
}
