#version 450 core
// The shortest path map as a printed map: a color for every region, fine lines between regions, lines of equal distance.
//
// All lines are smooth at any zoom, because distances are computed anew at every point: a distance grows by a meter a
// meter, so that the width of a line in pixels needs no derivative of it.
//
// Two programs share the work, since pixels where regions meet cost ten times the others and are few. BORDERS 0 draws the
// pixels well inside a region and discards the others, which keep a far depth. BORDERS 1 draws any pixel: four points of it
// are asked. It runs where the depth test lets it. DRAFT 1, in place of both, draws a pixel in the region of its texel, in a fifth
// of the time: where maps change with every frame lines as fine as these cannot be seen.
//
// reads: cones, parents, field, peak (the greatest distance) for the palette of distances.
// Figures 1, 2, 7 and 8 of Farias and Kallmann 2018; their colors are PALETTE_PAPER.

#include <Cone>
#include "include/numbers.glsl"

layout(std430) readonly buffer Cones { Cone cones[]; };
layout(std430) readonly buffer Peak { uint peak; };
uniform usampler2DArray parents;
uniform sampler2DArray field;

#include "render/region.glsl"
#include "render/palette.glsl"
#include "render/cover.glsl"

in vec2 place;
#if RELIEF == 1
in vec3 surface; // meters: the place with its height
flat in float top;     // 1: of the surface, 0: of a side of the block, where lines would be stripes
uniform vec3 towardsEye;
#else
const float top = 1.0;
#endif
out vec4 color;

#if STREET == 1
uniform sampler2D shade; // red: the sun's shadows, green: near the foot of a wall, blue: what obstacles of the map cover
uniform vec3 marginColor;

vec3 shadeAt(vec2 unit) {
    vec2 grid = unit * vec2(textureSize(shade, 0)) - 0.5;
    ivec2 low = ivec2(floor(grid)), last = textureSize(shade, 0) - 1;
    vec2 share = grid - vec2(low);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        ivec2 side = ivec2(i & 1, i >> 1);
        vec2 part = mix(1.0 - share, share, vec2(side));
        sum += part.x * part.y * texelFetch(shade, clamp(low + side, ivec2(0), last), 0).rgb;
    }
    return sum;
}
#endif

const float SPREAD = 1.5; // how wide a pixel's four points lie, in pixels: makes the lines between regions as wide

uniform vec2 domainSize;     // meters
uniform int palette;
uniform float regionShare;   // 1: regions are colored, 0: plain ground
uniform float isolineStep;   // meters; 0: no isolines
uniform float pixelRatio;

vec3 colorOf(Region r, vec2 place) {
    if (r.generator == NONE) {
        return regionShare == 0.0 && isolineStep == 0.0 ? GROUND : UNREACHED; // where nothing is said of the map
    }
    vec3 c;
    if (palette == PALETTE_PAPER) {
        c = vec3(aim(cones[r.generator], place) / domainSize, 0.0);
    } else if (palette == PALETTE_DISTANCE) {
        c = ramp(r.distance / uintBitsToFloat(peak));
    } else {
        c = tint(cones[r.generator].tint);
    }
    return mix(GROUND, c, regionShare);
}

void main() {
    vec2 dx = dFdx(place), dy = dFdy(place);
    float pixel = 0.5 * (length(dx) + length(dy)); // meters

    vec2 beyond = max(-place, place - domainSize);
    float inside = clamp(0.5 - max(beyond.x, beyond.y) / pixel, 0.0, 1.0);
    if (inside == 0.0) {
        color = vec4(PAPER, 1.0);
        return;
    }
    vec2 here = clamp(place, vec2(0.0), domainSize);

#if DRAFT == 1
    Region r = roughRegion(here);
    vec3 c = colorOf(r, here);
    float meters = r.distance;
#else
    // Of the texels that the pixel's points are in, and their neighbors on the points' side.
    float reach = 0.375 * SPREAD * pixel / mapCell;
    bool coarse = reach > 1.0; // too many to look at: each point by itself
    Around around = lookAround(here, min(reach, 1.0));
    vec3 c = vec3(0.0);
    float meters = 0.0;
#if BORDERS == 0
    if (coarse || !around.even) {
        discard;
    }
    Region r = evenRegion(around, here);
    c = colorOf(r, here);
    meters = r.distance;
#else
    const vec2 offsets[4] = vec2[](vec2(0.375, 0.125), vec2(-0.125, 0.375), vec2(-0.375, -0.125), vec2(0.125, -0.375));
    Region points[4];
    Rivals near = rivals(around, here);
    for (int i = 0; i < 4; i++) {
        vec2 point = here + SPREAD * (offsets[i].x * dx + offsets[i].y * dy);
        if (coarse) {
            near = rivals(lookAround(point, 0.5), point);
        }
        points[i] = contest(near, point);
        c += 0.25 * colorOf(points[i], here);
        meters += 0.25 * points[i].distance;
    }
    // The more evenly two regions share the pixel, the nearer is the line between them to its middle.
    int most = 0;
    for (int i = 0; i < 4; i++) {
        int same = 0;
        for (int j = 0; j < 4; j++) {
            same += int(points[j].generator == points[i].generator);
        }
        most = max(most, same);
    }
    float seam = palette == PALETTE_CALM ? regionShare * min(0.5 * float(4 - most), 1.0) : 0.0;
    c *= mix(1.0, SEAM, seam);
#endif
#endif

    if (isolineStep > 0.0 && meters < INFINITY) {
        float level = meters / isolineStep;
        float nearest = floor(level + 0.5);
        float away = abs(level - nearest) * isolineStep / pixel;
        bool major = mod(nearest, 5.0) == 0.0;
        float line = cover(away, (major ? 1.6 : 0.9) * pixelRatio) * (nearest > 0.0 ? top : 0.0);
        c = mix(c, mix(HAIRLINE, ISOLINE, regionShare), line * (major ? 0.95 : 0.7));
    }
#if RELIEF == 1
    // Light from above the left, on the side that is seen, so that slopes tell their direction.
    vec3 normal = normalize(cross(dFdx(surface), dFdy(surface)));
    normal *= dot(normal, towardsEye) < 0.0 ? -1.0 : 1.0;
    c *= 0.8 + 0.22 * dot(normal, normalize(vec3(-0.15, 0.3, 0.95)));
#endif
#if STREET == 1
    vec3 dark = shadeAt(here / domainSize);
    c = mix(c, marginColor, dark.z);
    c *= mix(vec3(1.0), SHADE_LIGHT, dark.x) * (1.0 - 0.55 * min(dark.y, 1.0));
#endif
    color = vec4(mix(PAPER, c, inside), 1.0);
}
