#version 450 core
// The shortest path map as a printed map: a colour for every region, fine lines between regions, lines of equal distance.
//
// All lines are smooth at any zoom, because distances are computed anew at every point: a distance grows by a metre a
// metre, so that the width of a line in pixels needs no derivative of it. Where a pixel meets several regions, four
// points of it are asked.
//
// reads: generators, tints, parents, field.
// Figures 1, 2, 7 and 8 of Farias and Kallmann 2018; their colours are PALETTE_PAPER.

#include <Generator>
#include "include/numbers.glsl"

layout(std430, binding = BIND_GENERATORS) readonly buffer Generators { Generator generators[]; };
layout(std430, binding = BIND_TINTS) readonly buffer Tints { uint tints[]; };
layout(binding = UNIT_PARENTS) uniform usampler2DArray parents;
layout(binding = UNIT_FIELD) uniform sampler2DArray field;

#include "draw/region.glsl"
#include "draw/palette.glsl"

in vec2 place;
out vec4 colour;

uniform int palette;
uniform float regionShare;   // 1: regions are coloured, 0: plain ground
uniform float isolineStep;   // metres; 0: no isolines
uniform float distanceScale; // metres at the end of the palette of distances
uniform float pixelRatio;

// How much of a pixel a line covers that is `width` pixels wide and `away` pixels from the pixel's middle.
float cover(float away, float width) {
    return clamp(0.5 * width + 0.5 - away, 0.0, 1.0) * min(width, 1.0);
}

vec3 colourOf(Region r) {
    if (r.generator == NONE) {
        return UNREACHED;
    }
    vec3 c;
    if (palette == PALETTE_PAPER) {
        c = vec3(generators[generatorBase + r.generator].position / domainSize, 0.0);
    } else if (palette == PALETTE_DISTANCE) {
        c = ramp(r.distance / distanceScale);
    } else {
        c = tint(tints[generatorBase + r.generator]);
    }
    return mix(GROUND, c, regionShare);
}

void main() {
    vec2 dx = dFdx(place), dy = dFdy(place);
    float pixel = 0.5 * (length(dx) + length(dy)); // metres

    vec2 beyond = max(-place, place - domainSize);
    float inside = clamp(0.5 - max(beyond.x, beyond.y) / pixel, 0.0, 1.0);
    if (inside == 0.0) {
        colour = vec4(PAPER, 1.0);
        return;
    }
    vec2 here = clamp(place, vec2(0.0), domainSize);

    Region middle = regionAt(here);
    vec3 c = colourOf(middle);
    Region around[4];
    const vec2 offsets[4] = vec2[](vec2(0.375, 0.125), vec2(-0.125, 0.375), vec2(-0.375, -0.125), vec2(0.125, -0.375));
    bool mixed = false;
    for (int i = 0; i < 4; i++) {
        around[i] = regionAt(here + 1.5 * (offsets[i].x * dx + offsets[i].y * dy));
        mixed = mixed || around[i].generator != middle.generator;
    }
    if (mixed) {
        c = vec3(0.0);
        float same = 0.0;
        for (int i = 0; i < 4; i++) {
            c += 0.25 * colourOf(around[i]);
            same += around[i].generator == middle.generator ? 0.25 : 0.0;
        }
        c = mix(c, c * SEAM, regionShare * (palette == PALETTE_CALM ? 1.0 - abs(2.0 * same - 1.0) * 0.5 : 0.0));
    }

    if (isolineStep > 0.0 && middle.generator != NONE) {
        float level = middle.distance / isolineStep;
        float nearest = floor(level + 0.5);
        float away = abs(level - nearest) * isolineStep / pixel;
        bool major = mod(nearest, 5.0) == 0.0;
        float line = cover(away, (major ? 1.6 : 0.9) * pixelRatio) * (nearest > 0.0 ? 1.0 : 0.0);
        c = mix(c, ISOLINE, line * (major ? 0.95 : 0.7));
    }
    colour = vec4(mix(PAPER, c, inside), 1.0);
}
