// The state of a wavefront, shared by all its passes.
//
// Several layers spread in the same waves. Each has a slot: `stride` records in a row, the first for sources. Indices of
// generators and corners count the records of all slots, so that queues, offers and sorting know of no layers.
//
// Needs <Generator>, <Lit>, include/numbers.glsl.

layout(std430, binding = BIND_GENERATORS) buffer Generators { Generator generators[]; };
layout(std430, binding = BIND_LIT) buffer LitBlock { Lit lit[]; };

struct Slot {
    uint leastKey[2]; // of the windows in either queue, bits of a float
    float waveStep;   // how far a wave reaches beyond the nearest window, m
    uint firstFace;   // of the layer's ground, in faces
};

// Queues are filled by atomic counters. What does not fit is counted all the same, so that the host learns how much room it
// takes, and builds again. Lit parts fill pages, buffers that are bound one after the other: what finds a page full stays in the
// queues until ties.comp has begun the next. Go: front.
layout(std430, binding = BIND_FRONT) coherent buffer FrontBlock {
    uint windows[2];    // in each of the two queues
    uint offers[2];     // in each of the two queues
    uint lit;           // in the page; more than it holds where something waits for the next
    uint windowsNeeded; // room, where there was too little
    uint offersNeeded;
    uint windowRoom;    // of one queue
    uint offerRoom;     // of one queue
    uint litRoom;       // of the page
    uint placed;        // shards given a place so far
    uint litPage;
    uint padding[4];
    Slot slots[];
} front;

uniform uint stride; // records of a slot

// The least index of the records that lie in the same slot.
uint slotBase(uint record) { return record / stride * stride; }
