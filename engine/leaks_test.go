package engine_test

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/gl/v4.5-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// liveObjects is how many objects of each kind OpenGL has. Drivers deal out names from 1 on and use
// freed ones again, so a thousand free names in a row are behind the last.
func liveObjects() (count [4]int) {
	for kind, is := range [...]func(uint32) bool{gl.IsBuffer, gl.IsTexture, gl.IsFramebuffer, gl.IsQuery} {
		for name, free := uint32(1), 0; free < 1000; name++ {
			free++
			if is(name) {
				count[kind]++
				free = 0
			}
		}
	}
	return count
}

// What is replaced is freed at once: after 1,200 changes of one world, and after worlds were opened
// and closed, OpenGL has as many buffers, textures, framebuffers and queries as before.
func TestDeviceMemoryHasOwners(t *testing.T) {
	s := scenestest.Read(t, "two-rooms", strings.Replace(rooms2, `"size": 200`, `"size": 64`, 1))
	box := func(x, y float64) geom.Polygon {
		return geom.Polygon{Outer: geom.Ring{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}}
	}
	local := scenes.BVP{Cells: 11, CellSize: 0.3, InertiaTime: 0.1, InertiaForm: scenes.InertiaAngle, Rules: scenes.RulesRobust, Method: scenes.MethodRedBlack, Relaxations: 10, ViewAngle: 360, Guide: scenes.GuideSPM}
	gputest.Run(t, func(d *gpu.Device) {
		open := func() *engine.World {
			w, err := engine.New(d, s, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		open().Close() // what the device keeps for all worlds
		before := liveObjects()
		w := open()
		defer w.Close()
		var added engine.ObstacleID
		change := func(i int) {
			_, err := w.Edit(func(e *engine.Edit) error {
				switch i % 4 {
				case 0:
					added = e.AddObstacle(scenes.Obstacle{}.Shaped(box(3+float64(i%40)/10, 4)))
				case 1:
					e.MoveObstacle(added, mgl64.Vec2{0, 1})
				case 2:
					e.RemoveObstacle(added)
				case 3:
					east, _ := w.Goal("east")
					e.SetSources(east, at(mgl64.Vec2{18, 2 + math.Mod(float64(i), 7)}))
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			kind := w.Profiles()[0]
			profile, err := w.Profile(kind)
			if err != nil {
				t.Fatal(err)
			}
			profile.Avoidance, profile.MaxNeighbors = scenes.Avoidance(scenes.Avoidances()[1+i%3]), 1+i%20
			edit(t, w, func(e *engine.Edit) { e.SetProfile(kind, profile) })
			switch i % 100 {
			case 10:
				local.Cells = []int{11, 21}[i/100%2]
				err = engine.SetLocalMap(w, 0, &local)
			case 60:
				err = engine.SetLocalMap(w, 0, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			steps(t, w, 1)
		}
		// Changes repeat every 600; after the first 600 everything is as large as it gets.
		var warm [4]int
		for i := range 1200 {
			change(i % 600)
			if i == 599 {
				steps(t, w, 3) // completes the maps that the last change has begun
				warm = liveObjects()
			}
		}
		steps(t, w, 3)
		if now := liveObjects(); now != warm {
			t.Errorf("buffers, textures, framebuffers, queries: %v after 1200 changes, %v after 600", now, warm)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			w := open()
			steps(t, w, 1)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if now := liveObjects(); now != before {
			t.Errorf("buffers, textures, framebuffers, queries: %v once all worlds are closed, before them %v", now, before)
		}
	})
}
