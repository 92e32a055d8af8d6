// From the ground to the screen. Coordinates on the ground are meters from the domain's corner. In the relief (RELIEF 1)
// things stand on the surface that the distances to the goal make; in the map all heights are zero.
//
// Vertex stages that include this in the relief declare reliefPeak, the bits of the greatest distance, as an input.

uniform mat4 viewMatrix;
uniform vec2 viewSize;   // of the target, pixels
uniform float pixelRatio; // pixels of the target a nominal pixel: 2 on a screen of double density

#if RELIEF == 1
uniform sampler2DArray field;

uniform int mapLayer;
uniform float mapCell;  // meters
uniform float mapPeak;  // meters that the greatest distance is high

const float FAR = 1e30;

// The distance to the goal at a place, from what the reached texels around know: their parent and so its distance. Where
// none is near, as inside of obstacles, farther ones are asked; FAR where that does not help either.
float distanceAt(vec2 place) {
    ivec2 middle = ivec2(floor(place / mapCell)), last = textureSize(field, 0).xy - 1;
    float least = FAR;
    for (int reach = 1; reach <= 256 && least == FAR; reach *= 4) {
        for (int i = 0; i < 9; i++) {
            ivec2 texel = clamp(middle + (ivec2(i % 3, i / 3) - 1) * reach, ivec2(0), last);
            vec4 known = texelFetch(field, ivec3(texel, mapLayer), 0);
            if (known.w == STATE_REACHED) {
                vec2 center = (vec2(texel) + 0.5) * mapCell;
                least = min(least, known.z - distance(center, known.xy) + distance(place, known.xy));
            }
        }
    }
    return least;
}

float heightOf(float meters, uint peak) {
    return meters / uintBitsToFloat(peak) * mapPeak;
}
#endif

vec4 toClip(vec2 place, float height) {
    return viewMatrix * vec4(place, height, 1.0);
}

// Where something on the ground is seen: in the relief on the surface, drawn as near as its own size makes it.
#if RELIEF == 1
uniform float forward; // nearer to the eye by so much depth than the surface
#define STANDING(place) standing(place, reliefPeak)
vec4 standing(vec2 place, uint peak) {
    float meters = distanceAt(place);
    vec4 clip = toClip(place, meters == FAR ? 0.0 : heightOf(meters, peak));
    clip.z -= forward * clip.w;
    return clip;
}
#else
#define STANDING(place) toClip(place, 0.0)
#endif

// Where a point of clip space is on the target, pixels.
vec2 toPixels(vec4 clip) {
    return (clip.xy / clip.w * 0.5 + 0.5) * viewSize;
}

// The same point of clip space moved by an offset in pixels.
vec4 movedBy(vec4 clip, vec2 pixels) {
    return clip + vec4(2.0 * pixels / viewSize * clip.w, 0.0, 0.0);
}

// The corner of a quad that is drawn as a strip of four vertices, each coordinate -1 or 1.
vec2 corner(int vertex) {
    return vec2(vertex & 1, vertex >> 1) * 2.0 - 1.0;
}
