package render

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// Palette is the meaning of the ground's colors.
type Palette string

// The palettes.
const (
	PaletteCalm     Palette = "calm"     // regions by parent, distinct for the color-blind
	PalettePaper    Palette = "paper"    // parent's x red, y green: Farias and Kallmann 2018
	PaletteDistance Palette = "distance" // the distance to the goal
)

// Palettes lists all palettes, the default first.
var Palettes = []Palette{PaletteCalm, PalettePaper, PaletteDistance}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// Colors of the print: ink on paper.
var (
	paper       = rgb(0xF4F1EA) // around the domain
	ground      = rgb(0xFAF8F3) // of the domain where regions are not drawn
	unreached   = rgb(0xE3E1DC) // ground that no source reaches
	margin      = rgb(0xB3B1AC) // ground that is too near to obstacles for the map's clearance
	isoline     = rgb(0xFFFFFF)
	hairline    = rgb(0xA9B3BB) // isolines where regions are not drawn
	solid       = rgb(0x4A5661) // obstacles
	outline     = rgb(0x323C46) // their walls and the domain's border
	rim         = rgb(0xFFFFFF) // around marks and agents
	source      = rgb(0xB5303A)
	blocked     = rgb(0x8B9299) // sources that obstacles cover
	ink         = rgb(0x26303A) // text
	mapBorder   = rgb(0x8E979F) // the outermost ring of local maps
	block       = rgb(0xEDE8DE) // obstacles in streets, under a light of 1
	shadow      = rgb(0x1F2A44) // of persons
	shadowLight = rgb(0xA3ABC2) // what is left of light in the shadow of a block
	veil        = rgb(0x5A3E22) // over ground that explorers do not know, which shines through
)

// tints are the soft colors of regions. They differ in lightness and along blue and yellow, which
// the common kinds of color blindness keep; a test checks every pair.
var tints = []color.RGBA{
	rgb(0xD3E4EE), rgb(0xF3E3BD), rgb(0xA8CBE0), rgb(0xE9C79C), rgb(0xE9EBE6), rgb(0xBFD3C6), rgb(0xDCC9DA),
}

// tintShades is how much paler each shade of a tint is than the tint.
const tintShades = "0.0, 0.3, -0.12"

// bold are the colors of agents by goal or group: those of Okabe and Ito (2008), which color-blind
// people can distinguish, without yellow, which is too pale for small discs.
var bold = []color.RGBA{
	rgb(0x0072B2), rgb(0xD55E00), rgb(0x009E73), rgb(0xCC79A7), rgb(0x56B4E9), rgb(0xE69F00), rgb(0x3B3B3B),
}

// Highlight is the color of a selection.
var Highlight = rgb(0xE8A200)

// Outline is the color of obstacles' walls.
var Outline = outline

// Ghost is the color of agents of another world.
var Ghost = rgb(0x6B7280)

// GoalColor returns the color of agents on their way to a goal, by its number.
func GoalColor(goal int) color.RGBA { return bold[goal%len(bold)] }

// distances are the colors from near to far, lightness falling evenly.
var distances = []color.RGBA{
	rgb(0xFBF3C9), rgb(0xE3DE9D), rgb(0xB9CE8B), rgb(0x85B988), rgb(0x569F8C), rgb(0x3B8089), rgb(0x34607C), rgb(0x353F63), rgb(0x2B2345),
}

// densities are the colors from few agents to many, and speeds those from slow to fast: parts of the
// maps magma and viridis (Smith and van der Walt 2015, CC0), uniform in what people perceive.
var (
	densities = []color.RGBA{
		rgb(0xFEC488), rgb(0xFEA772), rgb(0xFB8861), rgb(0xF1605D), rgb(0xCD4071), rgb(0x9E2F7F), rgb(0x721F81), rgb(0x440F76), rgb(0x180F3E),
	}
	speeds = []color.RGBA{
		rgb(0x440154), rgb(0x472D7B), rgb(0x3B528B), rgb(0x2C728E), rgb(0x21918C), rgb(0x28AE80), rgb(0x5EC962), rgb(0xADDC30), rgb(0xFDE725),
	}
)

// freeShare is how much paler the free zone of a local map is.
const freeShare = 0.35

// veilShare is the opacity of a veil.
const veilShare = 0.62

// seam darkens the line between two regions.
const seam = 0.82

// Swatches returns the colors that pictures contain in any case.
func Swatches() []color.RGBA {
	all := []color.RGBA{paper, ground, unreached, margin, isoline, hairline, solid, outline, rim, source, blocked, ink, mapBorder}
	all = append(all, tints...)
	all = slices.Concat(all, distances, densities, speeds)
	return append(all, bold...)
}

// paletteDefines returns the palette as macros.
func paletteDefines() map[string]any {
	return map[string]any{
		"PALETTE_CALM":     0,
		"PALETTE_PAPER":    1,
		"PALETTE_DISTANCE": 2,
		"PAPER":            vec3(paper),
		"GROUND":           vec3(ground),
		"UNREACHED":        vec3(unreached),
		"ISOLINE":          vec3(isoline),
		"HAIRLINE":         vec3(hairline),
		"MARK_RIM":         vec3(rim),
		"SEAM":             float32(seam),
		"INK":              vec3(ink),
		"POTENTIAL_LINE":   vec3(outline),
		"MAP_BORDER":       vec3(mapBorder),
		"MAP_OBSTACLE":     vec3(outline),
		"VEIL":             vec3(veil),
		"VEIL_SHARE":       float32(veilShare),
		"MAP_GOAL":         vec3(source),
		"MAP_FREE":         float32(freeShare),
		"TINTS":            uint32(len(tints)),
		"TINT_COLORS":      list(tints),
		"SHADES":           uint32(3),
		"TINT_SHADES":      tintShades,
		"BOLD":             uint32(len(bold)),
		"BOLD_COLORS":      list(bold),
		"RAMP":             int32(len(distances)),
		"RAMP_COLORS":      list(distances),
		"DENSITY_COLORS":   list(densities),
		"SPEED_COLORS":     list(speeds),
	}
}

func (p Palette) number() int32 {
	for i, q := range Palettes {
		if p == q {
			return int32(i)
		}
	}
	panic(fmt.Sprintf("render: no palette is called %q", p))
}

// vec3 formats a color as GLSL.
func vec3(c color.RGBA) string {
	return fmt.Sprintf("vec3(%.6f, %.6f, %.6f)", float64(c.R)/255, float64(c.G)/255, float64(c.B)/255)
}

func list(colors []color.RGBA) string {
	parts := make([]string, len(colors))
	for i, c := range colors {
		parts[i] = vec3(c)
	}
	return strings.Join(parts, ", ")
}

// vec4 returns a color as a uniform.
func vec4(c color.RGBA, alpha float32) [4]float32 {
	return [4]float32{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255, alpha}
}
