// The shape of an agent: a disc of its radius, drawn out to a nose in the direction that it walks in.

const float NOSE = 0.55;            // how far the nose reaches beyond the disc, in radii
const float AGENT_LEAST = 3.0;      // least radius, nominal pixels
const float CLEARLY_WALKING = 0.2;  // m/s at which the nose is out

// How much of an agent is drawn as a disc where there is shading too, by its radius in nominal pixels.
float discShare(float radius) {
    return smoothstep(DISCS_FROM, DISCS_FULL, radius);
}
