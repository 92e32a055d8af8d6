// What is known of walls that move.

// Two texels for each record of walls, of both its ends: velocities in the step to come, m/s, and by
// how much they have moved since the step before, m.
uniform samplerBuffer wallMotions;
