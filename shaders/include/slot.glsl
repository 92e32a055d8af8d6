// Several layers spread in the same waves. Each has a slot: `stride` records in a row, the first
// for sources. Indices of generators and corners count the records of all slots, so that queues,
// offers and sorting know of no layers.

uniform uint stride; // records of a slot

// The least index of the records that lie in the same slot.
uint slotBase(uint record) { return record / stride * stride; }
