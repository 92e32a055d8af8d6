// Emits, from a geometry shader, a polygon that is certain to cover every texel center of the
// unbounded region "segment a b swept along all directions between da and db", whatever the
// rasterizer's rules are. The fragment shader decides exactly; this only has to be large enough.
//
// The region is grown by `margin` on all sides: with e the unit vector from a to b and n its normal
// on the side the sweep goes to, the hull of the four points a - e margin +- n margin, b + e margin
// +- n margin, swept alike, contains the region grown by a disc of radius margin. At infinity
// vertices have w = 0 (no shadow length has to be chosen). Where a direction leans outwards the far
// one of its two points lies inside the hull and is left out. Directions that are more than a right
// angle apart do so both, and have n between them. It is put in: with directions that are next to
// opposite, as from a generator a hair off a wall, the edge between them at infinity could be
// anywhere.
//
// The including stage defines emitAt, which sets its outputs and emits one vertex.
// Needs: a b counter-clockwise seen from where the sweep comes from; the angle from da to db in [0,
// pi).

void emitAt(vec4 position);

uniform vec2 mapExtent; // the map's texels, width and height, in lattice steps

vec4 toClip(vec2 p) {
    return vec4(2.0 * p / mapExtent - 1.0, 0.0, 1.0);
}

vec4 toClipInfinity(vec2 direction) {
    return vec4(2.0 * direction / mapExtent, 0.0, 0.0);
}

void emitSweep(vec2 a, vec2 b, vec2 da, vec2 db, float margin) {
    bool wide = dot(da, db) < 0.0;
    vec2 e;
    if (a != b) {
        e = normalize(b - a);
    } else if (wide) {
        e = normalize(db - da);
    } else {
        vec2 middle = normalize(da + db);
        e = vec2(-middle.y, middle.x);
    }
    vec2 n = vec2(e.y, -e.x);
    vec2 a1 = a + margin * (-e - n);
    vec2 b1 = b + margin * (e - n);
    if (wide) {
        emitAt(toClipInfinity(da));
        emitAt(toClip(a1));
        emitAt(toClipInfinity(n));
        emitAt(toClip(b1));
        emitAt(toClipInfinity(db));
        EndPrimitive();
        return;
    }
    vec2 a2 = dot(da, e) > 0.0 ? a + margin * (-e + n) : a1;
    vec2 b2 = dot(db, e) < 0.0 ? b + margin * (e + n) : b1;
    emitAt(toClipInfinity(da));
    emitAt(toClipInfinity(db));
    emitAt(toClip(a2));
    emitAt(toClip(b2));
    emitAt(toClip(a1));
    emitAt(toClip(b1));
    EndPrimitive();
}

void emitEverything() {
    emitAt(vec4(-1.0, -1.0, 0.0, 1.0));
    emitAt(vec4(1.0, -1.0, 0.0, 1.0));
    emitAt(vec4(-1.0, 1.0, 0.0, 1.0));
    emitAt(vec4(1.0, 1.0, 0.0, 1.0));
    EndPrimitive();
}
