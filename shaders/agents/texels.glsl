// The texels of the maps that agents follow.
// Needs: include/numbers.glsl.

uniform usampler2DArray parents;
uniform sampler2DArray field;

uniform float texelsPerMeter;
uniform float unreached; // the state of such texels in the field

ivec2 texelOf(vec2 place) {
    precise vec2 texel = place * texelsPerMeter;
    return ivec2(floor(texel));
}

// The generator that is the parent of a texel, or NONE.
uint parentAt(int layer, ivec2 texel) {
    ivec2 size = textureSize(parents, 0).xy;
    bool inside = all(greaterThanEqual(texel, ivec2(0))) && all(lessThan(texel, size));
    uint index = texelFetch(parents, ivec3(clamp(texel, ivec2(0), size - 1), layer), 0).r;
    return inside ? index : NONE;
}

// What the 3 x 3 texels around one say about the ground: SOME_REACHED where a source reaches one of
// them, SOME_UNREACHED where one is free ground that none reaches.
const uint SOME_REACHED = 1u;
const uint SOME_UNREACHED = 2u;

uint around(int layer, ivec2 middle) {
    ivec2 size = textureSize(field, 0).xy;
    uint states = 0u;
    for (int k = 0; k < 9; k++) {
        ivec2 texel = middle + ivec2(k % 3, k / 3) - 1;
        bool inside = all(greaterThanEqual(texel, ivec2(0))) && all(lessThan(texel, size));
        states |= parentAt(layer, texel) != NONE ? SOME_REACHED : 0u;
        states |= inside && texelFetch(field, ivec3(texel, layer), 0).a == unreached ? SOME_UNREACHED : 0u;
    }
    return states;
}
