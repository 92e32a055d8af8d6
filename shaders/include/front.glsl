// The state of a wavefront, shared by all its passes.
//
// Needs <Generator>, <Lit>.

layout(std430, binding = BIND_GENERATORS) buffer Generators { Generator generators[]; };
layout(std430, binding = BIND_LIT) buffer LitBlock { Lit lit[]; };

// Queues are filled by atomic counters. What does not fit is counted all the same, so that the host learns how much room it
// takes, and builds again. Go: front.
layout(std430, binding = BIND_FRONT) coherent buffer FrontBlock {
    uint windows[2];    // in each of the two queues
    uint leastKey[2];   // of the windows in each, bits of a float
    uint offers[2];     // in each of the two queues
    uint lit;
    uint windowsNeeded; // room, where there was too little
    uint offersNeeded;
    uint windowRoom;    // of one queue
    uint offerRoom;     // of one queue
    uint litRoom;
} front;

uniform uint base; // first record of the layer
