#version 450 core
// The inside of a line with round ends, smooth over one pixel; or of dashes with round ends, one at either end of the line.

noperspective in vec2 at;
flat in vec2 start;
flat in vec2 end;

out vec4 color;

uniform float lineWidth; // nominal pixels
uniform float lineDash; // nominal pixels that a dash and a gap are about long; 0: no gaps
uniform float pixelRatio;
uniform vec4 lineColor;

// How far a place on a line is from the nearest dash.
float fromDash(float along, float len) {
    float gaps = floor(0.5 * len / (lineDash * pixelRatio));
    float dash = len / (2.0 * gaps + 1.0);
    float at = mod(along, 2.0 * dash);
    return max(min(at - dash, 2.0 * dash - at), 0.0);
}

void main() {
    vec2 way = end - start;
    float along = clamp(dot(at - start, way) / max(dot(way, way), 1e-6), 0.0, 1.0);
    float away = distance(at, start + along * way);
    if (lineDash > 0.0) {
        float len = length(way);
        away = length(vec2(away, fromDash(along * len, len)));
    }
    float width = lineWidth * pixelRatio;
    // A line finer than a pixel is a paler line of one pixel.
    float cover = clamp(0.5 * max(width, 1.0) + 0.5 - away, 0.0, 1.0) * min(width, 1.0);
    if (cover == 0.0) {
        discard;
    }
    color = vec4(lineColor.rgb, lineColor.a * cover);
}
