// Package agentstest is the contract of an avoidance method, as tests. A method passes Suite in
// its plain form and on the device alike: whatever it is given, it answers with a velocity that
// the agent can have; an agent with none to avoid gets its preferred velocity; agents pass each
// other without touching, part where they overlap, and stop at walls.
package agentstest
