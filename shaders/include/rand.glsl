// Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror and Shaw
// 2011, "Parallel random numbers: as easy as 1, 2, 3", section 3.3).
//
// Reference: spawn.Philox. The same bits in Go and in GLSL, whatever the
// order in which they are asked for: there is no state.

// Four random words from a counter and a key.
uvec4 philox(uvec4 counter, uvec2 key) {
    for (int i = 0; i < 10; i++) {
        uint high0, low0, high1, low1;
        umulExtended(0xD2511F53u, counter.x, high0, low0);
        umulExtended(0xCD9E8D57u, counter.z, high1, low1);
        counter = uvec4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
        key += uvec2(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

// A random number in [0, 1) from a random word: its upper 24 bits, exactly.
float unit(uint word) {
    return float(word >> 8) * (1.0 / 16777216.0);
}
