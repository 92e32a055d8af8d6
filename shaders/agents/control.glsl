// Which agents the engine moves. The others are placed by the host alone.

#include "include/status.glsl"

// Whether the engine moves an agent of a status and Traits.Control, if it is there.
bool engineMoves(uint status, uint control) {
    return isThere(status) && status != STATUS_PLACED && control == CONTROL_ENGINE;
}
