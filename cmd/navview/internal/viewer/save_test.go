//go:build !headless

package viewer

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/engine/window"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// TestSave: what was edited is in a new file beside the scene's own, under an unused name, and in
// that file again until another program has changed it.
func TestSave(t *testing.T) {
	at(t, yard, func(a *author) {
		folder := filepath.Dir(a.doc.File)
		files := func() (names []string) {
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				names = append(names, e.Name())
			}
			return names
		}
		saved := func(name string) *scenes.Scene {
			s, err := scenes.Load(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		holds := func(what string, want ...string) {
			t.Helper()
			if got := files(); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s: files %q, want %q", what, got, want)
			}
		}
		save := func() { t.Helper(); a.key("s", window.Control) }
		a.key("s", 0)
		if save(); !strings.Contains(a.notice, "nothing to save") {
			t.Errorf("said %q", a.notice)
		}
		holds("without an edit", "scene.json")

		a.drag(mgl64.Vec2{38, 9}, mgl64.Vec2{36, 4})
		a.drag(mgl64.Vec2{26, 12}, mgl64.Vec2{27, 16})
		save()
		holds("an edit", "scene-edited.json", "scene.json")
		if !strings.Contains(a.notice, "scene-edited.json") {
			t.Errorf("said %q", a.notice)
		}
		s := saved("scene-edited.json")
		if !near(s.Goals[0].Points[0], mgl64.Vec2{36, 4}) || !near(s.Obstacles[3].Circle.Center, mgl64.Vec2{27, 16}) || len(s.Groups) != 1 || s.Map.Size != 50 {
			t.Errorf("saved %+v", s)
		}
		if data, err := os.ReadFile(a.doc.File); err != nil || string(data) != yard {
			t.Errorf("the scene's own file was changed: %v", err)
		}

		a.drag(mgl64.Vec2{36, 4}, mgl64.Vec2{36, 6})
		save()
		holds("a second edit", "scene-edited.json", "scene.json")
		if s := saved("scene-edited.json"); !near(s.Goals[0].Points[0], mgl64.Vec2{36, 6}) {
			t.Errorf("goals %+v", s.Goals)
		}

		if err := os.WriteFile(filepath.Join(folder, "scene-edited.json"), []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		save()
		holds("a file of another program", "scene-edited-2.json", "scene-edited.json", "scene.json")
		if data, err := os.ReadFile(filepath.Join(folder, "scene-edited.json")); err != nil || string(data) != "mine" {
			t.Errorf("the file of another program was overwritten: %q, %v", data, err)
		}

		// A source that is buried: readers of scenes refuse that.
		a.drag(mgl64.Vec2{36, 6}, mgl64.Vec2{14.2, 4})
		save()
		holds("a buried source", "scene-edited-2.json", "scene-edited.json", "scene.json")
		if words := strings.Join(a.alarm, "\n"); !strings.Contains(words, "cannot save") || !strings.Contains(words, "$.goals[0].points[0]: ") {
			t.Errorf("alarm %q", words)
		}
		a.key("z", window.Control)
		save()
		if a.alarm != nil {
			t.Errorf("alarm %q", a.alarm)
		}
	})
}

// TestSavedNumbers: what was dragged has short coordinates, a quarter of a step from where it is at
// most, and all else its own.
func TestSavedNumbers(t *testing.T) {
	s := scenestest.Read(t, "a", `{"version": 1, "domain": [0, 0, 40, 25], "goals": [{"points": [[1.23456789012345, 2]], "segments": [[[3, 3], [4, 4]]]}],
		"obstacles": [{"circle": {"center": [9, 9.87654321098765], "radius": 1}}, {"rect": [20, 1, 21, 2]}, {"polygon": [[5, 5], [6, 5], [6, 6]]}]}`)
	moved, _ := scenes.Read("a", must(s.Encode()))
	const step = 40.0 / (1 << 20)
	by := mgl64.Vec2{1.0 / 3, -2.0 / 7}
	moved.Goals[0].Segments[0][1] = moved.Goals[0].Segments[0][1].Add(by)
	moved.Obstacles[0].Circle.Center = moved.Obstacles[0].Circle.Center.Add(by)
	for k := range moved.Obstacles[1].Rect {
		moved.Obstacles[1].Rect[k] += by[0]
	}
	moved.Obstacles[2].Outline[0] = moved.Obstacles[2].Outline[0].Add(by)
	var before, after, was []float64
	eachNumber(editable(moved), func(v reflect.Value) { before = append(before, v.Float()) })
	eachNumber(editable(s), func(v reflect.Value) { was = append(was, v.Float()) })
	rounded(moved, s, step)
	eachNumber(editable(moved), func(v reflect.Value) { after = append(after, v.Float()) })
	for i, v := range after {
		text := strconv.FormatFloat(v, 'f', -1, 64)
		_, decimals, _ := strings.Cut(text, ".")
		if math.Abs(v-before[i]) > step/4 || before[i] == was[i] && v != was[i] || v != was[i] && len(decimals) > 5 {
			t.Errorf("%v became %s", before[i], text)
		}
	}
	// And the circle's radius, and two of the goal.
	if coordinates := 2 + 4 + 2 + 4 + 6; len(after) != coordinates+3 {
		t.Errorf("%d numbers", len(after))
	}
}

// must is what worked.
func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

func TestSavedNames(t *testing.T) {
	for file, want := range map[string]string{
		"plaza": "plaza-edited.json", "-": "scene-edited.json", "a/hall.json": "a/hall-edited.json", "a/hall-edited.json": "a/hall-edited.json",
		"hall-edited-12.json": "hall-edited.json", "./x.y.json": "x.y-edited.json",
	} {
		if got := savedName(&document.Document{File: file}, 1); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
	if got := savedName(&document.Document{File: "hall.json"}, 3); got != "hall-edited-3.json" {
		t.Errorf("got %s", got)
	}
}
