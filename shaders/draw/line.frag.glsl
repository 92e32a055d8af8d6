#version 450 core
// The inside of a line with round ends, smooth over one pixel.

noperspective in vec2 at;
flat in vec2 start;
flat in vec2 end;

out vec4 colour;

uniform float lineWidth; // nominal pixels
uniform float pixelRatio;
uniform vec4 lineColour;

void main() {
    vec2 way = end - start;
    float along = clamp(dot(at - start, way) / max(dot(way, way), 1e-6), 0.0, 1.0);
    float away = distance(at, start + along * way);
    float width = lineWidth * pixelRatio;
    // A line finer than a pixel is a paler line of one pixel.
    float cover = clamp(0.5 * max(width, 1.0) + 0.5 - away, 0.0, 1.0) * min(width, 1.0);
    if (cover == 0.0) {
        discard;
    }
    colour = vec4(lineColour.rgb, lineColour.a * cover);
}
