// The velocity that an agent wishes for to come to a place.
// Needs: <Traits>.
// Reference: agents.Reference.towards.

uniform float timestep; // s

vec2 wishFor(Traits t, vec2 place, vec2 aim) {
    precise vec2 d = aim - place;
    precise float straight = sqrt(d.x * d.x + d.y * d.y);
    float speed = min(t.preferredSpeed, t.maxSpeed);
    precise float reach = speed * timestep;
    // The step ends on a corner exactly; the next one turns there.
    precise vec2 wish = straight <= reach ? d / timestep : d / straight * speed;
    return wish;
}
