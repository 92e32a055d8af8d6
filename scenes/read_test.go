package scenes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// minimal is the smallest scene there is.
const minimal = `{"version": 1, "domain": [0, 0, 40, 25], "goals": [{"points": [[39, 2]]}]}`

// with returns minimal with more fields, so that a test shows only what it is
// about.
func with(fields string) string {
	return strings.TrimSuffix(minimal, "}") + ", " + fields + "}"
}

// group and profile return scenes with one group and one profile.
func group(fields string) string { return with(`"groups": [{` + fields + `}]`) }

func profile(fields string) string { return with(`"profiles": [{` + fields + `}]`) }

func bvp(fields string) string { return profile(`"bvp": {` + fields + `}`) }

func obstacle(fields string) string { return with(`"obstacles": [{` + fields + `}]`) }

func goal(fields string) string {
	return `{"version": 1, "domain": [0, 0, 40, 25], "obstacles": [{"rect": [10, 10, 20, 20]}], "goals": [{` + fields + `}]}`
}

// mustRead reads a scene that has to be good.
func mustRead(t testing.TB, text string) *Scene {
	t.Helper()
	s, problems := Read("test.json", []byte(text))
	if s == nil {
		t.Fatalf("refused: %v\n%s", problems, text)
	}
	return s
}

