#version 450 core
// The surface of distances: two triangles between four texels, drawn without attributes but the peak's. Where one of the
// four is not reached there is a hole. Behind these come the sides of the block below, down from every edge of the surface.
//
// reads: field. writes: the place, meters from the domain's corner, and with its height; which of the two it is.

#include "render/view.glsl"

in uint reliefPeak;

out vec2 place;
out vec3 surface;
flat out float top; // 1: of the surface itself, 0: of a side of the block

uniform ivec2 mesh;   // squares in a row, rows
uniform int meshStep; // texels along a square

float metersAt(ivec2 node) {
    vec4 known = texelFetch(field, ivec3(node * meshStep, mapLayer), 0);
    return known.w == STATE_REACHED ? known.z : FAR;
}

bool whole(ivec2 square) {
    if (any(lessThan(square, ivec2(0))) || any(greaterThanEqual(square, mesh))) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        if (metersAt(square + ivec2(i & 1, i >> 1)) == FAR) {
            return false;
        }
    }
    return true;
}

void main() {
    const ivec2 corners[6] = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(1, 1), ivec2(0, 0), ivec2(1, 1), ivec2(0, 1));
    ivec2 corner = corners[gl_VertexID % 6];
    int face = gl_VertexID / 6;
    int squares = mesh.x * mesh.y;
    ivec2 node;
    bool shown, bottom = false;
    if (face < squares) {
        ivec2 square = ivec2(face % mesh.x, face / mesh.x);
        node = square + corner;
        shown = whole(square);
    } else {
        // Edges along rows, then along columns: between a square and the one before it.
        face -= squares;
        bool column = face >= mesh.x * (mesh.y + 1);
        face -= column ? mesh.x * (mesh.y + 1) : 0;
        int width = column ? mesh.x + 1 : mesh.x;
        ivec2 square = ivec2(face % width, face / width);
        ivec2 along = column ? ivec2(0, 1) : ivec2(1, 0);
        node = square + along * corner.x;
        bottom = corner.y == 0;
        shown = whole(square) != whole(square - along.yx);
    }
    top = gl_VertexID / 6 < squares ? 1.0 : 0.0;
    place = (vec2(node * meshStep) + 0.5) * mapCell;
    float height = shown && !bottom ? heightOf(metersAt(node), reliefPeak) : 0.0;
    surface = vec3(place, height);
    gl_Position = shown ? toClip(place, height) : vec4(2.0, 2.0, 2.0, 1.0);
}
