#version 450 core
// The square of a walker's local map, where the last step stamped it, straight from the walker's record. Of walkers that take no part,
// and before their first step, there is none.
//
// writes: the place in the map, in cells from its lower left corner, and which way the walker looked when the map was stamped: its
// heading before that step, since the step has turned it.

#include "render/view.glsl"

in vec2 stamped; // meters from the domain's corner: the map's middle
in uint body;
in uint cellsAcross;
in uint firstPotential;
in uint status; // of the agent
in vec2 guide;
// Of the walker as it was before the step.
in float heading;
in uint stood;
in uint ownerBefore;

uniform float cellSize; // meters
uniform float halfView; // radians; negative: it looks all round
uniform uint patience;  // steps that it stands before it does so too
uniform uint owner;     // whose map it is; NOT_THERE: how walkers were before the step is not known

noperspective out vec2 at;
flat out int cells;
flat out uint first;
flat out vec4 edges; // of the view cone, two unit vectors; zero: it looks all round

void main() {
    float middle = 0.5 * float(cellsAcross);
    at = middle + middle * corner(gl_VertexID);
    cells = int(cellsAcross);
    first = firstPotential;
    edges = vec4(0.0);
    if (halfView >= 0.0 && stood < patience && ownerBefore == owner) {
        vec2 ahead = guide - stamped;
        float look = heading == NO_HEADING ? (ahead == vec2(0.0) ? 0.0 : atan(ahead.y, ahead.x)) : heading;
        edges = vec4(cos(look - halfView), sin(look - halfView), cos(look + halfView), sin(look + halfView));
    }
    bool there = body != NOT_THERE && cellsAcross > 0u && status == STATUS_WALKING;
    gl_Position = there ? toClip(stamped + (at - middle) * cellSize, 0.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