// refusals are scenes with one mistake, at the mark, and the message about it.
var refusals = []struct {
	name, scene, path, message string
}{
	// The document.
	{"empty", `«`, `$`, "no valid JSON"},
	{"cut", `{"version": 1, "domain": [0, 0, 40«`, `$.domain[2]`, "no valid JSON"},
	{"missing comma", `{"version": 1 «"domain": [0, 0, 40, 25]}`, `$.version`, "no valid JSON: invalid character '\"' after object value"},
	{"single quotes", `{«'version': 1}`, `$`, "no valid JSON"},
	{"two documents", minimal + ` «{}`, `$`, "no valid JSON"},
	{"open comment", `{"version": 1, «/* what`, `$`, "no valid JSON"},
	{"not UTF-8", "{\"name\": \"caf«\xe9\"}", `$.name`, "not UTF-8"},
	{"torn string", "{\"version\": 1, \"name\": «\"two\nrooms\"}", `$.name`, `no valid JSON: invalid literal: "two rooms"`},
	{"no object", `«[]`, `$`, "expected an object, got a list"},
	{"null", `«null`, `$`, "expected an object, got null"},
	{"depth", `{"name": ` + strings.Repeat("[", text.MaxDepth-1) + "«" + strings.Repeat("[", 1000), `$.name` + strings.Repeat("[0]", text.MaxDepth-1), "nested more than 64 levels"},
	{"values", with(`"name": [0` + strings.Repeat(",0", text.MaxValues-8) + `«,0]`), `$.name[2097144]`, "more than 2097152 values"},
	{"bytes", "«" + strings.Repeat(" ", text.MaxBytes+1), `$`, "at most 33554432 (32 MiB) are read"},

	// Fields.
	{"unknown field", profile(`«"radios": 1`), `$.profiles[0].radios`, `unknown field "radios": did you mean "radius"?`},
	{"unknown field, British", profile(`«"neighbourDistance": 1`), `$.profiles[0].neighbourDistance`, `did you mean "neighborDistance"?`},
	{"unknown field, far off", with(`"map": {«"colour": 1}`), `$.map.colour`, `unknown field "colour": allowed is "size"`},
	{"unknown field, odd name", with(`«"it's a \"name\"": 1`), `$['it\'s a "name"']`, "unknown field"},
	{"unknown field, long name", with(`«"` + strings.Repeat("long", 50) + `": 1`), `$['` + strings.Repeat("long", 10) + `...']`, "unknown field"},
	{"duplicate field", "{\n\"version\": 1,\n«\"version\": 1, \"domain\": [0, 0, 40, 25], \"goals\": [{\"points\": [[1, 1]]}]}", `$.version`, "given twice, first in line 2"},
	{"no version", `«{"domain": [0, 0, 40, 25], "goals": [{"points": [[1, 1]]}]}`, `$.version`, "missing: a whole number is required"},
	{"no domain", `«{"version": 1, "goals": [{"points": [[1, 1]]}]}`, `$.domain`, "missing: a rectangle [x0, y0, x1, y1] (m) is required"},
	{"no goals", `«{"version": 1, "domain": [0, 0, 40, 25]}`, `$.goals`, "missing: a list is required"},
	{"no center", obstacle(`"circle": «{"radius": 1}`), `$.obstacles[0].circle.center`, "missing: a point [x, y] (m) is required"},
	{"no spawn", with(`"groups": [«{"count": 3}]`), `$.groups[0].spawn`, "missing: an object is required"},
	{"empty goals", `{"version": 1, "domain": [0, 0, 40, 25], "goals": «[]}`, `$.goals`, "goals needs at least 1, got a list of 0"},
	{"empty profiles", with(`"profiles": «[]`), `$.profiles`, "profiles needs at least 1"},
	{"empty itinerary", group(`"spawn": {"points": [[1, 1]]}, "itinerary": «[]`), `$.groups[0].itinerary`, "itinerary needs at least 1"},

	// Types.
	{"string for number", profile(`"radius": «"big"`), `$.profiles[0].radius`, "expected a number (m), got a string"},
	{"number for string", with(`"name": «5`), `$.name`, "expected a string, got a number"},
	{"number for flag", bvp(`"speedControl": «1`), `$.profiles[0].bvp.speedControl`, "expected true or false, got a number"},
	{"flag for number", profile(`"radius": «true`), `$.profiles[0].radius`, "expected a number (m), got true"},
	{"null for number", profile(`"radius": «null`), `$.profiles[0].radius`, "expected a number (m), got null"},
	{"object for list", with(`"obstacles": «{}`), `$.obstacles`, "expected a list, got an object"},
	{"list for object", with(`"map": «[]`), `$.map`, "expected an object, got a list"},
	{"number for point", goal(`"points": [«5]`), `$.goals[0].points[0]`, "expected a point [x, y] (m), got a number"},
	{"point of three", goal(`"points": [«[1, 2, 3]]`), `$.goals[0].points[0]`, "expected a point [x, y], got a list of 3"},
	{"string in point", goal(`"points": [[1, «"2"]]`), `$.goals[0].points[0][1]`, "expected a number (m), got a string"},
	{"rect of three", obstacle(`"rect": «[1, 2, 3]`), `$.obstacles[0].rect`, "expected a rectangle [x0, y0, x1, y1], got a list of 3"},
	{"fraction for count", group(`"spawn": {"points": [[1, 1]]}, "count": «0.5`), `$.groups[0].count`, "expected a whole number, got 0.5"},
	{"huge seed", with(`"simulation": {"seed": «18446744073709551616}`), `$.simulation.seed`, "too large for a whole number"},
	{"huge whole number", profile(`"maxNeighbors": «1e300`), `$.profiles[0].maxNeighbors`, "at most 65536, got 1e300"},
	{"unknown word", profile(`"steering": «"smp"`), `$.profiles[0].steering`, `unknown word "smp": did you mean "spm"?`},
	{"unknown word, far off", profile(`"avoidance": «"telepathy"`), `$.profiles[0].avoidance`, `allowed are "none", "rvo", "clearpath", "orca"`},

	// Numbers that are none.
	{"NaN", profile(`"radius": «NaN`), `$.profiles[0].radius`, "NaN is not allowed: a number has to be finite"},
	{"Infinity", goal(`"points": [[1, «Infinity]]`), `$.goals[0].points[0][1]`, "Infinity is not allowed"},
	{"-Infinity", obstacle(`"polygon": [[1, 1], [«-Infinity, 1], [2, 2]]`), `$.obstacles[0].polygon[1][0]`, "-Infinity is not allowed"},
	{"1e999", obstacle(`"polygon": [[1, 1], [«1e999, 1], [2, 2]]`), `$.obstacles[0].polygon[1][0]`, "1e999 is not a finite number"},

	// The version and the domain.
	{"version 2", `{"version": «2, "domain": [0, 0, 40, 25], "goals": [{"points": [[1, 1]]}]}`, `$.version`, "unknown version 2: this program reads version 1"},
	{"domain without width", `{"version": 1, "domain": «[3, 0, 3, 25], "goals": [{"points": [[1, 1]]}]}`, `$.domain`, "the rectangle has no area: x0 and x1 are both 3"},
	{"domain too small for a device", `{"version": 1, "domain": «[0, 0, 1e-10, 1e-10], "goals": [{"points": [[0, 0]]}]}`, `$.domain`, "the domain's longer side is 1e-10 m, it has to be at least 1e-09 m"},
	{"domain turned round", `{"version": 1, "domain": «[0, 25, 40, 0], "goals": [{"points": [[1, 1]]}]}`, `$.domain`, "the rectangle is turned round: y0 is 25 and y1 is 0"},
	{"domain too far off", `{"version": 1, "domain": «[1e11, 0, 100000000001, 1], "goals": [{"points": [[1, 1]]}]}`, `$.domain`, "too far from the origin for its size"},
	{"number too large", `{"version": 1, "domain": [0, 0, «1e13, 1], "goals": [{"points": [[0, 1]]}]}`, `$.domain[2]`, "1e13 is too large: numbers of a scene are at most 1e+12"},
	{"number too small", profile(`"radius": «1e-13`), `$.profiles[0].radius`, "radius has to be above 0 m, and 1e-13 is too near to it: by 1e-12 at least"},

	// Obstacles.
	{"no shape", with(`"obstacles": [«{"id": "ghost"}]`), `$.obstacles[0]`, "the obstacle's shape is missing: give polygon, rect or circle"},
	{"two shapes", with(`"obstacles": [«{"rect": [1, 1, 2, 2], "polygon": [[1, 1], [2, 1], [1, 2]]}]`), `$.obstacles[0]`, "given in 2 ways (polygon, rect): keep one"},
	{"crossing itself", obstacle(`"polygon": [«[5, 5], [7, 7], [7, 5], [5, 7]]`), `$.obstacles[0].polygon[0]`, "intersects itself: its edges 0 and 2 meet at (6, 6)"},
	{"two vertices", obstacle(`"polygon": «[[5, 5], [7, 7]]`), `$.obstacles[0].polygon`, "fewer than three distinct vertices"},
	{"two distinct vertices", obstacle(`"polygon": «[[5, 5], [5, 5], [7, 7], [7, 7]]`), `$.obstacles[0].polygon`, "fewer than three distinct vertices"},
	{"no vertices", obstacle(`"polygon": «[]`), `$.obstacles[0].polygon`, "fewer than three distinct vertices"},
	{"no area", obstacle(`"polygon": «[[5, 5], [6, 6], [7, 7]]`), `$.obstacles[0].polygon`, "no area"},
	{"vertex outside by a rounding", obstacle(`"polygon": [[5, 5], [7, 5], «[7, 25.000000000000004]]`), `$.obstacles[0].polygon[2]`, "the vertex [7, 25.000000000000004] lies outside the domain [0, 0, 40, 25]"},
	{"crossing in thirds", obstacle(`"polygon": [«[5, 5], [8, 6], [8, 5], [5, 7]]`), `$.obstacles[0].polygon[0]`, "intersects itself: its edges 0 and 2 meet at (7, 5.666666667)"},
	{"vertex outside", obstacle(`"polygon": [[5, 5], [7, 5], «[7, -1]]`), `$.obstacles[0].polygon[2]`, "the vertex [7, -1] lies outside the domain [0, 0, 40, 25]"},
	{"hole outside", obstacle(`"polygon": [[5, 5], [9, 5], [9, 9]], "holes": [[«[6, 8], [6, 9], [5, 8]]]`), `$.obstacles[0].holes[0][0]`, "lies outside the outer ring"},
	{"hole crossing itself", obstacle(`"polygon": [[1, 1], [19, 1], [19, 19], [1, 19]], "holes": [[«[5, 5], [7, 7], [7, 5], [5, 7]]]`), `$.obstacles[0].holes[0][0]`, "hole 0 intersects itself"},
	{"hole of two", obstacle(`"polygon": [[1, 1], [19, 1], [19, 19], [1, 19]], "holes": [«[[5, 5], [7, 7]]]`), `$.obstacles[0].holes[0]`, "hole 0 has fewer than three distinct vertices"},
	{"holes of a rect", obstacle(`"rect": [1, 1, 9, 9], "holes": «[[[2, 2], [3, 2], [3, 3]]]`), `$.obstacles[0].holes`, "holes belong to a polygon"},
	{"rect without height", obstacle(`"rect": «[1, 2, 9, 2]`), `$.obstacles[0].rect`, "the rectangle has no area: y0 and y1 are both 2"},
	{"rect turned round", obstacle(`"rect": «[9, 1, 1, 2]`), `$.obstacles[0].rect`, "the rectangle is turned round: x0 is 9 and x1 is 1"},
	{"rect outside", obstacle(`"rect": «[39, 1, 41, 2]`), `$.obstacles[0].rect`, "the corner [41, 2] lies outside the domain"},
	{"circle outside", obstacle(`"circle": «{"center": [39, 5], "radius": 2}`), `$.obstacles[0].circle`, "lies outside the domain"},
	{"circle without radius", obstacle(`"circle": {"center": [30, 5], "radius": «0}`), `$.obstacles[0].circle.radius`, "radius has to be above 0 m, got 0"},
	{"circle with two sides", obstacle(`"circle": {"center": [30, 5], "radius": 1, "sides": «2}`), `$.obstacles[0].circle.sides`, "sides has to be at least 3, got 2"},
	{"circle with too many sides", obstacle(`"circle": {"center": [30, 5], "radius": 1, "sides": «4097}`), `$.obstacles[0].circle.sides`, "sides has to be at most 4096, got 4097"},
	{"opens before the start", obstacle(`"rect": [1, 1, 2, 2], "open": [[1, 2], «[-1, 5]]`), `$.obstacles[0].open[1]`, "the time -1 s is negative"},
	{"two timetables", obstacle(`"rect": [1, 1, 2, 2], "open": [[1, 2]], "closed": «[[3, 4]]`), `$.obstacles[0].closed`, "keep open, the times in which the obstacle is absent, or closed"},
	{"unknown base", profile(`"base": «"adlut"`), `$.profiles[0].base`, "unknown word \"adlut\": did you mean \"adult\"?"},
	{"shuts before it opens", obstacle(`"rect": [1, 1, 2, 2], "open": [«[5, 5]]`), `$.obstacles[0].open[0]`, "ends at 5 s, not after its beginning at 5 s"},
	{"motion without any", obstacle(`"rect": [1, 1, 2, 2], "motion": «{"loop": "once"}`), `$.obstacles[0].motion`, "motion is missing: give path or keyframes"},
	{"motion of two kinds", obstacle(`"rect": [1, 1, 2, 2], "motion": «{"speed": 1, "path": [[0, 0], [1, 0]], "keyframes": [{"time": 0}, {"time": 1, "angle": 9}]}`), `$.obstacles[0].motion`, "given in 2 ways (path, keyframes): keep one"},
	{"path without speed", obstacle(`"rect": [1, 1, 2, 2], "motion": «{"path": [[0, 0], [1, 0]]}`), `$.obstacles[0].motion`, "a path needs a speed"},
	{"path with pivot", obstacle(`"rect": [1, 1, 2, 2], "motion": {"path": [[0, 0], [1, 0]], "speed": 1, "pivot": «[0, 0]}`), `$.obstacles[0].motion.pivot`, "does not turn on a path"},
	{"keyframes with speed", obstacle(`"rect": [1, 1, 2, 2], "motion": {"keyframes": [{"time": 0}, {"time": 1, "angle": 9}], "speed": «1}`), `$.obstacles[0].motion.speed`, "keyframes have times: leave the speed out"},
	{"one keyframe", obstacle(`"rect": [1, 1, 2, 2], "motion": {"keyframes": «[{"time": 0}]}`), `$.obstacles[0].motion.keyframes`, "keyframes needs at least 2, got a list of 1"},
	{"keyframe without time", obstacle(`"rect": [1, 1, 2, 2], "motion": {"keyframes": [{"time": 0}, «{"angle": 9}]}`), `$.obstacles[0].motion.keyframes[1].time`, "missing"},
	{"keyframe before the start", obstacle(`"rect": [1, 1, 2, 2], "motion": {"keyframes": [{"time": «-1}, {"time": 1, "angle": 9}]}`), `$.obstacles[0].motion.keyframes[0].time`, "time has to be at least 0 s, got -1"},
	{"keyframes back in time", obstacle(`"rect": [1, 1, 2, 2], "motion": {"keyframes": [{"time": 2}, {"time": «2, "angle": 9}]}`), `$.obstacles[0].motion.keyframes[1].time`, "the time 2 s is not after 2 s, that of the keyframe before: give times that increase"},
	{"keyframes on the spot", obstacle(`"rect": [1, 1, 2, 2], "motion": {"keyframes": «[{"time": 2, "angle": 9}, {"time": 3, "angle": 9}]}`), `$.obstacles[0].motion.keyframes`, "the keyframes move nothing"},
	{"keyframe too far", obstacle(`"rect": [1, 1, 2, 2], "motion": {"keyframes": [{"time": 0}, {"time": 1, "offset": «[0, 1e9]}]}`), `$.obstacles[0].motion.keyframes[1].offset`, "leads away by more than 1e+06 lengths of the domain"},
	{"keyframe turned too far", obstacle(`"rect": [1, 1, 2, 2], "motion": {"keyframes": [{"time": 0}, {"time": 1, "angle": «1e7}]}`), `$.obstacles[0].motion.keyframes[1].angle`, "angle has to be at most 1000000 degrees, got 1e7"},
	{"keyframe without number", obstacle(`"rect": [1, 1, 2, 2], "motion": {"keyframes": [{"time": 0}, {"time": 1, "angle": «NaN}]}`), `$.obstacles[0].motion.keyframes[1].angle`, "NaN"},
	{"pivot far away", obstacle(`"rect": [1, 1, 2, 2], "motion": {"keyframes": [{"time": 0}, {"time": 1, "angle": 9}], "pivot": «[0, -1e5]}`), `$.obstacles[0].motion.pivot`, "the pivot [0, -100000] is away by more than 1000 lengths of the domain"},
	{"motion on the spot", obstacle(`"rect": [1, 1, 2, 2], "motion": {"speed": 1, "path": «[[1, 0], [1, 0]]}`), `$.obstacles[0].motion.path`, "the path has no length"},
	{"motion of one offset", obstacle(`"rect": [1, 1, 2, 2], "motion": {"speed": 1, "path": «[[1, 0]]}`), `$.obstacles[0].motion.path`, "path needs at least 2, got a list of 1"},
	{"motion too far", obstacle(`"rect": [1, 1, 2, 2], "motion": {"speed": 1, "path": [[0, 0], «[1e9, 0]]}`), `$.obstacles[0].motion.path[1]`, "leads away by more than 1e+06 lengths of the domain"},
	{"motion without speed", obstacle(`"rect": [1, 1, 2, 2], "motion": {"speed": «0, "path": [[0, 0], [1, 0]]}`), `$.obstacles[0].motion.speed`, "speed has to be above 0 m/s, got 0"},
	{"duplicate obstacle", with(`"obstacles": [{"id": "a", "rect": [1, 1, 2, 2]}, {"id": «"a", "rect": [3, 3, 4, 4]}]`), `$.obstacles[1].id`, `duplicate id "a": $.obstacles[0] already has it`},
	{"empty id", obstacle(`"id": «"", "rect": [1, 1, 2, 2]`), `$.obstacles[0].id`, "the id is empty"},

	// Goals.
	{"no source", `{"version": 1, "domain": [0, 0, 40, 25], "goals": [«{"id": "exit"}]}`, `$.goals[0]`, "the goal has no source"},
	{"no points", `{"version": 1, "domain": [0, 0, 40, 25], "goals": [«{"points": []}]}`, `$.goals[0]`, "the goal has no source"},
	{"source outside", goal(`"points": [[1, 1], «[1, 26]]`), `$.goals[0].points[1]`, "the source [1, 26] lies outside the domain"},
	{"source inside", goal(`"points": [[1, 1], «[15, 15]]`), `$.goals[0].points[1]`, "the source [15, 15] lies in the interior of an obstacle"},
	{"source just inside", goal(`"points": [«[10.001, 15]]`), `$.goals[0].points[0]`, "lies in the interior of an obstacle"},
	{"segment inside", goal(`"segments": [«[[11, 11], [19, 19]]]`), `$.goals[0].segments[0]`, "the segment lies wholly inside obstacles"},
	{"segment outside", goal(`"segments": [[[1, 1], «[-1, 1]]]`), `$.goals[0].segments[0][1]`, "the segment's end [-1, 1] lies outside the domain"},
	{"segment without length", goal(`"segments": [«[[1, 1], [1, 1]]]`), `$.goals[0].segments[0]`, "the segment has no length"},
	{"arrival radius", goal(`"points": [[1, 1]], "arrivalRadius": «0`), `$.goals[0].arrivalRadius`, "arrivalRadius has to be above 0 m, got 0"},
	{"clearance closes", goal(`"points": [[1, 1]], "clearance": «12.5`), `$.goals[0].clearance`, "a clearance of 12.5 m closes the domain, which is 40 m by 25 m"},
	{"clearance in a slit", `{"version": 1, "domain": [0, 0, 40, 25], "obstacles": [{"rect": [10, 10, 11, 20]}, {"rect": [11.5, 10, 12, 20]}],
		"goals": [{"points": [«[11.25, 15]], "clearance": 0.3}]}`, `$.goals[0].points[0]`, "no path leads to the source [11.25, 15] with a clearance of 0.3 m"},
	{"segment in a slit", `{"version": 1, "domain": [0, 0, 40, 25], "obstacles": [{"rect": [10, 10, 11, 20]}, {"rect": [11.5, 10, 12, 20]}],
		"goals": [{"segments": [«[[11.25, 12], [11.25, 18]]], "clearance": 0.3}]}`, `$.goals[0].segments[0]`, "no path leads to the segment with a clearance of 0.3 m"},
	{"clearance", goal(`"points": [[1, 1]], "clearance": «-1`), `$.goals[0].clearance`, "clearance has to be at least 0 m, got -1"},
	{"duplicate goal", `{"version": 1, "domain": [0, 0, 40, 25], "goals": [{"id": "a", "points": [[1, 1]]}, {"id": «"a", "points": [[1, 1]]}]}`, `$.goals[1].id`, `duplicate id "a"`},
	{"duplicate of a given name", `{"version": 1, "domain": [0, 0, 40, 25], "goals": [{"id": "goal-2", "points": [[1, 1]]}, «{"points": [[1, 1]]}]}`, `$.goals[1].id`, `duplicate id "goal-2"`},

	// Profiles.
	{"radius", profile(`"radius": «-0.25`), `$.profiles[0].radius`, "radius has to be above 0 m, got -0.25"},
	{"mean speed", profile(`"preferredSpeed": {"mean": «0}`), `$.profiles[0].preferredSpeed.mean`, "mean has to be above 0 m/s, got 0"},
	{"deviation of speed", profile(`"preferredSpeed": {"std": «-1}`), `$.profiles[0].preferredSpeed.std`, "std has to be at least 0 m/s, got -1"},
	{"least of a distribution", profile(`"radius": {"min": «0, "max": 0.3}`), `$.profiles[0].radius.min`, "min has to be above 0 m, got 0"},
	{"greatest of a distribution", bvp(`"inertia": {"mean": 0.5, "std": 0.1, "max": «1}`), `$.profiles[0].bvp.inertia.max`, "max has to be below 1, got 1"},
	{"bounds turned round", profile(`"radius": {"min": «0.4, "max": 0.3}`), `$.profiles[0].radius.min`, "min is 0.4, above max, which is 0.3"},
	{"mean below", bvp(`"viewAngle": {"mean": «40, "std": 5, "min": 45}`), `$.profiles[0].bvp.viewAngle.mean`, "the mean, 40, has to lie between min and max: 45 to +Inf"},
	{"mean of the field below", profile(`"preferredSpeed": «{"std": 0.1, "min": 1.5}`), `$.profiles[0].preferredSpeed`, "the mean, 1.34, has to lie between min and max"},
	{"part of a cell at least", bvp(`"cells": {"min": «7.5, "max": 21}`), `$.profiles[0].bvp.cells.min`, "min has to be a whole number, got 7.5"},
	{"part of a cell at most", bvp(`"cells": {"min": 7, "max": «20.5}`), `$.profiles[0].bvp.cells.max`, "max has to be a whole number, got 20.5"},
	{"part of a cell for all", bvp(`"cells": {"mean": «20.5}`), `$.profiles[0].bvp.cells.mean`, "expected a whole number, got 20.5: all agents have it, as std is 0"},
	{"part of a cell", bvp(`"cells": «20.5`), `$.profiles[0].bvp.cells`, "expected a whole number, got 20.5"},
	{"deviation of a direction", bvp(`"bias": {"direction": [{"mean": 1, "std": «-1}, 0]}`), `$.profiles[0].bvp.bias.direction[0].std`, "std has to be at least 0, got -1"},
	{"unknown field of a distribution", profile(`"maxSpeed": {"mean": 2, «"sdt": 1}`), `$.profiles[0].maxSpeed.sdt`, `unknown field "sdt"`},
	{"no number of a distribution", profile(`"radius": {"mean": 0.3, "std": «NaN}`), `$.profiles[0].radius.std`, "NaN is not allowed"},
	{"maximum speed", profile(`"maxSpeed": «0`), `$.profiles[0].maxSpeed`, "maxSpeed has to be above 0 m/s, got 0"},
	{"acceleration", profile(`"maxAcceleration": «0`), `$.profiles[0].maxAcceleration`, "above 0 m/s2"},
	{"time horizon", profile(`"timeHorizon": «0`), `$.profiles[0].timeHorizon`, "above 0 s"},
	{"neighbor distance", profile(`"neighborDistance": «0`), `$.profiles[0].neighborDistance`, "above 0 m"},
	{"neighbors", profile(`"maxNeighbors": «-1`), `$.profiles[0].maxNeighbors`, "at least 0, got -1"},
	{"samples", profile(`"rvo": {"samples": «0}`), `$.profiles[0].rvo.samples`, "at least 1"},
	{"aggression", profile(`"rvo": {"aggression": «-1}`), `$.profiles[0].rvo.aggression`, "at least 0"},
	{"load factor", profile(`"rvo": {"loadFactor": «1.5}`), `$.profiles[0].rvo.loadFactor`, "at most 1, got 1.5"},
	{"variant", profile(`"clearpath": {"variant": «3}`), `$.profiles[0].clearpath.variant`, "at most 2, got 3"},
	{"orca has none", profile(`"orca": {«"samples": 3}`), `$.profiles[0].orca.samples`, `unknown field "samples": none is allowed here`},
	{"cells", bvp(`"cells": «64`), `$.profiles[0].bvp.cells`, "at most 63, got 64"},
	{"cell size", bvp(`"cellSize": «0`), `$.profiles[0].bvp.cellSize`, "at least 0.001 m"},
	{"relaxations", bvp(`"relaxations": «0`), `$.profiles[0].bvp.relaxations`, "at least 1"},
	{"view angle", bvp(`"viewAngle": «361`), `$.profiles[0].bvp.viewAngle`, "at most 360 degrees, got 361"},
	{"frequency", bvp(`"bias": {"wave": {"frequency": «-1}}`), `$.profiles[0].bvp.bias.wave.frequency`, "at least 0 Hz"},
	{"table", bvp(`"table": [[0, 1, 0, 0.5], «[0, 0, 1, 0.5]]`), `$.profiles[0].bvp.table[1]`, "the sample's time 0 s is not after that of the one before, 0 s"},
	{"inertia", bvp(`"inertia": «1`), `$.profiles[0].bvp.inertia`, "below 1, got 1"},
	{"method", bvp(`"method": «"jacobi"`), `$.profiles[0].bvp.method`, `did you mean "jacobi-gs"?`},
	{"guide", bvp(`"guide": «"smp"`), `$.profiles[0].bvp.guide`, `did you mean "spm"?`},
	{"duplicate profile", with(`"profiles": [{"id": "a"}, {"id": «"a"}]`), `$.profiles[1].id`, `duplicate id "a"`},

	// Groups.
	{"unknown profile", with(`"profiles": [{"id": "adult"}], "groups": [{"spawn": {"points": [[1, 1]]}, "profile": «"adlut"}]`), `$.groups[0].profile`, `unknown profile "adlut": did you mean "adult"?`},
	{"unknown goal", group(`"spawn": {"points": [[1, 1]]}, "itinerary": ["goal-1", «"moon"]`), `$.groups[0].itinerary[1]`, `unknown goal "moon": allowed is "goal-1"`},
	{"negative count", group(`"spawn": {"points": [[1, 1]]}, "count": «-3`), `$.groups[0].count`, "count has to be at least 0, got -3"},
	{"huge count", group(`"spawn": {"points": [[1, 1]]}, "start": {"rate": 1}, "count": «16777217`), `$.groups[0].count`, "count has to be at most 16777216, got 16777217"},
	{"huge sum of counts", with(`"groups": «[{"spawn": {"points": [[1, 1]]}, "start": {"rate": 1}, "count": 16777216}, {"spawn": {"points": [[1, 1]]}}]`), `$.groups`, "16777217 agents over all groups: at most 16777216 (2^24)"},
	{"nowhere to start", group(`"spawn": «{}`), `$.groups[0].spawn`, "the place to start is missing: give rect, circle, polygon, ring, points or grid"},
	{"two places to start", group(`"spawn": «{"rect": [1, 1, 2, 2], "points": [[1, 1]]}`), `$.groups[0].spawn`, "given in 2 ways (rect, points)"},
	{"start rect outside", group(`"spawn": {"rect": «[41, 1, 42, 2]}`), `$.groups[0].spawn.rect`, "the area lies outside the domain"},
	{"start rect turned round", group(`"spawn": {"rect": «[2, 1, 1, 2]}`), `$.groups[0].spawn.rect`, "turned round"},
	{"start disc outside", group(`"spawn": {"circle": «{"center": [50, 1], "radius": 3}}`), `$.groups[0].spawn.circle`, "the area lies outside the domain"},
	{"start ring outside", group(`"spawn": {"ring": «{"center": [39, 12], "radius": 3}}`), `$.groups[0].spawn.ring`, "the ring's point [42, 12] lies outside the domain"},
	{"start point outside", group(`"spawn": {"points": [[1, 1], «[41, 1]]}`), `$.groups[0].spawn.points[1]`, "the point [41, 1] lies outside the domain"},
	{"start point inside", with(`"obstacles": [{"rect": [1, 1, 9, 9]}], "groups": [{"spawn": {"points": [[11, 11], «[5, 5]]}}]`), `$.groups[0].spawn.points[1]`, "lies in the interior of an obstacle, where no agent can start"},
	{"start points too near", group(`"spawn": {"points": [[1, 1], [5, 5], «[1.4, 1]]}`), `$.groups[0].spawn.points[2]`, "nearer to points[0] than 0.5 m"},
	{"no start points", group(`"spawn": {"points": «[]}`), `$.groups[0].spawn.points`, "the list is empty"},
	{"start grid outside", group(`"spawn": {"grid": {"rect": «[1, 1, 41, 2], "spacing": 1}}`), `$.groups[0].spawn.grid.rect`, "the corner [41, 2] lies outside the domain"},
	{"start grid without spacing", group(`"spawn": {"grid": {"rect": [1, 1, 4, 4], "spacing": «0}}`), `$.groups[0].spawn.grid.spacing`, "above 0 m"},
	{"start ring without radius", group(`"spawn": {"ring": {"center": [5, 5], "radius": «-1}}`), `$.groups[0].spawn.ring.radius`, "above 0 m"},
	{"no room on points", group(`"spawn": {"points": «[[1, 1], [2, 2]]}, "count": 3`), `$.groups[0].spawn.points`, "too little room: 2 of the 3 agents"},
	{"no room on the grid", group(`"spawn": {"grid": «{"rect": [1, 1, 3, 2], "spacing": 1}}, "count": 7`), `$.groups[0].spawn.grid`, "too little room: 6 of the 7 agents"},
	{"start grid too large", group(`"spawn": {"grid": «{"rect": [1, 1, 9, 9], "spacing": 0.001}}, "count": 1`), `$.groups[0].spawn.grid`, "the grid has 64016001 points: at most 16777216 (2^24)"},
	{"no room on the ring", group(`"spawn": {"ring": «{"center": [5, 5], "radius": 1}}, "count": 13`), `$.groups[0].spawn.ring`, "too little room: 12 of the 13 agents"},
	{"no room in the rect", group(`"spawn": {"rect": «[1, 1, 2, 2]}, "count": 20`), `$.groups[0].spawn.rect`, "too little room: 9 of the 20 agents of radius 0.25 m fit at most"},
	{"start polygon outside", group(`"spawn": {"polygon": «[[50, 1], [52, 1], [51, 3]]}`), `$.groups[0].spawn.polygon`, "the area lies outside the domain"},
	{"start polygon crossing itself", group(`"spawn": {"polygon": [«[1, 1], [3, 3], [3, 1], [1, 3]]}`), `$.groups[0].spawn.polygon[0]`, "intersects itself"},
	{"start polygon of two", group(`"spawn": {"polygon": «[[1, 1], [3, 3]]}`), `$.groups[0].spawn.polygon`, "three"},
	{"no room in the polygon", group(`"spawn": {"polygon": «[[1, 1], [3, 1], [1, 3]]}, "count": 30`), `$.groups[0].spawn.polygon`, "too little room: "},
	{"no room in the disc", group(`"spawn": {"circle": «{"center": [5, 5], "radius": 1}}, "count": 30`), `$.groups[0].spawn.circle`, "too little room: 21 of the 30 agents"},
	{"antipode without ring", group(`"spawn": {"points": [[1, 1]]}, "goal": «"antipode"`), `$.groups[0].goal`, "for agents that start on a ring"},
	{"antipode with itinerary", group(`"spawn": {"ring": {"center": [9, 9], "radius": 2}}, "goal": «"antipode", "itinerary": ["goal-1"]`), `$.groups[0].goal`, "exclude each other"},
	{"service without time", goal(`"points": [[1, 1]], "service": «{"places": 1}`), `$.goals[0].service.time`, "a number or a distribution (s) is required"},
	{"service in no time", goal(`"points": [[1, 1]], "service": {"time": «0}`), `$.goals[0].service.time`, "has to be above 0"},
	{"service at less than no place", goal(`"points": [[1, 1]], "service": {"time": 1, "places": «-1}`), `$.goals[0].service.places`, "has to be at least 0"},
	{"antipode with routes", group(`"spawn": {"ring": {"center": [9, 9], "radius": 2}}, "goal": «"antipode", "routes": [{"itinerary": ["goal-1"]}]`), `$.groups[0].goal`, "exclude each other"},
	{"routes with itinerary", group(`"spawn": {"points": [[1, 1]]}, "itinerary": ["goal-1"], "routes": «[{"itinerary": ["goal-1"]}]`), `$.groups[0].routes`, "exclude each other: keep one"},
	{"no routes", group(`"spawn": {"points": [[1, 1]]}, "routes": «[]`), `$.groups[0].routes`, "needs at least 1"},
	{"route nowhere", group(`"spawn": {"points": [[1, 1]]}, "routes": [{"itinerary": «[]}]`), `$.groups[0].routes[0].itinerary`, "needs at least 1"},
	{"route to no goal", group(`"spawn": {"points": [[1, 1]]}, "routes": [{"itinerary": ["goal-1", «"gaol-1"]}]`), `$.groups[0].routes[0].itinerary[1]`, `unknown goal "gaol-1": did you mean "goal-1"?`},
	{"share of nothing", group(`"spawn": {"points": [[1, 1]]}, "routes": [{"itinerary": ["goal-1"], "share": «0}]`), `$.groups[0].routes[0].share`, "has to be above 0"},
	{"other goal", group(`"spawn": {"ring": {"center": [9, 9], "radius": 2}}, "goal": «"goal-1"`), `$.groups[0].goal`, `allowed is "antipode"`},
	{"on arrival", group(`"spawn": {"points": [[1, 1]]}, "onArrival": «"die"`), `$.groups[0].onArrival`, `unknown word "die": allowed are "leave", "stay", "loop"`},
	{"start time", group(`"spawn": {"points": [[1, 1]]}, "start": {"at": «-1}`), `$.groups[0].start.at`, "at has to be at least 0 s, got -1"},
	{"start rate", group(`"spawn": {"points": [[1, 1]]}, "start": {"rate": «-1}`), `$.groups[0].start.rate`, "rate has to be at least 0 1/s, got -1"},
	{"duplicate group", with(`"groups": [{"id": "a", "spawn": {"points": [[1, 1]]}}, {"id": «"a", "spawn": {"points": [[3, 1]]}}]`), `$.groups[1].id`, `duplicate id "a"`},

	// The rest.
	{"time step", with(`"simulation": {"timestep": «0}`), `$.simulation.timestep`, "timestep has to be at least 0.000001 s, got 0"},
	{"time step below a clock's", with(`"simulation": {"timestep": «9.99e-7}`), `$.simulation.timestep`, "timestep has to be at least 0.000001 s, got 9.99e-7"},
	{"time step above an hour", with(`"simulation": {"timestep": «3600.5}`), `$.simulation.timestep`, "timestep has to be at most 3600 s, got 3600.5"},
	{"seed", with(`"simulation": {"seed": «-1}`), `$.simulation.seed`, "seed has to be at least 0, got -1"},
	{"duration", with(`"simulation": {"duration": «-1}`), `$.simulation.duration`, "duration has to be at least 0 s, got -1"},
	{"contact rounds", with(`"simulation": {"contactRounds": «-1}`), `$.simulation.contactRounds`, "at least 0"},
	{"map size", with(`"map": {"size": «0}`), `$.map.size`, "size has to be at least 1, got 0"},
	{"map finer than the lattice", with(`"map": {"size": «1048577}`), `$.map.size`, "size has to be at most 1048576, got 1048577"},
	{"gate without a length", with(`"gates": [{"line": «[[1, 1], [1, 1]]}]`), `$.gates[0].line`, "the gate has no length: its ends are the same point"},
	{"area inside out", with(`"areas": [{"rect": «[5, 5, 1, 9]}]`), `$.areas[0].rect`, "turned round"},
}

