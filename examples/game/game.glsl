// The game's picture: the square at dusk is instance 0, agents follow, straight from the world's
// buffers. The program pastes AgentsGLSL above this; VERTEX or FRAGMENT says which stage it is.
layout(location = 0) uniform vec2 frame; // how far it is from the last tick to the next; time in seconds

#ifdef VERTEX
layout(std430, binding = 0) readonly buffer Agents { Agent agents[]; };
layout(std430, binding = 1) readonly buffer Previous { Agent previous[]; };
layout(std430, binding = 2) readonly buffer TraitsOf { Traits traits[]; };

out vec2 at; // meters; of an agent, radii from its middle, x ahead
flat out float walks, ghost;
flat out int goal; // that an agent walks to; -1: the ground

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    if (gl_InstanceID == 0) {
        at = (corner + 1.0) * vec2(16, 9);
        goal = -1;
        gl_Position = vec4(corner, 0, 1);
        return;
    }
    int i = gl_InstanceID - 1;
    Agent a = agents[i];
    ghost = float(traits[i].tag == 1);
    walks = smoothstep(0.1, 0.6, length(a.velocity));
    goal = int(a.layer);
    vec2 ahead = walks > 0.0 ? normalize(a.velocity) : vec2(1, 0);
    at = corner * mix(2.0, 4.5, ghost);
    vec2 place = mix(previous[i].position, a.position, frame.x) + traits[i].radius * mat2(ahead, -ahead.y, ahead.x) * at;
    gl_Position = agentIsThere(a.status) ? vec4(place / vec2(16, 9) - 1.0, 0, 1) : vec4(0);
}
#else
in vec2 at;
flat in float walks, ghost;
flat in int goal;

out vec4 color; // multiplied by alpha

const vec4 walls[] = vec4[](vec4(8, 0, 8.6, 6), vec4(8, 12, 8.6, 18), vec4(14, 3, 18, 4), vec4(14, 14, 18, 15),
    vec4(23, 0, 23.6, 7), vec4(23, 11, 23.6, 18), vec4(27, 8, 30, 10));
const vec2 places[] = vec2[](vec2(16, 9), vec2(27, 3), vec2(30, 15));
const vec3 lights[] = vec3[](vec3(0.42, 0.78, 0.98), vec3(1.0, 0.72, 0.35), vec3(0.62, 0.9, 0.55));

// Distance to the nearest wall, negative inside.
float wall(vec2 p) {
    float nearest = 1e3;
    for (int i = 0; i < walls.length(); i++) {
        vec2 d = max(walls[i].xy - p, p - walls[i].zw);
        nearest = min(nearest, length(max(d, 0.0)) + min(max(d.x, d.y), 0.0));
    }
    return nearest;
}

float random(vec2 cell) {
    return fract(sin(dot(cell, vec2(12.9898, 78.233))) * 43758.5453);
}

void drawGround() {
    float pixel = fwidth(at.x);
    vec2 row = vec2(at.x + 0.5 * mod(floor(at.y), 2.0), at.y), inStone = abs(fract(row) - 0.5);
    float joint = smoothstep(0.47 - pixel, 0.485, max(inStone.x, inStone.y));
    vec3 c = vec3(0.20, 0.21, 0.27) * (0.92 + 0.16 * random(floor(row))) * (1.0 - 0.3 * joint);
    for (int i = 0; i < places.length(); i++) {
        float d = distance(at, places[i]);
        float ring = fract(d / 0.75 - 0.4 * frame.y);
        c += lights[i] * (0.28 * exp(-0.30 * d * d / 2.0) + 0.45 * smoothstep(2.0 * pixel, 0.0, abs(d - 1.5)));
        c += lights[i] * 0.25 * smoothstep(1.5, 0.0, d) * smoothstep(0.5, 1.0, ring);
    }
    c += vec3(1.0, 0.85, 0.6) * 0.35 * exp(-1.2 * max(at.x, 0.0) - 0.5 * max(abs(at.y - 9.0) - 1.0, 0.0) * 2.0); // from the door
    c *= mix(0.35, 1.0, smoothstep(-0.1, 0.7, wall(at + vec2(-0.25, 0.3)))); // the shadow
    c *= mix(0.72, 1.0, smoothstep(0.0, 0.8, wall(at)));
    float d = wall(at);
    vec3 top = mix(vec3(0.36, 0.33, 0.40), vec3(0.62, 0.56, 0.60), smoothstep(-0.06, -0.02, d) * step(0.0, wall(at + vec2(-0.1, 0.1))));
    c = mix(c, top, smoothstep(pixel, -pixel, d) );
    vec2 middle = at / vec2(16, 9) - 1.0;
    color = vec4(c * (1.0 - 0.25 * dot(middle, middle)), 1);
}
void over(vec3 c, float alpha) {
    color = vec4(c * alpha, alpha) + color * (1.0 - alpha);
}

void drawAgent() {
    float d = length(at), pixel = fwidth(d);
    color = vec4(0, 0, 0, 0.45 * smoothstep(1.9, 0.7, d)); // its shadow
    if (ghost > 0.0) {
        over(vec3(0.75, 0.9, 1.0), 0.30 * exp(-1.1 * max(d - 1.0, 0.0)));
        over(vec3(0.8, 0.95, 1.0), 0.5 * smoothstep(2.0 * pixel, 0.0, abs(d - 4.0))); // its reach
    }
    vec3 body = mix(lights[goal % 3], vec3(0.93, 0.98, 1.0), ghost);
    over(body * 0.45, smoothstep(0.0, -pixel, d - 1.0));
    over(body * (1.0 - 0.25 * dot(at, at)), smoothstep(0.0, -pixel, d - 0.86));
    vec2 eye = vec2(at.x - 0.42, abs(at.y) - 0.33);
    over(vec3(0.08, 0.09, 0.14), max(walks, ghost) * smoothstep(pixel, -pixel, length(eye) - mix(0.13, 0.17, ghost)));
}

void main() {
    if (goal < 0) {
        drawGround();
    } else {
        drawAgent();
    }
}
#endif
