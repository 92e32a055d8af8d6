#version 450 core
// The new velocity by optimal reciprocal collision avoidance: the one nearest to the desired one in
// the half planes that all neighbors and walls leave, within reach of speed and acceleration.
//
// Reads: what agents/avoid.glsl reads. Writes: guidance[].velocity.
// Reference: reference.ORCA. Source: van den Berg, Guy, Lin and Manocha 2011, Reciprocal n-body
// collision avoidance.

#include "agents/avoid.glsl"
#include "agents/situation.glsl"
#include "agents/reach.glsl"
#include "agents/halfplanes.glsl"
#include "agents/orca.glsl"

#ifdef BROAD_PHASE
// An agent whose desired velocity is in all half planes may have it.
bool broadPhase(Self self, out vec2 velocity) {
    vec2 desired = desiredBy(self);
    velocity = nearestWithin(reachOf(self), desired);
    bool free = true;
    uint near = neighborCount();
    for (uint i = 0u; i < near; i++) {
        Line l = neighborLine(self, neighborAt(i));
        free = free && !(surelyWrong(l, velocity) > 0.0);
        BRANCH (ownReasons != NONE) {
            keepLine(LINE_OF_NEIGHBOR, i, l);
        }
    }
    uint walled = wallCount();
    for (uint i = 0u; i < walled; i++) {
        Line l;
        bool holds = wallLine(self, i, l);
        free = free && (!holds || !(surelyWrong(l, velocity) > 0.0));
        BRANCH (holds && ownReasons != NONE) {
            keepLine(LINE_OF_WALL, i, l);
        }
    }
    BRANCH (ownReasons != NONE) {
        keepOutcome(KEEPS_ALL, desired, NONE);
    }
    return free;
}
#else
vec2 avoid(Self self) {
    return orca(self);
}
#endif
