// Roots, quotients and angles out of sums and products alone, each rounded by itself, so that every
// device gets the same bits.
//
// Reference: bvp/reference/elementary.go, which also says how close they are.

const float TINY = 7.8886090522101181e-31; // 2^-100
const float PI = 3.14159265358979;
const float HALF_PI = 1.57079632679490;
const float TURN = 6.28318530717959;

// 1/x for x from 2^-125 to 2^125.
float reciprocal(float x) {
    precise float y = uintBitsToFloat(0x7ef311c7u - floatBitsToUint(x));
    for (int i = 0; i < 4; i++) {
        precise float off = 2.0 - x * y;
        y *= off;
    }
    return y;
}

// The square root of x for x from 2^-100 to 2^100, and 0 for less.
float root(float x) {
    precise float y = uintBitsToFloat(0x5f3759dfu - (floatBitsToUint(x) >> 1));
    precise float halved = 0.5 * x;
    for (int i = 0; i < 4; i++) {
        precise float off = 1.5 - halved * y * y;
        y *= off;
    }
    precise float product = x * y;
    return x < TINY ? 0.0 : product;
}

// An angle between -2 pi and 2 pi brought to -pi to pi.
float wrapped(float a) {
    return a > PI ? a - TURN : (a < -PI ? a + TURN : a);
}

// Cosine and sine of an angle from -pi to pi.
vec2 direction(float a) {
    float x = abs(a);
    bool far = x > HALF_PI;
    x = far ? PI - x : x;
    precise float x2 = x * x;
    precise float s = -2.39e-8;
    s = s * x2 + 2.7526e-6;
    s = s * x2 + -1.98409e-4;
    s = s * x2 + 8.3333315e-3;
    s = s * x2 + -0.1666666664;
    s = s * x2 + 1.0;
    s *= x;
    precise float c = -2.605e-7;
    c = c * x2 + 2.47609e-5;
    c = c * x2 + -1.3888397e-3;
    c = c * x2 + 4.16666418e-2;
    c = c * x2 + -0.4999999963;
    c = c * x2 + 1.0;
    return vec2(far ? -c : c, a < 0.0 ? -s : s);
}

// The angle of a vector, from -pi to pi; 0 for the zero vector.
float angle(vec2 v) {
    vec2 u = abs(v);
    float high = max(u.x, u.y);
    precise float t = min(min(u.x, u.y) * reciprocal(high), 1.0);
    precise float t2 = t * t;
    precise float a = 2.8662257e-3;
    a = a * t2 + -1.61657367e-2;
    a = a * t2 + 4.29096138e-2;
    a = a * t2 + -7.528964e-2;
    a = a * t2 + 0.1065626393;
    a = a * t2 + -0.1420889944;
    a = a * t2 + 0.1999355085;
    a = a * t2 + -0.3333314528;
    a = a * t2 + 1.0;
    a *= t;
    a = u.y > u.x ? HALF_PI - a : a;
    a = v.x < 0.0 ? PI - a : a;
    a = v.y < 0.0 ? -a : a;
    return high == 0.0 ? 0.0 : a;
}
