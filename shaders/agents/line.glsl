// Looks past agents of a line that have left it.
// Needs: <InLine>, and `lines`.

// The agent ahead, as InLine.ahead, that is in the line; what is left of MOST_GONE looks otherwise.
uint stillAhead(uint ahead, uint line) {
    uint turn = 0u;
    uint at = ahead;
    bool gone = true;
    do {
        InLine other = lines[max(at, 1u) - 1u];
        gone = at != 0u && other.line != line;
        at = gone ? other.ahead : at;
        turn++;
    } while (gone && turn < MOST_GONE);
    return at;
}
