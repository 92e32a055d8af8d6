#version 450 core
// Moves agents that walls may be in the way of, or that a map leads, by the velocity that
// integrate.comp has given them for one step, cut at the first wall or border that the path of the
// center meets; the rest of the move slides along the wall.
//
// Reads: traits, generators, walls. Reads and writes: agents after the step.
// Reference: agents.Reference.Integrate.

#include <Traits>
#include <Agent>
#include <Generator>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/generators.glsl"
#include "agents/move.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) buffer After { Agent after[]; };
layout(std430) readonly buffer Generators { Generator generators[]; };

uniform uint count;     // agents
uniform float timestep; // s
uniform uint stride;    // generators of a layer

#include "agents/deferred.glsl"

void main() {
    uint id = queuedFor(MOVING);
    if (id == NONE) {
        return;
    }
    Agent a = after[id];
    Mover m = moverAt(a.position, ivec2(a.fromX, a.fromY), a.perturbation);
    m.led = traits[id].steering == STEERING_SPM && a.layer != OWN_POINT && a.target < stride;
    m.guide = generators[m.led ? a.layer * stride + a.target : 0u];
    m.grid = gridOf(m.led ? a.layer : 0u);

    vec2 velocity = a.velocity;
    vec2 displacement = product(velocity, timestep);
    if (move(m, displacement)) {
        // What rounding to the lattice adds is no speed.
        vec2 moved = difference(m.position, a.position);
        float longest = length(displacement);
        float travelled = length(moved);
        velocity = moved / timestep * (travelled > longest ? longest / travelled : 1.0);
    }
    after[id].position = m.position;
    after[id].velocity = velocity;
    after[id].fromX = m.from.x;
    after[id].fromY = m.from.y;
    after[id].perturbation = m.perturbation;
    after[id].sees = m.sees ? 1u : 0u;
}
