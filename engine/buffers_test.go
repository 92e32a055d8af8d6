package engine_test

import (
	"slices"
	"testing"

	"github.com/go-gl/gl/v4.5-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// hostReads is a shader of a host that pastes the records: where agents are, before the tick and
// after it, their radii and tags.
const hostReads = `
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer Agents { Agent agents[]; };
layout(std430, binding = 1) readonly buffer Previous { Agent previous[]; };
layout(std430, binding = 2) readonly buffer TraitsOf { Traits traits[]; };
layout(std430, binding = 3) writeonly buffer Seen { vec4 seen[]; };
void main() {
    uint i = gl_WorkGroupID.x;
    bool there = agentIsThere(agents[i].status);
    seen[2 * i] = vec4(previous[i].position, agents[i].position);
    seen[2 * i + 1] = vec4(there, traits[i].radius, traits[i].tag, agents[i].layer);
}`

// TestBuffersOfAHost has a host's shader read the buffers, in a domain whose corner is not the
// origin of the world, and compares with snapshots.
func TestBuffersOfAHost(t *testing.T) {
	const scene = `{"version": 1, "domain": [-100, 50, -80, 60], "goals": [{"id": "a", "points": [[-81, 55]]}, {"id": "b", "points": [[-99, 55]]}],
		"profiles": [{"id": "walker", "radius": 0.25, "preferredSpeed": {"std": 0}}], "map": {"size": 40}}`
	run(t, open(t, scene), func(d *gpu.Device, w *engine.World) {
		walker, a, b := w.Profiles()[0], w.Goals()[0], w.Goals()[1]

		puppet := profileOf(t, w, walker, engine.Puppet)
		puppet.ID, puppet.Radius = "player", scenes.Exactly(0.375)
		var ids []engine.AgentID
		edit(t, w, func(e *engine.Edit) {
			ids = e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{-90, 52}, Goal: a, Profile: walker, Tag: 11},
				engine.Spawn{At: mgl64.Vec2{-90, 57}, Goal: b, Profile: walker, Tag: 12},
				engine.Spawn{At: mgl64.Vec2{-85, 52}, Goal: b, Profile: e.AddProfile(puppet), Tag: 13},
				engine.Spawn{At: mgl64.Vec2{-86, 58}, Goal: b, Profile: walker, Tag: 14})
		})
		for range 5 {
			if err := w.Step(); err != nil {
				t.Fatal(err)
			}
		}
		edit(t, w, func(e *engine.Edit) { e.Remove(ids[3]) })
		before := snapshot(t, w)
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		after, buffers := snapshot(t, w), w.Buffers()
		if buffers.Origin != (mgl64.Vec2{-100, 50}) || buffers.Agents.Count != 4 || len(after.IDs) != 3 {
			t.Fatalf("origin %v, %d slots, %d agents", buffers.Origin, buffers.Agents.Count, len(after.IDs))
		}
		seen := make([]mgl32.Vec4, 8)
		if err := d.Do(func() error { readAsHost(t, buffers.Agents, seen); return nil }); err != nil {
			t.Fatal(err)
		}
		local := func(p mgl64.Vec2) mgl32.Vec2 {
			p = p.Sub(buffers.Origin)
			return mgl32.Vec2{float32(p[0]), float32(p[1])}
		}
		for i, want := range []mgl32.Vec4{{1, 0.25, 11, 0}, {1, 0.25, 12, 1}, {1, 0.375, 13, 1}} {
			was, is := local(before.Positions[i]), local(after.Positions[i])
			if places := (mgl32.Vec4{was[0], was[1], is[0], is[1]}); seen[2*i] != places || seen[2*i+1] != want {
				t.Errorf("agent %d: the shader read %v and %v; want %v and %v", i, seen[2*i], seen[2*i+1], places, want)
			}
		}
		if seen[7][0] != 0 {
			t.Error("an agent that was removed is there")
		}
		if walked := before.Positions[0] != after.Positions[0]; !walked {
			t.Error("nothing moves: the state before a tick is not seen to differ from that after it")
		}
	})
}

// hostDraws is a vertex shader of a host that counts how often it runs for each slot.
const hostDraws = `
layout(std430, binding = 0) readonly buffer Slots { uint slots[]; };
layout(std430, binding = 1) buffer Seen { uint seen[]; };
void main() {
    atomicAdd(seen[slots[gl_InstanceID]], gl_VertexID < 3 ? 1u : 100u);
}`

