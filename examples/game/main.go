// Command game is a game in a window and with shaders of its own. A door lets in a citizen a
// second, and citizens visit the fountain, the market and the gate. You are the ghost: walk with
// the arrows, catch citizens in reach with space.
package main

import (
	_ "embed"
	"fmt"
	"log"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/go-gl/gl/v4.5-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

var (
	//go:embed game.glsl
	shaders string
	places  = []mgl64.Vec2{{16, 9}, {27, 3}, {30, 15}} // fountain, market, gate
	walls   = []scenes.Rect{{8, 0, 8.6, 6}, {8, 12, 8.6, 18}, {14, 3, 18, 4}, {14, 14, 18, 15}, {23, 0, 23.6, 7}, {23, 11, 23.6, 18}, {27, 8, 30, 10}}
	arrows  = map[glfw.Key]mgl64.Vec2{glfw.KeyLeft: {-4, 0}, glfw.KeyRight: {4, 0}, glfw.KeyUp: {0, 4}, glfw.KeyDown: {0, -4}} // m/s
)

type game struct {
	window       *glfw.Window
	world        *engine.World
	visits       map[engine.AgentID]int // of citizens: the number of the place that each walks to, from 1
	ghost        engine.AgentID
	at           mgl64.Vec2 // of the ghost
	crowd        engine.Snapshot
	caught, gone int
	next         float64 // when the door lets in another citizen, seconds
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	runtime.LockOSThread()
	must(0, glfw.Init())
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 5)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	g := &game{window: must(glfw.CreateWindow(1280, 720, "ghost", nil, nil)), visits: map[engine.AgentID]int{}, at: mgl64.Vec2{20, 9}}
	g.window.MakeContextCurrent()
	must(0, gl.Init())
	scene := scenes.New(scenes.Rect{0, 0, 32, 18})
	scene.Simulation.Timestep = 1. / 30
	for _, w := range walls {
		scene.Obstacles = append(scene.Obstacles, scenes.Obstacle{Rect: &w})
	}
	for _, p := range places {
		scene.Goals = append(scene.Goals, scenes.Goal{Points: []mgl64.Vec2{p}, ArrivalRadius: 1.5, Clearance: 0.4})
	}
	g.world = must(engine.New(must(gpu.New(gpu.Options{})), scene, engine.Options{Events: engine.Arrived, Latest: 1}))
	must(g.world.Edit(func(e *engine.Edit) error {
		ghost := engine.Profile{Profile: scenes.DefaultProfile(), Control: engine.Puppet}
		ghost.ID, ghost.Radius = "ghost", scenes.Exactly(0.4)
		g.ghost = e.AddAgents(nil, engine.Spawn{At: g.at, Goal: g.world.Goals()[0], Profile: e.AddProfile(ghost), Tag: 1})[0]
		return nil
	}))
	g.compile()
	for then := time.Now(); !g.window.ShouldClose() && !g.pressed(glfw.KeyEscape); g.window.SwapBuffers() {
		elapsed := time.Since(then)
		then = then.Add(elapsed)
		glfw.PollEvents()
		must(g.world.Edit(func(e *engine.Edit) error { g.play(e, min(elapsed.Seconds(), 0.1)); return nil }))
		gl.Uniform2f(0, float32(must(g.world.Advance(elapsed)).Fraction), float32(g.world.Time()))
		crowd := g.world.Buffers().Agents // as the last tick and the one before it left them
		for slot, name := range []uint32{crowd.Agents.Name(), crowd.Previous.Name(), crowd.Traits.Name()} {
			gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, uint32(slot), name)
		}
		gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(1+crowd.Count)) // the ground first
		g.window.SetTitle(fmt.Sprintf("ghost: %d caught, %d through the gate", g.caught, g.gone))
	}
}

func (g *game) pressed(k glfw.Key) bool { return g.window.GetKey(k) == glfw.Press }

// play moves the ghost, lets citizens in, and sends those that have arrived on.
func (g *game) play(e *engine.Edit, seconds float64) {
	var velocity mgl64.Vec2
	for key, v := range arrows {
		if g.pressed(key) {
			velocity = velocity.Add(v)
		}
	}
	g.at = g.at.Add(velocity.Mul(seconds))
	g.at, _ = g.world.NearestFree(g.at, 0.4) // off walls
	e.Place(g.ghost, g.at, velocity)
	if g.world.Time() >= g.next {
		g.next++
		at := mgl64.Vec2{1, 8 + 2*rand.Float64()}
		g.visits[e.AddAgents(nil, engine.Spawn{At: at, Goal: g.world.Goals()[0], Profile: g.world.Profiles()[0]})[0]] = 1
	}
	remove := func(id engine.AgentID, count *int) { e.Remove(id); delete(g.visits, id); *count++ }
	must(g.world.Latest(&g.crowd))
	for _, i := range g.crowd.Within(nil, g.at, 1.6) {
		if id := g.crowd.IDs[i]; g.visits[id] > 0 && g.pressed(glfw.KeySpace) {
			remove(id, &g.caught)
		}
	}
	for _, event := range g.world.Events(nil) {
		switch n := g.visits[event.Agent]; {
		case n == 0: // it was caught since
		case n < len(g.world.Goals()):
			e.Send(g.world.Goals()[n], event.Agent)
			g.visits[event.Agent]++
		default:
			remove(event.Agent, &g.gone)
		}
	}
}

// compile makes the program of the game, and sets state that stays: the world leaves it as it is.
func (g *game) compile() {
	program, vertices, linked := gl.CreateProgram(), uint32(0), int32(0)
	for stage, kind := range map[string]uint32{"VERTEX": gl.VERTEX_SHADER, "FRAGMENT": gl.FRAGMENT_SHADER} {
		source, free := gl.Strs("#version 450 core\n#define " + stage + "\n" + engine.AgentsGLSL() + shaders + "\x00")
		shader := gl.CreateShader(kind)
		gl.ShaderSource(shader, 1, source, nil)
		gl.CompileShader(shader)
		gl.AttachShader(program, shader)
		free()
	}
	gl.LinkProgram(program)
	if gl.GetProgramiv(program, gl.LINK_STATUS, &linked); linked == gl.FALSE {
		log.Fatal("a shader does not compile")
	}
	gl.GenVertexArrays(1, &vertices)
	gl.BindVertexArray(vertices)
	gl.UseProgram(program)
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
}
