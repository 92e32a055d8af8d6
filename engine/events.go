package engine

// eventLatency is how many ticks late events surface, always the same.
const eventLatency = 3
