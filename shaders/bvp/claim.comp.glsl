#version 450 core
// Gives explorers the targets that they propose, from which teammates then keep away: all but those
// that are as near to a teammate's proposal, which costs less. Those propose again in the next step,
// and go where they have proposed until then.
//
// Reads: walkers, members, proposals. Writes: choices.
// Reference: reference.Claim.

#include <Walker>
#include <Member>
#include <Choice>

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer Walkers { Walker walkers[]; };
layout(std430) readonly buffer Members { Member members[]; };
layout(std430) readonly buffer Proposals { Choice proposals[]; };
layout(std430) writeonly buffer Choices { Choice choices[]; };

uniform uint walkerCount;
uniform uint first; // walker of this dispatch
uniform ivec2 gridSize;

int cellsApart(uint a, uint b) {
    int columns = gridSize.x;
    ivec2 off = abs(ivec2(int(a) % columns, int(a) / columns) - ivec2(int(b) % columns, int(b) / columns));
    return max(off.x, off.y);
}

void main() {
    uint self = first + gl_GlobalInvocationID.x;
    if (self >= walkerCount) {
        return;
    }
    uint agent = walkers[self].agent;
    Member m = members[agent];
    Choice c = proposals[agent];
    if (c.target != NO_CELL && c.held == 0u) {
        bool isFree = true;
        for (uint k = 0u; k < walkerCount && isFree; k++) {
            uint mate = walkers[k].agent;
            Choice o = proposals[mate];
            isFree = mate == agent || members[mate].team != m.team || o.target == NO_CELL || o.held == 1u ||
                cellsApart(c.target, o.target) >= int(m.apart) || o.cost > c.cost || (o.cost == c.cost && mate > agent);
        }
        c.held = isFree ? 1u : 0u;
    }
    choices[agent] = c;
}
