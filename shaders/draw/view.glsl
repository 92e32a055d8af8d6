// From the ground to the screen. Coordinates on the ground are metres from the domain's corner; heights are metres above
// it, and all zero in the flat map.

uniform mat4 viewMatrix;
uniform vec2 viewSize;   // of the target, pixels
uniform float pixelRatio; // pixels of the target a nominal pixel: 2 on a screen of double density

vec4 toClip(vec2 place, float height) {
    return viewMatrix * vec4(place, height, 1.0);
}

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