// TestDrawListOfAHost draws the agents in view by OpenGL itself, as arrays and as elements.
func TestDrawListOfAHost(t *testing.T) {
	const scene = `{"version": 1, "domain": [-100, 50, -80, 60], "goals": [{"id": "a", "points": [[-81, 55]]}],
		"profiles": [{"id": "walker", "radius": 0.25, "preferredSpeed": {"std": 0}}], "map": {"size": 40}}`
	run(t, open(t, scene), func(d *gpu.Device, w *engine.World) {
		walker, goal := w.Profiles()[0], w.Goals()[0]
		edit(t, w, func(e *engine.Edit) {
			for i := range 12 {
				e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{-99 + 1.5*float64(i), 52}, Goal: goal, Profile: walker})
			}
		})
		list, err := w.Crowd().NewDrawList(3)
		if err != nil {
			t.Fatal(err)
		}
		defer list.Delete()
		for range 2 {
			if err := w.Step(); err != nil {
				t.Fatal(err)
			}
		}
		edit(t, w, func(e *engine.Edit) { e.Remove(w.Agents(nil)[2]) })
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		if err := list.Update([4]float32{0, 0, 8, 10}); err != nil {
			t.Fatal(err)
		}
		// The first six stand at 1, 2.5, 4, 5.5, 7 and 8.5 m, and have walked for a tick or two.
		want := []uint32{3, 3, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0}
		if err := d.Do(func() error {
			for _, elements := range []bool{false, true} {
				if seen := drawAsHost(t, list, len(want), elements); !slices.Equal(seen, want) {
					t.Errorf("elements %v: the shader ran %v times for the slots, want %v", elements, seen, want)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	})
}

// drawAsHost runs hostDraws and returns how often it ran for each slot.
func drawAsHost(t *testing.T, list *agents.DrawList, slots int, elements bool) []uint32 {
	t.Helper()
	program := stageProgram(t, gl.VERTEX_SHADER, hostDraws)
	defer gl.DeleteProgram(program)
	var vertexArray uint32
	gl.CreateVertexArrays(1, &vertexArray)
	defer gl.DeleteVertexArrays(1, &vertexArray)
	buffers := make([]uint32, 2)
	gl.CreateBuffers(2, &buffers[0])
	defer gl.DeleteBuffers(2, &buffers[0])
	seen, indices := make([]uint32, slots), []uint32{0, 1, 2}
	gl.NamedBufferStorage(buffers[0], 4*slots, gl.Ptr(seen), 0)
	gl.NamedBufferStorage(buffers[1], 12, gl.Ptr(indices), 0)
	gl.VertexArrayElementBuffer(vertexArray, buffers[1])

	gl.UseProgram(program)
	gl.BindVertexArray(vertexArray)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, list.Slots.Name())
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 1, buffers[0])
	gl.BindBuffer(gl.DRAW_INDIRECT_BUFFER, list.Command.Name())
	gl.Enable(gl.RASTERIZER_DISCARD)
	if elements {
		gl.DrawElementsIndirect(gl.TRIANGLES, gl.UNSIGNED_INT, nil)
	} else {
		gl.DrawArraysIndirect(gl.TRIANGLES, nil)
	}
	gl.Disable(gl.RASTERIZER_DISCARD)
	gl.BindVertexArray(0)
	gl.BindBuffer(gl.DRAW_INDIRECT_BUFFER, 0)
	gl.MemoryBarrier(gl.BUFFER_UPDATE_BARRIER_BIT)
	gl.GetNamedBufferSubData(buffers[0], 0, 4*slots, gl.Ptr(seen))
	return seen
}

// profileOf is a profile with another control.
func profileOf(t *testing.T, w *engine.World, id engine.ProfileID, control engine.Control) engine.Profile {
	t.Helper()
	p, err := w.Profile(id)
	if err != nil {
		t.Fatal(err)
	}
	p.Control = control
	return p
}

// stageProgram is a program of one stage, made by OpenGL itself.
func stageProgram(t *testing.T, stage uint32, source string) uint32 {
	t.Helper()
	text, free := gl.Strs("#version 450 core\n" + source + "\x00")
	defer free()
	program := gl.CreateShaderProgramv(stage, 1, text)
	var linked int32
	if gl.GetProgramiv(program, gl.LINK_STATUS, &linked); linked == 0 {
		log := make([]byte, 4096)
		gl.GetProgramInfoLog(program, int32(len(log)), nil, &log[0])
		t.Fatalf("%s", log)
	}
	return program
}

// readAsHost runs hostReads by OpenGL itself.
func readAsHost(t *testing.T, b agents.Buffers, seen []mgl32.Vec4) {
	t.Helper()
	program := stageProgram(t, gl.COMPUTE_SHADER, engine.AgentsGLSL()+hostReads)
	defer gl.DeleteProgram(program)
	var out uint32
	gl.CreateBuffers(1, &out)
	defer gl.DeleteBuffers(1, &out)
	gl.NamedBufferStorage(out, 16*len(seen), nil, 0)
	gl.UseProgram(program)
	for slot, name := range []uint32{b.Agents.Name(), b.Previous.Name(), b.Traits.Name(), out} {
		gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, uint32(slot), name)
	}
	gl.DispatchCompute(uint32(b.Count), 1, 1)
	gl.MemoryBarrier(gl.BUFFER_UPDATE_BARRIER_BIT)
	words := slices.Clone(seen)
	gl.GetNamedBufferSubData(out, 0, 16*len(seen), gl.Ptr(words))
	copy(seen, words)
}
