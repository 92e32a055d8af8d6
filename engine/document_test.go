package engine

import (
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/scenestest"
	"github.com/wayfront/wayfront/spm"
)

// TestDocument: a world without edits gives its scene back; one with edits a scene whose world is
// as the first one.
func TestDocument(t *testing.T) {
	scene := scenestest.Read(t, "a", `{"version": 1, "domain": [0, 0, 20, 10], "obstacles": [
		{"id": "box", "rect": [4, 4, 5, 6]}, {"id": "pillar", "circle": {"center": [10, 5], "radius": 1}}, {"id": "heap", "polygon": [[14, 2], [16, 2], [15, 4]]},
		{"id": "door", "rect": [7, 0, 7.5, 4], "open": [[3, 9]]}, {"id": "cart", "rect": [1, 8, 2, 9], "motion": {"path": [[0, 0], [3, 0]], "speed": 1}}],
		"goals": [{"id": "a", "points": [[19, 5]]}, {"id": "b", "segments": [[[1, 1], [1, 3]]], "clearance": 0.2}],
		"groups": [{"count": 3, "spawn": {"rect": [16, 6, 18, 8]}}]}`)
	gputest.Run(t, func(d *gpu.Device) {
		open := func(s *scenes.Scene) *World {
			w, err := New(d, s, Options{})
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		w := open(scene)
		defer w.Close()
		if got := w.Document(); !reflect.DeepEqual(got, scene) {
			t.Errorf("without edits\n%+v\nwant\n%+v", got, scene)
		}
		handle := func(id string) ObstacleID {
			o, ok := w.Obstacle(id)
			if !ok {
				t.Fatalf("no obstacle is called %s", id)
			}
			return o
		}
		_, err := w.Edit(func(e *Edit) error {
			e.MoveObstacle(handle("box"), mgl64.Vec2{0.1, -0.7})
			e.MoveObstacle(handle("pillar"), mgl64.Vec2{-0.3, 0.1})
			e.SetDoor(handle("heap"), DoorOpen)
			e.SetDoor(handle("door"), DoorOpen)
			e.AddObstacle(scenes.Obstacle{}.Shaped(geom.Polygon{Outer: geom.Ring{{12, 1}, {13, 1}, {13, 2}}}))
			a, _ := w.Goal("a")
			e.SetSources(a, spm.Goal{Points: []mgl64.Vec2{{18, 9}, {2, 2}}, Segments: [][2]mgl64.Vec2{{{9, 9}, {11, 9}}}})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		edited := w.Document()
		always := []scenes.Interval{{0, Forever}}
		if o := edited.Obstacles; len(o) != 6 || *o[0].Rect != (scenes.Rect{4.1, 3.3, 5.1, 5.3}) || o[1].Circle == nil || o[1].Circle.Center != (mgl64.Vec2{9.7, 5.1}) ||
			!slices.Equal(o[2].Open, always) || o[3].ID != "door" || !slices.Equal(o[3].Open, always) || o[4].Motion == nil || len(o[5].Outline) != 3 {
			t.Errorf("obstacles %+v", o)
		}
		if g := edited.Goals; len(g[0].Points) != 2 || len(g[0].Segments) != 1 || !reflect.DeepEqual(g[1], scene.Goals[1]) {
			t.Errorf("goals %+v", g)
		}
		document, err := edited.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again := scenestest.Read(t, "a", document)
		other := open(again)
		defer other.Close()
		for range 3 {
			for _, world := range []*World{w, other} {
				if err := world.Step(); err != nil {
					t.Fatal(err)
				}
			}
		}
		one, two := w.Ground(), other.Ground()
		if !reflect.DeepEqual(one.Vertices, two.Vertices) || !reflect.DeepEqual(one.Walls, two.Walls) {
			t.Error("the ground of the edited scene is not that of the edited world")
		}
		for _, id := range []string{"a", "b"} {
			g, _ := w.Goal(id)
			h, _ := other.Goal(id)
			v, err := w.View(g)
			if err != nil {
				t.Fatal(err)
			}
			u, err := other.View(h)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range []mgl64.Vec2{{3, 3}, {6, 9}, {12, 5}, {15, 3}, {19, 1}} {
				if a, b := v.Query(p), u.Query(p); a != b {
					t.Errorf("goal %s from %v: %v, want %v", id, p, b, a)
				}
			}
		}
	})
}

// TestDocumentOfLocalMaps: local maps that were changed, given and taken away are those of the
// scene that is left.
func TestDocumentOfLocalMaps(t *testing.T) {
	scene := scenestest.Read(t, "a", `{"version": 1, "domain": [0, 0, 20, 10], "goals": [{"id": "a", "points": [[19, 5]]}],
		"profiles": [{"id": "b", "steering": "bvp"}, {"id": "c", "steering": "bvp"}, {"id": "d"}, {"id": "e", "steering": "direct"}]}`)
	gputest.Run(t, func(d *gpu.Device) {
		w, err := New(d, scene, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		wider := scene.Profiles[0].Mean().BVP
		wider.Cells = 33
		for profile, m := range []*scenes.BVP{&wider, nil, &wider} {
			if err := SetLocalMap(w, profile, m); err != nil {
				t.Fatal(err)
			}
		}
		p := w.Document().Profiles
		for i, want := range []scenes.Steering{scenes.SteeringBVP, scenes.SteeringSPM, scenes.SteeringBVP, scenes.SteeringDirect} {
			if p[i].Steering != want || want == scenes.SteeringBVP && p[i].BVP.Cells.Mean != 33 {
				t.Errorf("%s steers by %s with %v cells, want %s", p[i].ID, p[i].Steering, p[i].BVP.Cells.Mean, want)
			}
		}
		if scene.Profiles[0].BVP.Cells.Mean == 33 || scene.Profiles[1].Steering != scenes.SteeringBVP {
			t.Error("the scene has changed")
		}
	})
}
