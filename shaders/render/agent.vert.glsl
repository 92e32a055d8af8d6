#version 450 core
// An agent, one instance each, straight from the buffers of the crowd. It is shown on its way to its newest place, by as
// much of the last step as is still to be shown: from one step to the next it moves evenly.
//
// Waiting agents and those that have left are not drawn.
// writes: the pixel's place from the agent's middle along its heading, in pixels.

#include "render/view.glsl"
#include "render/agent.glsl"
#include "include/status.glsl"

in vec2 place;        // meters from the domain's corner
in vec2 velocity;     // m/s, of the last step
in uint status;
in float agentRadius; // m
in uint colorNumber; // group or goal
#if RELIEF == 1
in uint reliefPeak;
#endif

noperspective out vec2 at;
flat out float radius; // pixels
flat out float headed; // how clearly it walks: 0 stands, 1 walks
flat out vec3 body;
flat out float opacity;

uniform float behind; // seconds of the last step that are still to be shown
uniform float scale;  // pixels a meter, at a depth w of 1
uniform bool shaded;  // small agents are shaded instead
uniform vec4 tint;    // a color in place of the agent's, by its alpha

void main() {
    if (!isThere(status)) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside of everything
        return;
    }
    vec2 here = place - behind * velocity;
    vec4 middle = STANDING(here);
    opacity = shaded ? discShare(agentRadius * scale / pixelRatio) : 1.0;
    if (opacity == 0.0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    radius = max(agentRadius * scale / middle.w, AGENT_LEAST * pixelRatio);
    float speed = length(velocity);
    headed = clamp(speed / CLEARLY_WALKING, 0.0, 1.0);
    vec2 heading = speed > 0.0 ? velocity / speed : vec2(1.0, 0.0);
#if RELIEF == 1
    heading = normalize(toPixels(STANDING(here + heading * agentRadius)) - toPixels(middle));
#endif
    const vec3 colors[BOLD] = vec3[](BOLD_COLORS);
    body = mix(colors[colorNumber % BOLD], tint.rgb, tint.a);
    at = corner(gl_VertexID) * (radius * (1.0 + NOSE) + 2.0 * pixelRatio);
    gl_Position = movedBy(middle, mat2(heading, vec2(-heading.y, heading.x)) * at);
}
