#version 450 core
// A picture of text, with its alpha multiplied in, on a translucent plate with round corners and a rim.
//
// reads: picture.

uniform sampler2D picture;
uniform vec4 panel;       // its width and height are zw
uniform vec4 plateColor;  // and its opacity
uniform float pixelRatio; // pixels in a nominal pixel

in vec2 texel;
out vec4 color;

void main() {
    vec4 text = texelFetch(picture, ivec2(texel), 0);
    // The distance to the rectangle of the corners' centers.
    float radius = PANEL_RADIUS * pixelRatio;
    float away = length(max(max(radius - texel, texel - (panel.zw - radius)), vec2(0.0)));
    float rim = clamp(away - (radius - pixelRatio) + 0.5, 0.0, 1.0);
    float opacity = clamp(radius + 0.5 - away, 0.0, 1.0) * mix(plateColor.a, 1.0, rim);
    color = text + (1.0 - text.a) * opacity * vec4(mix(plateColor.rgb, HAIRLINE, rim), 1.0);
}
