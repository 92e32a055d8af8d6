// What it leaves of somebody that contacts have moved.
// Needs: <Agent>, <Body>, <Shift>, AFTER_BINDING, BODIES_BINDING, SHIFTS_BINDING.

layout(std430, binding = AFTER_BINDING) buffer After { Agent after[]; };
layout(std430, binding = BODIES_BINDING) buffer Bodies { Body bodies[]; };
layout(std430, binding = SHIFTS_BINDING) buffer Shifts { Shift shifts[]; };

void shoved(uint body, uint id, vec2 begun, vec2 position, ivec2 from, int lean) {
    after[id].position = position;
    after[id].fromX = from.x;
    after[id].fromY = from.y;
    after[id].lean = lean;
    after[id].sees = 0u;
    after[id].pushed = position - shifts[body].origin;
    bodies[body].position = position;
    precise vec2 gone = position - begun;
    shifts[body].last = gone;
}
