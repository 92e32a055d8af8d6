package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"runtime"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/headless"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/spm"
)

// gap is a hall with a wall that leaves a gap at its upper end.
const gap = `{
  "version": 1,
  "domain": [0, 0, 20, 10],
  "obstacles": [{"id": "wall", "rect": [10, 0, 10.5, 7]}],
  "goals": [{"id": "exit", "points": [[19, 1]]}],
  "groups": [{"count": 10, "spawn": {"rect": [1, 1, 5, 9]}}],
}`

// inHall opens a world of the hall in a context without a display.
func inHall(use func(device *gpu.Device, world *engine.World) error) error {
	runtime.LockOSThread() // OpenGL belongs to one thread
	defer runtime.UnlockOSThread()
	context, err := headless.Open()
	if err != nil {
		return err
	}
	defer context.Close()
	if err := context.MakeCurrent(); err != nil {
		return err
	}
	device, err := gpu.New(gpu.Options{})
	if err != nil {
		return err
	}
	defer device.Close()
	scene, _ := scenes.Read("hall.json", []byte(gap))
	world, err := engine.New(device, scene, engine.Options{})
	if err != nil {
		return err
	}
	defer world.Close()
	return use(device, world)
}

// Questions to the world about its ground, and to the view of a goal about ways to it.
func ExampleWorld_View() {
	err := inHall(func(_ *gpu.Device, world *engine.World) error {
		exit, _ := world.Goal("exit")
		view, err := world.View(exit)
		if err != nil {
			return err
		}
		from := mgl64.Vec2{4, 3}
		fmt.Printf("%.3f m by way of %v\n", view.Query(from).Distance, view.Path(from))
		fmt.Println("in sight of the exit:", world.Sees(from, mgl64.Vec2{19, 1}))
		free, ok := world.NearestFree(mgl64.Vec2{10.1, 2}, 0.3)
		fmt.Printf("room for an agent: %.2f %v\n", free, ok)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 18.115 m by way of [[4 3] [10 7] [10.5 7] [19 1]]
	// in sight of the exit: false
	// room for an agent: [9.70 2.00] true
}

// The wall becomes shorter while people walk. Poll takes the new map on between ticks, so that the
// tick that needs it does not wait for it.
func ExampleWorld_Edit() {
	err := inHall(func(_ *gpu.Device, world *engine.World) error {
		exit, _ := world.Goal("exit")
		wall, _ := world.Obstacle("wall")
		_, err := world.Edit(func(e *engine.Edit) error {
			e.SetObstacle(wall, scenes.Obstacle{ID: "wall", Rect: &scenes.Rect{10, 0, 10.5, 2}})
			return nil
		})
		if err != nil {
			return err
		}
		// The edit takes effect with the first tick, its map with the second.
		for range 2 {
			if err := world.Step(); err != nil {
				return err
			}
			for world.Building() { // a host draws frames here
				if err := world.Poll(); err != nil {
					return err
				}
			}
		}
		view, err := world.View(exit)
		if err != nil {
			return err
		}
		fmt.Printf("%.3f m, %d ticks waited\n", view.Query(mgl64.Vec2{4, 3}).Distance, world.Work().Waits)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 15.133 m, 0 ticks waited
}

// A hundred thousand questions at once, on the GPU.
func ExampleWorld_Buffers() {
	err := inHall(func(device *gpu.Device, world *engine.World) error {
		maps := world.Buffers().Maps // a layer for each goal
		batch, err := spm.NewBatch(device, maps)
		if err != nil {
			return err
		}
		defer batch.Delete()
		points := make([]mgl64.Vec2, 100_000)
		for i := range points {
			points[i] = mgl64.Vec2{0.01 + 0.02*float64(i%1000), 0.05 + 0.1*float64(i/1000)}
		}
		answers, err := batch.Query(0, points)
		if err != nil {
			return err
		}
		farthest := 0.0
		for _, a := range answers {
			if a.State == spm.Reached {
				farthest = max(farthest, a.Distance)
			}
		}
		fmt.Printf("%d answers, the farthest is %.2f m away\n", len(answers), farthest)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 100000 answers, the farthest is 23.07 m away
}

// Agents are given local maps while they walk, and the field of one is read: its potential is
// highest where it is led to.
func ExampleEdit_SetProfile() {
	err := inHall(func(_ *gpu.Device, world *engine.World) error {
		kind := world.Profiles()[0]
		profile, err := world.Profile(kind)
		if err != nil {
			return err
		}
		profile.Steering = scenes.SteeringBVP
		profile.BVP.Bias.Direction = [2]scenes.Distribution{scenes.Exactly(0), scenes.Exactly(1)}
		profile.BVP.Bias.Strength = scenes.Uniform(0.2, 0.8) // each agent has its own
		if _, err := world.Edit(func(e *engine.Edit) error { e.SetProfile(kind, profile); return nil }); err != nil {
			return err
		}
		if err := world.Step(); err != nil {
			return err
		}
		maps := world.LocalMaps()
		walker, ok := maps.Walker(7)
		if !ok {
			return fmt.Errorf("agent 7 has no local map")
		}
		_, potential := maps.Read(walker) // waits for the device; maps.Potentials(walker) is the buffer
		goals := 0
		for k, fixed := range potential.Fixed { // those at the ends of the goal are goals in part
			if fixed && potential.Q[k] == 1 {
				goals++
			}
		}
		fmt.Printf("%d x %d cells, %d of them goals\n", potential.Cells, potential.Cells, goals)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 21 x 21 cells, 2 of them goals
}

// A document that was kept undoes what came after it. Obstacles that stay keep their handles, and
// agents go on walking.
func ExampleWorld_Sync() {
	err := inHall(func(_ *gpu.Device, world *engine.World) error {
		before := world.Document()
		changed := world.Document()
		changed.Obstacles[0].Rect = nil
		changed.Obstacles[0].Circle = &scenes.Circle{Center: mgl64.Vec2{10, 5}, Radius: 1}
		for _, document := range []*scenes.Scene{changed, changed, before} {
			report, err := world.Sync(document)
			if err != nil {
				return err
			}
			fmt.Println("obstacles touched:", report.Touched.Obstacles)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// obstacles touched: 1
	// obstacles touched: 0
	// obstacles touched: 1
}

// A world is saved, restored, and goes on as it would have.
func ExampleWorld_Save() {
	ctx := context.Background()
	scene, err := builtin.Load("car")
	if err != nil {
		log.Fatal(err)
	}
	world, err := engine.Headless(ctx, scene, engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer world.Close()
	var file bytes.Buffer
	if err := world.Save(&file); err != nil {
		log.Fatal(err)
	}
	again, err := engine.RestoreHeadless(ctx, &file, engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	var hashes [2]uint64
	for i, w := range []*engine.World{world, again} {
		for range 30 {
			if err := w.Step(); err != nil {
				log.Fatal(err)
			}
		}
		if hashes[i], err = w.Hash(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(hashes[0] == hashes[1])
	// Output: true
}

// openHall opens a world of the hall in a context and on a thread of its own.
func openHall() *engine.World {
	scene, _ := scenes.Read("hall.json", []byte(gap))
	world, err := engine.Headless(context.Background(), scene, engine.Options{Events: engine.Arrived | engine.Entered, Latest: 1})
	if err != nil {
		log.Fatal(err)
	}
	return world
}

// A world without a display, which any goroutine may step: ten seconds of ten agents.
func ExampleHeadless() {
	scene, _ := scenes.Read("hall.json", []byte(gap))
	world, err := engine.Headless(context.Background(), scene, engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer world.Close()
	for range 100 {
		if err := world.Step(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(world.Ticks(), world.Time(), len(world.Agents(nil)))
	// Output: 100 10 10
}

// What happened to single agents. Event.Tick is the tick that it happened in.
func ExampleWorld_Events() {
	world := openHall()
	defer world.Close()
	exit, _ := world.Goal("exit")
	_, err := world.Edit(func(e *engine.Edit) error {
		e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{18, 1}, Goal: exit, Profile: world.Profiles()[0], Tag: 7})
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	var events []engine.Event
	for range 20 {
		if err := world.Step(); err != nil {
			log.Fatal(err)
		}
		events = world.Events(events[:0]) // no memory is allocated once it is long enough
		for _, event := range events {
			if event.Tag == 7 {
				fmt.Println("entered:", event.Kinds&engine.Entered != 0, "arrived:", event.Kinds&engine.Arrived != 0)
			}
		}
	}
	// Output:
	// entered: true arrived: false
	// entered: false arrived: true
}

// States without a wait, into memory of the host's own: those of some ticks ago.
func ExampleWorld_Latest() {
	world := openHall()
	defer world.Close()
	var states engine.Snapshot
	for range 50 {
		if err := world.Step(); err != nil {
			log.Fatal(err)
		}
		if _, err := world.Latest(&states); err != nil {
			log.Fatal(err)
		}
	}
	id := world.Agents(nil)[0]
	_, there := states.Index(id)
	fmt.Println(len(states.Positions), "agents,", there, states.Tick > 0 && states.Tick <= world.Ticks())
	// Output: 10 agents, true true
}

// A late input: back to before it, and on with it.
func ExampleWorld_Rollback() {
	world := openHall()
	defer world.Close()
	before, err := world.Checkpoint()
	if err != nil {
		log.Fatal(err)
	}
	defer before.Free()
	run := func() uint64 {
		for range 20 {
			if err := world.Step(); err != nil {
				log.Fatal(err)
			}
		}
		hash, err := world.Hash()
		if err != nil {
			log.Fatal(err)
		}
		return hash
	}
	pause := func(e *engine.Edit) error { e.Pause(true, world.Agents(nil)...); return nil }
	without := run()
	var hashes []uint64
	for range 2 {
		if err := world.Rollback(before); err != nil {
			log.Fatal(err)
		}
		if _, err := world.Edit(pause); err != nil {
			log.Fatal(err)
		}
		hashes = append(hashes, run())
	}
	fmt.Println(world.Ticks(), hashes[0] == hashes[1], hashes[0] == without)
	// Output: 20 true false
}

// A server's worlds, at most as many as it has memory for.
func ExampleNewPool() {
	pool, err := engine.NewPool(2)
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	scene, _ := scenes.Read("hall.json", []byte(gap))
	for range 3 {
		world, err := pool.Open(context.Background(), scene, engine.Options{})
		if errors.Is(err, engine.ErrBusy) {
			fmt.Println("busy")
			continue
		}
		if err != nil {
			log.Fatal(err)
		}
		if err := world.Step(); err != nil {
			log.Fatal(err)
		}
		fmt.Println(pool.Worlds(), "open")
	}
	// Output:
	// 1 open
	// 2 open
	// busy
}

// Why an agent moves as it does, three ticks later.
func ExampleWorld_Mind() {
	err := inHall(func(_ *gpu.Device, world *engine.World) error {
		id := world.Agents(nil)[0]
		if _, err := world.Edit(func(e *engine.Edit) error { e.Pause(true, id); return nil }); err != nil {
			return err
		}
		if err := world.Watch(id); err != nil {
			return err
		}
		for range 4 {
			if err := world.Step(); err != nil {
				return err
			}
		}
		mind, ok, err := world.Mind(id)
		if ok {
			fmt.Printf("in tick %d of %d the agent %v\n", mind.Tick, world.Ticks(), mind.Because)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// in tick 1 of 4 the agent is paused
}