func TestRefusals(t *testing.T) {
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			mark := strings.Index(c.scene, "«")
			line := strings.Count(c.scene[:mark], "\n") + 1
			column := utf8.RuneCountInString(c.scene[strings.LastIndex(c.scene[:mark], "\n")+1:mark]) + 1
			s, problems := Read("test.json", []byte(strings.Replace(c.scene, "«", "", 1)))
			if s != nil {
				t.Fatalf("accepted")
			}
			if len(problems) != 1 {
				t.Errorf("%d problems, want the one: %v", len(problems), problems)
			}
			p := problems[0]
			if p.File != "test.json" || p.Line != line || p.Column != column || p.Path != c.path {
				t.Errorf("at %s:%d:%d: %s, want test.json:%d:%d: %s", p.File, p.Line, p.Column, p.Path, line, column, c.path)
			}
			if p.Note || !strings.Contains(p.Message, c.message) {
				t.Errorf("message %q, want %q in it", p.Message, c.message)
			}
			if text := p.String(); strings.Contains(text, "\n") || len(text) > 400 {
				t.Errorf("a problem that does not fit a line: %q", text)
			}
		})
	}
}

func TestEveryProblemIsTold(t *testing.T) {
	s, problems := Read("many.json", []byte(`{
  "version": 1, "domain": [0, 0, 40, 25],
  // a comment with "quotes" and [brackets
  "obstacles": [
    {"polygon": [[5, 5], [7, 7], [7, 5], [5, 7]], "colour": 3},
    {"rect": [10, 10, 20, 20]}, /* a note */ {"circle": {"center": [30, 12], "radius": NaN}},
  ],
  "goals": [{"points": [[15, 15], [50, 1], [1, "1"]]}, {"id": "b"}],
  "groups": [{"count": -3, "spawn": {"rect": [1, 1, 2, 2]}, "itinerary": ["c"]}],
}`))
	if s != nil {
		t.Fatal("accepted")
	}
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Path))
	}
	want := []string{
		"5:18 $.obstacles[0].polygon[0]",
		"5:51 $.obstacles[0].colour",
		"6:88 $.obstacles[2].circle.radius",
		"8:25 $.goals[0].points[0]",
		"8:35 $.goals[0].points[1]",
		"8:48 $.goals[0].points[2][1]",
		"8:56 $.goals[1]",
		"9:24 $.groups[0].count",
		"9:75 $.groups[0].itinerary[0]",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestProblemsAreCounted(t *testing.T) {
	s, problems := Read("many.json", []byte(with(`"obstacles": [`+strings.Repeat("5,", 5000)+`]`)))
	if s != nil || len(problems) != maxProblems+1 {
		t.Fatalf("%d problems, want %d and one more", len(problems), maxProblems)
	}
	if last := problems[maxProblems]; last.Message != "and 4000 more problems" || last.Note {
		t.Errorf("the last is %v", last)
	}
}

// TestHostileFilesAreQuick holds files of some megabytes, wrong from end to end,
// against a time that only work growing with the square of their size exceeds.
func TestHostileFilesAreQuick(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"unknown fields":  `{` + many(200_000, `"f%d": 1,`) + `}`,
		"one long line":   with(`"name": "` + strings.Repeat("x", 1<<20) + `", "obstacles": [` + strings.Repeat("1,", 2000) + `]`),
		"unknown goals":   with(`"groups": [` + many(30_000, `{"spawn": {"points": [[1, 1]]}, "itinerary": ["far%d"]},`) + `]`),
		"duplicate goals": `{"version": 1, "domain": [0, 0, 9, 9], "goals": [` + many(50_000, `{"points": [[1, 1]], "id": "a"},`) + `]}`,
		"same points":     group(`"spawn": {"points": [` + strings.Repeat("[1, 1],", 100_000) + `]}`),
		"bad vertices":    with(`"obstacles": [{"polygon": [` + strings.Repeat("[-1, 1],", 100_000) + `]}]`),
		"brackets":        strings.Repeat("[", 1<<20),
		"open objects":    strings.Repeat(`{"a":`, 1<<20),
		"open comments":   strings.Repeat("/*", 1<<20),
		"quotes":          strings.Repeat(`"`, 1<<20),
	} {
		start := time.Now()
		s, problems := Read("hostile", []byte(text))
		if s != nil || len(problems) == 0 || len(problems) > maxProblems+1 {
			t.Errorf("%s: %d problems", name, len(problems))
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

func TestColumnsCountCharacters(t *testing.T) {
	_, problems := Read("f", []byte("\ufeff"+with(`"name": "Zürich 広場", "map": 5`)))
	if want := utf8.RuneCountInString(with(`"name": "Zürich 広場", "map": `)); len(problems) != 1 || problems[0].Column != want {
		t.Errorf("%v, want column %d", problems, want)
	}
}

func TestMinimal(t *testing.T) {
	got := mustRead(t, minimal)
	want := &Scene{
		Version: 1, Name: "test", Domain: Rect{0, 0, 40, 25},
		Goals: []Goal{{ID: "goal-1", Points: []mgl64.Vec2{{39, 2}}, ArrivalRadius: 0.5}},
		Profiles: []Profile{{
			ID: "default", Radius: Exactly(0.25), PreferredSpeed: Distribution{Mean: 1.34, Std: 0.26}, MaxSpeed: Exactly(2), MaxAcceleration: 5,
			Steering: SteeringSPM, Avoidance: AvoidanceClearPath, TimeHorizon: 4, NeighborDistance: 5, MaxNeighbors: 10,
			AvoidanceMethods: AvoidanceMethods{RVO: RVO{250, 1, 0.5}, ClearPath: ClearPath{2}},
			BVP: Same(BVP{
				Cells: 21, CellSize: 0.25, Relaxations: 30, ViewAngle: 180, Bias: Bias{Direction: [2]float64{1, 0}},
				Inertia: 0.5, InertiaTime: 0.1, InertiaForm: InertiaAngle, SpeedControl: true, Rules: RulesRobust, Method: MethodRedBlack, Guide: GuideSPM,
			}),
		}},
		Simulation: Simulation{Timestep: 0.1, Seed: 1, ContactRounds: 16},
		Map:        Map{Size: 1000},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDefaultsFromTheRest(t *testing.T) {
	s := mustRead(t, with(`"profiles": [{}, {"id": "x"}], "groups": [
		{"spawn": {"points": [[1, 1], [2, 2], [3, 3]]}},
		{"spawn": {"grid": {"rect": [5, 5, 5.3, 7], "spacing": 0.1}}, "profile": "x", "start": {"rate": 1}},
		{"spawn": {"rect": [1, 1, 2, 2]}, "count": 0},
		{"spawn": {"ring": {"center": [3, 9], "radius": 4}}, "goal": "antipode"},
	]`))
	want := []Group{
		{ID: "group-1", Profile: "profile-1", Count: 3, Itinerary: []string{"goal-1"}},
		{ID: "group-2", Profile: "x", Count: 4 * 21, Itinerary: []string{"goal-1"}, Start: Start{Rate: 1}},
		{ID: "group-3", Profile: "profile-1", Count: 0, Itinerary: []string{"goal-1"}},
		{ID: "group-4", Profile: "profile-1", Count: 1, Goal: AntipodeGoal},
	}
	for i := range want {
		want[i].OnArrival = ArrivalLeave
		got := s.Groups[i]
		got.Spawn = Spawn{}
		if d := cmp.Diff(want[i], got); d != "" {
			t.Error(d)
		}
	}
	if s.Agents() != 3+84+1 {
		t.Errorf("%d agents", s.Agents())
	}
}

// full is a scene that uses every field of the format.
const full = `{
  "$schema": "https://github.com/wayfront/wayfront/scenes/scene.schema.json",
  "version": 1,
  "name": "two-rooms",
  "description": "optional",
  "domain": [0, 0, 40, 25],                        // x0, y0, x1, y1; its border is a wall
  "obstacles": [
    {"id": "pillar", "polygon": [[5, 5], [7, 5], [7, 7], [5, 7]]},
    {"polygon": [[20, 0], [20.3, 0], [20.3, 10], [20, 10]], "holes": [[[20.1, 1], [20.2, 1], [20.2, 2]]]},
    {"rect": [10, 10, 12, 11]},
    {"circle": {"center": [30, 12], "radius": 1.5, "sides": 32}},
    {"id": "door", "rect": [20, 10, 20.3, 12], "open": [[15, 30], [60, 90]]},
    {"id": "hatch", "rect": [20, 13, 20.3, 15], "closed": [[15, 30], [60, 90]]},
    {"id": "backdoor", "rect": [20, 16, 20.3, 17], "staffOnly": true},
    {"id": "cart", "polygon": [[2, 2], [3, 2], [3, 3], [2, 3]],
     "motion": {"path": [[0, 0], [10, 0]], "speed": 0.8, "loop": "once"}},
    {"id": "gate", "rect": [15, 20, 17, 20.1],
     "motion": {"pivot": [15, 20], "keyframes": [{"time": 1}, {"time": 3, "angle": 90}, {"time": 8, "angle": 90}, {"time": 9, "offset": [0, 1]}]}}
  ],
  "goals": [
    {"id": "exits", "points": [[39, 2]], "segments": [[[39.5, 20], [39.5, 24]]], "arrivalRadius": 0.4, "clearance": 0.2},
    {"id": "other", "points": [[1, 24]], "service": {"time": {"mean": 20, "std": 5, "min": 4, "max": 60}, "places": 2}, "staff": true},
  ],
  "profiles": [
    {"id": "adult", "base": "weidmann", "radius": {"min": 0.2, "max": 0.3}, "preferredSpeed": {"mean": 1.3, "std": 0.2}, "maxSpeed": {"mean": 2.1, "std": 0.1, "max": 2.5}, "maxAcceleration": 4.5,
     "steering": "bvp", "avoidance": "orca",
     "timeHorizon": 4.1, "neighborDistance": 5.1, "maxNeighbors": 11,
     "rvo": {"samples": 251, "aggression": 1.1, "loadFactor": 0.6}, "clearpath": {"variant": 1}, "orca": {},
     "bvp": {"cells": 20, "cellSize": 0.2, "relaxations": 31, "viewAngle": 170,
             "bias": {"direction": [0, 1], "strength": 0.1, "wave": {"amplitude": 1, "frequency": 2, "phase": {"min": -180, "max": 180}}},
             "table": [[0, 1, 0, 0.5], [10, 0, 1, 0.5]],
             "inertia": 0.4, "inertiaTime": 0.5, "inertiaForm": "vector", "speedControl": false, "rules": "paper", "method": "adi", "guide": "harmonic"}},
  ],
  "groups": [
    {"id": "west", "profile": "adult", "count": 20, "spawn": {"rect": [1, 8, 9, 24]},
     "itinerary": ["exits", "other"], "onArrival": "loop",
     "explores": {"team": "a", "frontier": {"gain": 0.5, "apart": 4, "turn": 3}},
     "start": {"at": 2, "rate": 3}},
    {"id": "ring", "count": 5, "spawn": {"ring": {"center": [30, 18], "radius": 2}}, "goal": "antipode", "onArrival": "stay"},
    {"id": "disc", "count": 5, "spawn": {"circle": {"center": [30, 5], "radius": 2}}},
    {"id": "corner", "count": 5, "spawn": {"polygon": [[35, 3], [39, 3], [39, 7]]}},
    {"id": "points", "spawn": {"points": [[35, 1], [36, 1]]}},
    {"id": "split", "spawn": {"points": [[35, 10]]}, "routes": [{"itinerary": ["other", "exits"], "share": 2.5}, {"itinerary": ["exits"]}]},
    {"id": "grid", "spawn": {"grid": {"rect": [35, 15, 37, 17], "spacing": 1}}},
  ],
  "simulation": {"timestep": 0.05, "seed": 18446744073709551615, "duration": 60, "contactRounds": 0},
  "map": {"size": 500},
  "gates": [{"id": "door", "line": [[20, 10], [20, 12]]}],
  "areas": [{"id": "middle", "rect": [5, 5, 9, 9]}]
}`

func TestFullSceneIsReadWhole(t *testing.T) {
	s, problems := Read("full.json", []byte(full))
	if s == nil {
		t.Fatal(problems)
	}
	// Every field of every type is used: none is zero in all of its values.
	used := map[string]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			rec := records[v.Type()]
			if rec == nil {
				rec = field{}.parts()
			}
			for _, f := range rec.fields {
				x := v.FieldByIndex(f.index)
				key := v.Type().Name() + "." + f.name
				used[key] = used[key] || !reflect.DeepEqual(x.Interface(), rec.blank.FieldByIndex(f.index).Interface())
				walk(x)
			}
		}
	}
	walk(reflect.ValueOf(s))
	for key, yes := range used {
		// The first has no field of its own, the second its default on purpose.
		if !yes && key != "Profile.orca" && key != "Circle.sides" {
			t.Errorf("%s is not used by the full scene, or was not read", key)
		}
	}
	if s.Simulation.Seed != math.MaxUint64 {
		t.Errorf("seed %d", s.Simulation.Seed)
	}
	if got := s.Obstacles[1].Polygon(); len(got.Holes) != 1 || len(got.Holes[0]) != 3 || got.Holes[0][2] != (mgl64.Vec2{20.2, 2}) {
		t.Errorf("holes %v", got.Holes)
	}
}

func TestEqualNeighboursAreMerged(t *testing.T) {
	s, problems := Read("f", []byte(obstacle(`"polygon": [[5, 5], [5, 5], [9, 5], [9, 9], [5, 5]]`)))
	if s == nil || len(problems) != 1 || !problems[0].Note || problems[0].Path != "$.obstacles[0].polygon" ||
		problems[0].Message != "2 vertices equal their neighbors and are merged with them" {
		t.Fatal(problems)
	}
	if want := []mgl64.Vec2{{5, 5}, {9, 5}, {9, 9}}; !reflect.DeepEqual(s.Obstacles[0].Outline, want) {
		t.Errorf("outline %v, want %v", s.Obstacles[0].Outline, want)
	}
}

// TestThinObstacles: what rounding takes away from the ground is noted, and nothing else. The step
// here is 40 m / 2^20, 38 micrometers.
func TestThinObstacles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for n := range 400 {
		size := math.Exp2(-20 * r.Float64())
		long := size
		if n%2 == 0 {
			long = 1
		}
		sin, cos := math.Sincos(math.Pi / 2 * float64(r.IntN(4*(n%3)+1)))
		x, y := 5+10*r.Float64(), 5+10*r.Float64()
		text := ""
		for _, v := range []mgl64.Vec2{{0, 0}, {long, 0}, {long, size}, {0, size}} {
			text += fmt.Sprintf(", [%v, %v]", x+cos*v[0]-sin*v[1], y+sin*v[0]+cos*v[1])
		}
		s, problems := Read("f", []byte(obstacle(`"polygon": [`+text[2:]+`]`)))
		if s == nil {
			t.Fatal(problems)
		}
		g, err := s.Ground()
		if err != nil {
			t.Fatal(err)
		}
		vanished := !slices.ContainsFunc(g.Triangles, func(f geom.Triangle) bool { return !f.Free })
		said := fmt.Sprint(problems)
		if vanished != strings.Contains(said, "the obstacle vanishes") || vanished && (len(problems) != 1 || problems[0].Path != "$.obstacles[0]") {
			t.Errorf("%v by %v at %s: gone: %v; %s", long, size, text, vanished, said)
		}
		if thick := size > 2*g.Lattice.Step; thick && len(problems) > 0 || size < g.Lattice.Step && len(problems) == 0 {
			t.Errorf("%v by %v: %s", long, size, said)
		}
	}
}

func TestSourcesOnWallsAreAllowed(t *testing.T) {
	for _, fields := range []string{
		`"points": [[10, 15]]`,               // on an edge
		`"points": [[20, 20]]`,               // on a vertex
		`"points": [[0, 0], [40, 25]]`,       // on the domain's border
		`"segments": [[[12, 12], [30, 12]]]`, // one end outside
		`"segments": [[[10, 12], [10, 18]]]`, // along a wall
		`"segments": [[[12, 10], [18, 15]]]`, // begins on a wall, goes inside
		`"segments": [[[1, 15], [30, 15]]]`,  // right through
		`"points": [[10.0000001, 15]]`,       // behind a wall by less than the lattice

		`"points": [[40, 12], [20.1, 15], [0, 0]], "clearance": 0.3`,               // nearer to walls than the clearance, and in a corner
		`"segments": [[[40, 3], [40, 9]], [[10, 11], [10, 19]]], "clearance": 0.3`, // along walls
	} {
		mustRead(t, goal(fields))
	}
	// No agent can stand in the middle of an edge that two obstacles share.
	if s, _ := Read("f", []byte(`{"version": 1, "domain": [0, 0, 40, 25], "goals": [{"points": [[10, 5]]}],
		"obstacles": [{"rect": [5, 0, 10, 10]}, {"rect": [10, 0, 15, 10]}]}`)); s != nil {
		t.Error("a source between two obstacles that share an edge was accepted")
	}
	// Two segments' ends in two obstacles, with free ground between.
	mustRead(t, `{"version": 1, "domain": [0, 0, 40, 25], "goals": [{"segments": [[[7, 5], [13, 5]]]}],
		"obstacles": [{"rect": [5, 0, 9, 10]}, {"rect": [11, 0, 15, 10]}]}`)
}

func TestPolygonOfCircle(t *testing.T) {
	c := Circle{Center: mgl64.Vec2{30, 12}, Radius: 1.5, Sides: 32}
	p := Obstacle{Circle: &c}.Polygon()
	if len(p.Outer) != 32 || p.Outer[0] != (mgl64.Vec2{31.5, 12}) || p.Outer[8] != (mgl64.Vec2{30, 13.5}) || !(p.Outer.Area() > 0) {
		t.Errorf("%v", p.Outer)
	}
	for _, v := range p.Outer {
		// Directions are rounded to 2^-40, points to a float64 around 30.
		if d := math.Abs(v.Sub(c.Center).Len() - c.Radius); d > 1.5*0x1p-40+1e-14 {
			t.Errorf("%v is %g off the circle", v, d)
		}
	}
}

func TestRoomBounds(t *testing.T) {
	// Whatever really fits is let through: hexagonal packings reach the bound of
	// Oler's inequality up to the border.
	for n := 1; n < 40; n++ {
		side := float64(n - 1)
		rows := 1 + int(side/(math.Sqrt(3)/2))
		fit := 0
		for row := range rows {
			fit += n - row%2
		}
		if most := mostDiscs(side*side, 4*side, 0.5); most < fit || most < n*n {
			t.Errorf("side %v: at most %d, but %d fit in a hexagonal and %d in a square pattern", side, most, fit, n*n)
		}
	}
	for n := 2; n < 1000; n++ {
		ring := 0.25 / math.Sin(math.Pi/float64(n))
		if got := mostOnRing(ring, 0.25); got != n {
			t.Errorf("a ring made for %d has room for %d", n, got)
		}
	}
	if got := mostOnRing(0.1, 0.25); got != 1 {
		t.Errorf("a ring smaller than an agent has room for %d", got)
	}
}
