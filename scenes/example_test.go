package scenes_test

import (
	"fmt"

	"github.com/wayfront/wayfront/scenes"
)

// A whole scene in ten lines.
const tenLines = `{
  "version": 1,
  "domain": [0, 0, 40, 25],             // a ground of 40 m by 25 m
  "obstacles": [
    {"rect": [20, 0, 20.4, 18]},        // a wall
    {"circle": {"center": [10, 12], "radius": 2}},
  ],
  "goals": [{"id": "exit", "points": [[39, 2]]}],
  "groups": [{"count": 200, "spawn": {"rect": [1, 1, 8, 24]}}],
}`

func ExampleRead() {
	scene, problems := scenes.Read("hall.json", []byte(tenLines))
	fmt.Println(scene.Name, len(scene.Obstacles), scene.Agents(), scene.Groups[0].Itinerary, len(problems))

	_, problems = scenes.Read("bad.json", []byte(`{
  "version": 1,
  "domain": [0, 0, 40, 25],
  "goals": [{"id": "exit", "points": [[41, 2]]}],
  "groups": [{"cuont": 200, "spawn": {"rect": [1, 1, 8, 24]}}],
}`))
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// hall 2 200 [exit] 0
	// bad.json:4:39: $.goals[0].points[0]: the source [41, 2] lies outside the domain [0, 0, 40, 25]
	// bad.json:5:15: $.groups[0].cuont: unknown field "cuont": did you mean "count"?
}
