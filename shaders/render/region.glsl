// Which generator a point of the ground belongs to, sharper than texels: a texel knows its own winner, and near a
// region's border the winners of the texels around a point compete again at the point itself.
//
// Two kinds of borders are distinguished. Where two generators are both in sight, the nearer one wins. Where generator v
// hides its own parent u, the line from u through v is the border, though u would be nearer beyond it: v's cone begins
// there, and while a point lies in it, u and what u came from cannot have it. A beam lights what lies to the left of its leg,
// between the perpendiculars on its ends.
//
// Needs: Cone, include/numbers.glsl; the including stage declares cones[], parents and field.

uniform int mapLayer;
uniform float mapCell; // meters

struct Region {
    uint generator; // index in the layer, NONE where no source reaches or no agent walks
    float distance; // meters to the nearest source
};

// The winners of the texels within some texels of a place, at most one: four blocks of two by two, which overlap.
struct Around {
    uvec4 blocks[4];
    bool even; // all are one
};

Around lookAround(vec2 place, float reach) {
    vec2 size = vec2(textureSize(parents, 0).xy);
    vec2 grid = place / mapCell - 0.5;
    Around a;
    a.even = true;
    for (int i = 0; i < 4; i++) {
        vec2 low = floor(grid + reach * (vec2(i & 1, i >> 1) * 2.0 - 1.0));
        a.blocks[i] = textureGather(parents, vec3((low + 1.0) / size, mapLayer));
        a.even = a.even && a.blocks[i] == a.blocks[0].xxxx;
    }
    return a;
}

float cross2(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

bool isBeam(Cone c) {
    return c.turn == 2.0;
}

// How far a place is from the nearest source on the way over a generator.
float over(Cone c, vec2 place) {
    vec2 way = place - c.position;
    return isBeam(c) ? max(cross2(c.along, way) / length(c.along), 0.0) : c.distance + length(way);
}

// Where the way over a generator leads to: to the generator, in a beam to the foot on the leg.
vec2 aim(Cone c, vec2 place) {
    if (!isBeam(c)) {
        return c.position;
    }
    return c.position + c.along * clamp(dot(place - c.position, c.along) / dot(c.along, c.along), 0.0, 1.0);
}

// The region that a place well inside of it is in.
Region evenRegion(Around a, vec2 place) {
    uint index = a.blocks[0].x;
    if (index == NONE) {
        return Region(NONE, INFINITY);
    }
    return Region(index, over(cones[index], place));
}

// The region that the texel of a place is in, or else one beside it: along walls the middles of texels are inside of obstacles.
Region roughRegion(vec2 place) {
    ivec2 last = textureSize(parents, 0).xy - 1;
    ivec2 texel = clamp(ivec2(floor(place / mapCell)), ivec2(0), last);
    uint index = texelFetch(parents, ivec3(texel, mapLayer), 0).r;
    vec2 aside = place / mapCell - vec2(texel) - 0.5;
    ivec2 next = abs(aside.x) > abs(aside.y) ? ivec2(sign(aside.x), 0) : ivec2(0, sign(aside.y));
    if (index == NONE && texelFetch(field, ivec3(texel, mapLayer), 0).w != STATE_UNREACHED) {
        index = texelFetch(parents, ivec3(clamp(texel + next, ivec2(0), last), mapLayer), 0).r;
    }
    return index == NONE ? Region(NONE, INFINITY) : Region(index, over(cones[index], place));
}

// More than so many regions meet around a place only where they are narrower than texels.
const int MAX_RIVALS = 5;

// The generators that may have places near here. Arrays have constant indices only, once loops are unrolled: they stay
// in registers.
struct Rivals {
    uint own; // of the texel that the place is in
    uint index[MAX_RIVALS]; // NONE: no rival
    Cone cone[MAX_RIVALS];
    uint barred[MAX_RIVALS]; // bit k: rival k has no place in this one's cone
};

Rivals rivals(Around a, vec2 place) {
    Rivals r;
    for (int k = 0; k < MAX_RIVALS; k++) {
        r.index[k] = NONE;
    }
    ivec2 texel = clamp(ivec2(floor(place / mapCell)), ivec2(0), textureSize(parents, 0).xy - 1);
    r.own = texelFetch(parents, ivec3(texel, mapLayer), 0).r;
    bool unreached = r.own == NONE && texelFetch(field, ivec3(texel, mapLayer), 0).w == STATE_UNREACHED;
    for (int i = 0; i < 16; i++) {
        uint index = a.blocks[i >> 2][i & 3];
        bool fresh = index != NONE && !unreached;
        for (int k = 0; k < MAX_RIVALS; k++) {
            fresh = fresh && r.index[k] != index;
        }
        for (int k = MAX_RIVALS - 1; k > 0; k--) {
            r.index[k] = fresh ? r.index[k - 1] : r.index[k];
        }
        r.index[0] = fresh ? index : r.index[0];
    }
    for (int k = 0; k < MAX_RIVALS; k++) {
        if (r.index[k] != NONE) {
            r.cone[k] = cones[r.index[k]];
        }
        r.barred[k] = 0u;
        for (int other = 0; other < MAX_RIVALS; other++) {
            uint index = r.index[other];
            bool above = index != NONE && (index == r.cone[k].parent || index == r.cone[k].second || index == r.cone[k].third);
            r.barred[k] |= above ? 1u << other : 0u;
        }
    }
    return r;
}

// Whose the place is, of the rivals.
Region contest(Rivals r, vec2 place) {
    uint barred = 0u;
    for (int k = 0; k < MAX_RIVALS; k++) {
        Cone c = r.cone[k];
        vec2 way = place - c.position;
        // A source, which turns nothing, lights all around.
        bool inside = c.turn == 0.0 || c.turn * cross2(c.along, way) >= 0.0 && c.turn * cross2(c.wall, way) <= 0.0;
        if (isBeam(c)) {
            float along = dot(c.along, way);
            inside = cross2(c.along, way) >= 0.0 && along >= 0.0 && along <= dot(c.along, c.along);
        }
        barred |= inside && r.index[k] != NONE ? r.barred[k] : 1u << k;
    }
    Region best = Region(NONE, INFINITY);
    Region known = Region(NONE, INFINITY);
    for (int k = 0; k < MAX_RIVALS; k++) {
        Region mine = Region(r.index[k], over(r.cone[k], place));
        bool nearer = mine.distance < best.distance || mine.distance == best.distance && mine.generator < best.generator;
        if ((barred >> k & 1u) == 0u && nearer) {
            best = mine;
        }
        if (mine.generator != NONE && (mine.generator == r.own || known.generator == NONE)) {
            known = mine;
        }
    }
    // Without a winner the place lies between cones so narrow that no texel knows of them: the texel's own then.
    return best.generator != NONE ? best : known;
}
