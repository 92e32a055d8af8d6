#version 450 core
// A picture of text, with its alpha multiplied in.
//
// reads: picture.

uniform sampler2D picture;

in vec2 texel;
out vec4 color;

void main() {
    color = texelFetch(picture, ivec2(texel), 0);
}
