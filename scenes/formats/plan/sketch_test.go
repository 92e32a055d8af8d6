package plan

import "testing"

func TestRoles(t *testing.T) {
	for text, want := range map[string]Role{
		"obstacle": RoleObstacle, "Walls": RoleObstacle, "walkables": "", "Main-Exits_2": RoleGoal, "layer3 spawn": RoleSpawn, "walkable": RoleWalkable, "wallpaper": "", "": "", "g1 wall exit": RoleObstacle,
	} {
		if got, ok := RoleOf(text); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
}
