// What the wavefront method knows of a generator besides its record.

layout(std430) coherent buffer Reach { uint reach[]; };

// A record of reach: the least distance offered so far (bits of a float); for even and for odd
// waves the lowest index among those that offered it in that wave; the least distance as the ties
// of this wave were resolved, which offers made since do not change; the wave, plus one, in which
// the corner was last expanded; the first half-edge of the corner's fan, which stays; and the
// half-edge of the fan from which on the rest of it waits to be lit, NONE where nothing does.
const uint REACH = 7u;
const uint REACH_TIE = 1u;
const uint REACH_LEAST = 3u;
const uint REACH_WAVE = 4u;
const uint REACH_FAN = 5u;
const uint REACH_REST = 6u;
