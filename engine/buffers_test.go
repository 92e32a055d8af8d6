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

// readAsHost runs hostReads by OpenGL itself.
func readAsHost(t *testing.T, b agents.Buffers, seen []mgl32.Vec4) {
	t.Helper()
	text, free := gl.Strs("#version 450 core\n" + engine.AgentsGLSL() + hostReads + "\x00")
	defer free()
	program := gl.CreateShaderProgramv(gl.COMPUTE_SHADER, 1, text)
	defer gl.DeleteProgram(program)
	var linked int32
	if gl.GetProgramiv(program, gl.LINK_STATUS, &linked); linked == 0 {
		log := make([]byte, 4096)
		gl.GetProgramInfoLog(program, int32(len(log)), nil, &log[0])
		t.Fatalf("%s", log)
	}
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
