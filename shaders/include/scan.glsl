// Prefix sums over a work group of SCAN_SIZE invocations. Every invocation has to call.

shared uint sums[SCAN_SIZE]; // of the values up to each invocation's, its own included

void scan(uint value) {
    uint me = gl_LocalInvocationIndex;
    sums[me] = value;
    barrier();
    for (uint step = 1u; step < SCAN_SIZE; step *= 2u) {
        uint before = me >= step ? sums[me - step] : 0u;
        barrier();
        sums[me] += before;
        barrier();
    }
}
