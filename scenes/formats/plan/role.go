package plan

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Role is what a shape of a drawing stands for.
type Role string

// The roles.
const (
	RoleObstacle Role = "obstacle"
	RoleGoal     Role = "goal"
	RoleSpawn    Role = "spawn"
	RoleWalkable Role = "walkable"
	RoleDomain   Role = "domain"
	RoleNone     Role = "none" // left out
)

// roleWords are the words that name a role, in a name or a class.
var roleWords = map[string]Role{
	"obstacle": RoleObstacle, "obstacles": RoleObstacle, "wall": RoleObstacle, "walls": RoleObstacle,
	"building": RoleObstacle, "buildings": RoleObstacle, "goal": RoleGoal, "goals": RoleGoal, "exit": RoleGoal, "exits": RoleGoal,
	"spawn": RoleSpawn, "spawns": RoleSpawn, "start": RoleSpawn, "starts": RoleSpawn, "walkable": RoleWalkable, "domain": RoleDomain,
	"none": RoleNone,
}

// roleNames are the roles as messages list them.
var roleNames = []string{string(RoleObstacle), string(RoleGoal), string(RoleSpawn), string(RoleWalkable), string(RoleDomain), string(RoleNone)}

// RoleOf returns the role that a name or a class says: that of its first word that names one.
func RoleOf(name string) (Role, bool) {
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return !unicode.IsLetter(c) }) {
		if r, ok := roleWords[word]; ok {
			return r, true
		}
	}
	return "", false
}

// RoleIn returns the role that the first of some texts names, or else the usual one, and whether
// one does. A word that stands where a role belongs and names none is noted.
func (s *Source) RoleIn(at int, word string, usual Role, texts ...string) (role Role, said bool) {
	role = usual
	for _, t := range texts {
		if r, ok := RoleOf(t); ok {
			role, said = r, true
			break
		}
	}
	if _, ok := RoleOf(word); !ok && word != "" {
		s.Notef(at, "%s is no role, and the shape is taken as %s: %s", text.Quote(word), role, text.Suggest(word, roleNames))
	}
	return role, said
}

// Number reads a number that a file gives a shape, or fails. Want says which numbers are good.
func (s *Source) Number(at int, name, value, want string, good func(float64) bool) float64 {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !good(v) {
		s.Fail(at, "%s=%s: %s needed", name, text.Quote(value), want)
	}
	return v
}

// Count reads the number of agents of a shape, or fails.
func (s *Source) Count(at int, name, value string) int {
	return int(s.Number(at, name, value, "a whole number above 0 is", func(v float64) bool { return v >= 1 && v <= scenes.MaxAgents && v == math.Trunc(v) }))
}

// Clearance reads the clearance of a goal in meters, or fails.
func (s *Source) Clearance(at int, name, value string) *float64 {
	v := s.Number(at, name, value, "meters, 0 or more, are", func(v float64) bool { return v >= 0 && v <= text.Largest })
	return &v
}
