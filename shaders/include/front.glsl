// The state of a wavefront, shared by all its passes.

#include "include/slot.glsl"

struct Slot {
    uint leastKey[2]; // of the windows in either queue, bits of a float
    float waveStep;   // how far a wave reaches beyond the nearest window, m
    uint firstFace;   // of the layer's ground, in faces
};

// Queues are filled by atomic counters. What does not fit is counted all the same, so that the host
// learns how long they have to be, and builds again. Lit parts fill pages, buffers that are bound
// one after the other: what finds a page full stays in the queues until ties.comp has begun the
// next. Go: front.
layout(std430) coherent buffer Front {
    uint windows[2];       // in each of the two queues
    uint offers[2];        // in each of the two queues
    uint lit;              // in the page; more than it holds where something waits for the next
    uint windowsNeeded;    // length, where it was too little
    uint offersNeeded;
    uint windowCapacity;   // of one queue
    uint offerCapacity;    // of one queue
    uint litCapacity;      // of the page
    uint placed;           // shards given a place so far
    uint litPage;
    uint padding[4];
    Slot slots[];
} front;

// The number of this wave; its parity says which of two queues is read and which written.
uniform uint wave;
