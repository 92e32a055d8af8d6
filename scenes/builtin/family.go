package builtin

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wayfront/wayfront/scenes"
)

// families are scenes of one kind in any size: maps without agents (maps.go), to measure how cost
// grows, and crowds (crowds.go, encounters.go, bowl.go). NAME-N has N obstacles, sources or agents, where 1k is
// 1000 too. The greatest N, most, is a matter of room: with more squares lanes are narrower than
// agents, and more agents do not fit where they start. List has the sizes of the papers only.
//
// A description with %s is that of a crowd: it says the count, and names have thousands as 1k.
var families = []struct {
	name, description string
	most              int
	make              func(count int) *scenes.Scene
}{
	{"squares", "Rows of squares: large visible areas from everywhere", 10000, squares},
	{"octagons", "Octagons of unlike sizes, moved and turned at random", 10000, octagons},
	{"points", "An empty room with many places to go to, of which the nearest counts", 10000, points},
	{"disc", "%s people at 5 m from one another walk to their opposite points", 1_000_000, disc},
	{"circle", "%s people on a circle walk to their opposite points and meet in the middle", 10000, circle},
	{"back-and-forth", "%s people walk to and fro along a strip, one half of them against the other", 150, backAndForth},
	{"pairs", "%s people meet in corridors of 1.75 to 4 m, two in each", 2000, pairs},
	{"counterflow", "%s people get through a passage of 2 m, one half of them against the other", 250, counterflow},
	{"evac", "%s people leave an office floor by two narrow exits", 20000, evac},
	{"evacuation", "%s people leave an office floor by two narrow exits", 20000, evacuation},
	{"city", "%s people walk from side to side of a city", 500000, city},
	{"stadium", "%s people leave their seats in a stadium by its aisles and gates", 25000, bowl},
}

// ofFamily returns the scene NAME-N of a family.
func ofFamily(name string) (*scenes.Scene, bool) {
	for _, f := range families {
		text, ok := strings.CutPrefix(name, f.name+"-")
		if n, counts := size(text); ok && counts && n <= f.most {
			s := f.make(n)
			s.Name, s.Description = fmt.Sprintf("%s-%d", f.name, n), f.description
			if strings.Contains(f.description, "%s") {
				s.Name, s.Description = f.name+"-"+sizeText(n), fmt.Sprintf(f.description, thousands(n))
			}
			return s, true
		}
	}
	return nil, false
}

// size reads a count above 0 as names have it: 500, or 2k for 2000.
func size(text string) (int, bool) {
	digits, thousands := strings.CutSuffix(text, "k")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > scenes.MaxAgents || strconv.Itoa(n) != digits {
		return 0, false
	}
	if thousands {
		n *= 1000
	}
	return n, true
}

// sizeText returns a count as names have it: whole thousands as 1k.
func sizeText(n int) string {
	if n%1000 == 0 {
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

// thousands returns a number with commas between thousands.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
