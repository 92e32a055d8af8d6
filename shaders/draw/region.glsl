// Which generator a point of the ground belongs to, sharper than texels: a texel knows its own winner, and near a
// region's border the winners of the texels around a point compete again at the point itself.
//
// Two kinds of borders are told apart. Where two generators are both in sight, the nearer one wins. Where generator v
// hides its own parent u, the line from u through v is the border, though u would be nearer beyond it: v's cone begins
// there, and while a point lies in it, u and what u came from cannot have it.
//
// Needs: Generator, include/numbers.glsl; the including stage declares generators[], parents and field.

uniform uint generatorBase;  // first record of the drawn layer
uniform int mapLayer;
uniform float mapCell;       // metres
uniform vec2 domainSize;     // metres

struct Region {
    uint generator; // index in the layer, NONE where no source reaches or nobody walks
    float distance; // metres to the nearest source
};

const int MAX_CANDIDATES = 8;
const int MAX_ANCESTORS = 8; // how far up a candidate's parents are kept from taking its cone

float cross2(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

float distanceOver(uint index, vec2 place) {
    Generator g = generators[generatorBase + index];
    return g.distance + distance(g.position, place);
}

// Whether a shortest path may turn at g towards the place: in the wedge between the line from its parent on and the
// wall that hides what lies beyond. Sources light all around.
bool inCone(Generator g, vec2 place) {
    if (g.parent == NONE) {
        return true;
    }
    vec2 along = g.position - generators[generatorBase + g.parent].position;
    vec2 from = vec2(g.fromX - g.x, g.fromY - g.y);
    vec2 to = vec2(g.toX - g.x, g.toY - g.y);
    vec2 way = place - g.position;
    // The obstacle lies left of the path where its walls do; both may not lean to different sides where a path turns.
    float left = cross2(along, normalize(from)) + cross2(along, normalize(to));
    if (left > 0.0) {
        return cross2(along, way) >= 0.0 && cross2(to, way) <= 0.0;
    }
    return cross2(along, way) <= 0.0 && cross2(from, way) >= 0.0;
}

uint winner(ivec2 texel) {
    ivec2 last = textureSize(parents, 0).xy - 1;
    return texelFetch(parents, ivec3(clamp(texel, ivec2(0), last), mapLayer), 0).r;
}

Region regionAt(vec2 place) {
    vec2 grid = place / mapCell - 0.5;
    ivec2 low = ivec2(floor(grid));
    uint a = winner(low), b = winner(low + ivec2(1, 0)), c = winner(low + ivec2(0, 1)), d = winner(low + ivec2(1, 1));
    if (a == b && a == c && a == d) {
        return a == NONE ? Region(NONE, INFINITY) : Region(a, distanceOver(a, place));
    }

    ivec2 nearest = ivec2(floor(grid + 0.5));
    uint own = winner(nearest);
    if (own == NONE) {
        ivec2 last = textureSize(field, 0).xy - 1;
        if (texelFetch(field, ivec3(clamp(nearest, ivec2(0), last), mapLayer), 0).w == STATE_UNREACHED) {
            return Region(NONE, INFINITY);
        }
    }

    uint candidates[MAX_CANDIDATES];
    int count = 0;
    for (int i = 0; i < 16; i++) {
        uint index = winner(low + ivec2(i & 3, i >> 2) - 1);
        bool fresh = index != NONE && count < MAX_CANDIDATES;
        for (int k = 0; k < count; k++) {
            fresh = fresh && candidates[k] != index;
        }
        if (fresh) {
            candidates[count] = index;
            count++;
        }
    }

    // Bit k: candidate k cannot have the place.
    uint barred = 0u;
    for (int k = 0; k < count; k++) {
        Generator g = generators[generatorBase + candidates[k]];
        if (g.parent == NONE) {
            continue;
        }
        if (!inCone(g, place)) {
            barred |= 1u << k;
            continue;
        }
        uint ancestor = g.parent;
        for (int up = 0; up < MAX_ANCESTORS && ancestor != NONE; up++) {
            for (int other = 0; other < count; other++) {
                barred |= uint(candidates[other] == ancestor) << other;
            }
            ancestor = generators[generatorBase + ancestor].parent;
        }
    }

    Region best = Region(own, own == NONE ? INFINITY : distanceOver(own, place));
    float least = INFINITY;
    for (int k = 0; k < count; k++) {
        float d = distanceOver(candidates[k], place);
        if ((barred >> k & 1u) == 0u && (d < least || d == least && candidates[k] < best.generator)) {
            least = d;
            best = Region(candidates[k], d);
        }
    }
    return best;
}
