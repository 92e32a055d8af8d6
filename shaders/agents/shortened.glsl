// A length of at most `most`: shortened, a little too much, so that rounding never leaves it
// longer. Square root, division and products together are off by less than 2^-20.
vec2 shortened(vec2 v, float most) {
    precise float length2 = v.x * v.x + v.y * v.y;
    precise float scale = most / sqrt(length2) * (1.0 - 1.0 / 1048576.0);
    return length2 > most * most ? v * scale : v;
}
