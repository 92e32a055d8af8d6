// What the status of an agent means to others.

// Whether an agent has a body: others avoid it, and it is drawn.
bool isThere(uint status) {
    return status == STATUS_WALKING || status == STATUS_ARRIVED || status == STATUS_PLACED;
}
