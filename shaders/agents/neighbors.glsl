// Lists of neighbours: for each body a word, then the bodies near it, the nearest first, of equally near ones the one
// with the lowest id. Entry k of body b is neighbors[k * count + b], so that bodies beside each other read beside
// each other.
//
// The first word counts the entries; between the passes that make a list it may say AGAIN.
// Needs: agents/cells.glsl, <Manner>, include/numbers.glsl.

layout(std430, binding = MANNERS_BINDING) readonly buffer Manners { Manner manners[]; };
layout(std430, binding = NEIGHBORS_BINDING) buffer Neighbors { uint neighbors[]; };

// Later passes are for some bodies only: those that ask. Of each pass a dispatch, which has no work groups until somebody asks,
// and how many have asked; and who, of two passes at a time.
struct Later {
    uint groups;
    uint groupsY;
    uint groupsZ;
    uint bodies;
};
layout(std430, binding = LATER_BINDING) buffer LaterPasses { Later later[]; };
layout(std430, binding = QUEUES_BINDING) buffer Queues { uint queues[]; };
const uint LISTING_AGAIN = 0u;
const uint LOOKING_PAST_WALLS = 1u;
const uint LISTING_PAST_WALLS = 2u; // the first of some

uniform uint count; // bodies

const uint AGAIN = 0x80000000u; // the list is to be made again, or not at its end
const uint ENTRIES = 0x7fffffffu;

// Has a body wait for a later pass.
void queueFor(uint pass, uint body) {
    uint n = atomicAdd(later[pass].bodies, 1u);
    atomicMax(later[pass].groups, n / GROUP_SIZE + 1u);
    queues[(pass & 1u) * count + n] = body;
}

// The body that an invocation of a later pass is for, or NONE.
uint queuedFor(uint pass) {
    uint n = gl_GlobalInvocationID.x;
    return n < later[pass].bodies ? queues[(pass & 1u) * count + n] : NONE;
}

// Squared distances as integers: bits of floats not below zero are in the order of the numbers.
const int FAR = 0x7f800000; // bits of infinity

// The manner of a body, or NONE.
uint mannerOf(uint body) {
    return texelFetch(spotsOf, int(body) * 2 + 1).w;
}

// The squared distance of two places, m^2. The same for both.
float squaredDistance(vec2 a, vec2 b) {
    precise vec2 off = a - b;
    precise float squared = off.x * off.x + off.y * off.y;
    return squared;
}

// How far one has to look to see everybody whose squared distance, rounded, is at most `squared`: rounding takes less
// than 2^-22 off the root.
float reachOf(float squared) {
    return sqrt(squared) * (1.0 + 1.0 / 1048576.0);
}
