package builtin_test

import (
	"fmt"

	"github.com/wayfront/wayfront/scenes/builtin"
)

func ExampleLoad() {
	scene, err := builtin.Load("Spiral")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(scene.Name, len(scene.Obstacles), "obstacle,", scene.Vertices(), "vertices")
	// Output: spiral 1 obstacle, 38 vertices
}
