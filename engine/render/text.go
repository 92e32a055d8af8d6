package render

import (
	"image"
	"image/color"
	"image/draw"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Corner is the place of a panel.
type Corner int

// The corners.
const (
	TopLeft Corner = iota
	TopRight
	BottomLeft
	BottomRight
	Middle
)

// Panel is lines of text on a plate.
type Panel struct {
	Corner Corner
	Lines  []string
	Keys   []Key // below the lines
	Width  int   // that keys fill line by line, nominal pixels; 0: each has a line of its own
	Mono   bool  // figures in columns
	Alarm  bool  // something is wrong
}

// Key is a line of a legend: colors and their meaning, or text alone.
type Key struct {
	Colors []color.RGBA
	Text   string
	First  bool // in its line, in any case
}

// colors returns a list of one.
func colors(c color.RGBA) []color.RGBA { return []color.RGBA{c} }

// panel is a panel on the device.
type panel struct {
	shown   Panel
	size    float64 // of the font, pixels
	texture *gpu.Texture
}

// Sizes of panels. Unit: nominal pixels.
const (
	fontSize    = 13
	lineHeight  = 18
	panelBorder = 9  // between the plate's edge and the text
	panelMargin = 12 // between the plate and the picture's edge
	panelRadius = 6  // of the plate's corners
	swatchWidth = 30 // of a key's colors
	swatchGap   = 8  // between them and its text
	keyGap      = 20 // between two keys in a line
)

// drawPanels draws panels, rasterized again where their text has changed.
func (r *Renderer) drawPanels(p Picture) error {
	for _, words := range p.Panels {
		shown := r.panels[words.Corner]
		if shown == nil || !reflect.DeepEqual(shown.shown, words) || shown.size != fontSize*p.PixelRatio {
			picture := rasterize(words, p.PixelRatio)
			texture, err := gpu.NewTexture(r.device, gpu.TextureSpec{
				Label: "render panel", Format: gpu.RGBA8, Width: picture.Rect.Dx(), Height: picture.Rect.Dy(),
			})
			if err != nil {
				return err
			}
			texture.Write(0, picture.Pix)
			if shown != nil {
				shown.texture.Delete()
			}
			words.Lines, words.Keys = slices.Clone(words.Lines), slices.Clone(words.Keys)
			shown = &panel{words, fontSize * p.PixelRatio, texture}
			r.panels[words.Corner] = shown
		}
		back, _ := words.colors()
		r.text.Draw(textInput{
			picture: shown.texture, panel: place(words.Corner, shown.texture.Spec(), p),
			viewSize: [2]float32{float32(p.Camera.Width), float32(p.Camera.Height)}, pixelRatio: float32(p.PixelRatio), plateColor: vec4(back, 0.93),
		}, gpu.Draw{Target: p.Target, Mode: gpu.TriangleStrip, Count: 4, Instances: 1, Blend: gpu.BlendPremultiplied})
	}
	return nil
}

// place returns x, y, width and height of a panel in whole pixels, so that text is sharp.
func place(c Corner, s gpu.TextureSpec, p Picture) [4]float32 {
	margin := int(panelMargin*p.PixelRatio + 0.5)
	x, y := margin, margin
	if c == TopRight || c == BottomRight {
		x = p.Camera.Width - margin - s.Width
	}
	if c == BottomLeft || c == BottomRight {
		y = p.Camera.Height - margin - s.Height
	}
	if c == Middle {
		x, y = (p.Camera.Width-s.Width)/2, (p.Camera.Height-s.Height)/2
	}
	return [4]float32{float32(x), float32(y), float32(s.Width), float32(s.Height)}
}

type faceKey struct {
	mono bool
	size float64
}

var faces sync.Map // font.Face by faceKey

// face returns a built-in font at a size in pixels.
func face(mono bool, size float64) font.Face {
	key := faceKey{mono, size}
	if f, ok := faces.Load(key); ok {
		return f.(font.Face)
	}
	data := goregular.TTF
	if mono {
		data = gomono.TTF
	}
	parsed, err := opentype.Parse(data)
	if err != nil {
		panic("render: the built-in font does not parse: " + err.Error())
	}
	f, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic("render: the built-in font has no face: " + err.Error())
	}
	faces.Store(key, f)
	return f
}

// layout is the places of a panel's text, in pixels.
type layout struct {
	size  image.Point
	lines []image.Point // the upper left corner of each line, of those of text and then of each key
}

// lay computes the layout.
func (p Panel) lay(ratio float64) layout {
	f := face(p.Mono, fontSize*ratio)
	border, step := int(panelBorder*ratio+0.5), int(lineHeight*ratio+0.5)
	var l layout
	width, y := 0, border
	for _, line := range p.Lines {
		width = max(width, border+font.MeasureString(f, line).Ceil())
		l.lines = append(l.lines, image.Pt(border, y))
		y += step
	}
	most, x := int(float64(p.Width)*ratio)-border, border
	for _, k := range p.Keys {
		wide := font.MeasureString(f, k.Text).Ceil() + k.indent(ratio)
		if x > border && (k.First || x+wide > most) {
			x, y = border, y+step
		}
		width = max(width, x+wide)
		l.lines = append(l.lines, image.Pt(x, y))
		x += wide + int(keyGap*ratio+0.5)
	}
	if len(p.Keys) > 0 {
		y += step
	}
	l.size = image.Pt(width+border, y+border-step/4)
	return l
}

// indent is the offset of a key's text. Unit: pixels.
func (k Key) indent(ratio float64) int {
	if len(k.Colors) == 0 {
		return 0
	}
	return int((swatchWidth+swatchGap)*ratio + 0.5)
}

// Size returns the size of a panel in pixels, at so many to a nominal pixel.
func (p Panel) Size(ratio float64) image.Point { return p.lay(ratio).size }

// Wrap returns the panel with lines wrapped at blanks to a width in pixels. Continued lines are
// indented. Longer words are broken anywhere.
func (p Panel) Wrap(width, indent int, ratio float64) Panel {
	f := face(p.Mono, fontSize*ratio)
	room := width - 2*int((panelMargin+panelBorder)*ratio+0.5)
	fits := func(s string) bool { return font.MeasureString(f, s).Ceil() <= room }
	for !fits(strings.Repeat(" ", 2*indent)) && indent > 0 {
		indent--
	}
	lines := p.Lines
	p.Lines = nil
	for _, line := range lines {
		if words := strings.TrimLeft(line, " "); len(line)-len(words) > indent && !fits(line) {
			line = strings.Repeat(" ", indent) + words
		}
		for !fits(line) {
			runes := []rune(line)
			// At least one character beyond the indent, so that the loop ends.
			from := min(len(runes), indent+1)
			n := from + sort.Search(len(runes)-from, func(k int) bool { return !fits(string(runes[:from+k+1])) })
			if n >= len(runes) {
				break
			}
			part, rest := runes[:n], runes[n:]
			if blank := lastBlank(runes[:n+1]); blank > indent {
				part, rest = runes[:blank], runes[blank:]
			}
			p.Lines = append(p.Lines, strings.TrimRight(string(part), " "))
			line = strings.Repeat(" ", indent) + strings.TrimLeft(string(rest), " ")
		}
		p.Lines = append(p.Lines, line)
	}
	return p
}

// lastBlank returns the last blank after the first word; -1: none.
func lastBlank(line []rune) int {
	for i := len(line) - 1; i > 0; i-- {
		if line[i] == ' ' && strings.TrimSpace(string(line[:i])) != "" {
			return i
		}
	}
	return -1
}

// Fitting returns how many lines fit a height in pixels, at least one.
func (p Panel) Fitting(height int, ratio float64) int {
	p.Keys, p.Lines = nil, []string{""}
	one := p.Size(ratio).Y
	room := height - 2*int(panelMargin*ratio+0.5)
	return max(1, 1+(room-one)/int(lineHeight*ratio+0.5))
}

// colors are those of the plate and of the text.
func (p Panel) colors() (back, front color.RGBA) {
	if p.Alarm {
		return rgb(0xFBE3DF), rgb(0x8C1D1D)
	}
	return paper, ink
}

// rasterize draws text and swatches without the plate. Colors are premultiplied by alpha.
func rasterize(p Panel, ratio float64) *image.RGBA {
	l := p.lay(ratio)
	picture := image.NewRGBA(image.Rectangle{Max: l.size})
	fill := func(r image.Rectangle, c color.RGBA) {
		draw.Draw(picture, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	_, front := p.colors()
	write := font.Drawer{Dst: picture, Src: image.NewUniform(front), Face: face(p.Mono, fontSize*ratio)}
	say := func(at image.Point, words string) {
		write.Dot = fixed.P(at.X, at.Y+int(fontSize*ratio*0.95+0.5))
		write.DrawString(words)
	}
	for i, line := range p.Lines {
		say(l.lines[i], line)
	}
	for i, k := range p.Keys {
		at := l.lines[len(p.Lines)+i]
		say(at.Add(image.Pt(k.indent(ratio), 0)), k.Text)
		if len(k.Colors) == 0 {
			continue
		}
		swatch := image.Rect(0, 0, int(swatchWidth*ratio+0.5), int(fontSize*ratio*0.8+0.5))
		swatch = swatch.Add(at).Add(image.Pt(0, int(fontSize*ratio*0.2+0.5)))
		fill(swatch, hairline)
		swatch = swatch.Inset(int(ratio + 0.5))
		for n, c := range k.Colors {
			part := swatch
			part.Min.X = swatch.Min.X + n*swatch.Dx()/len(k.Colors)
			part.Max.X = swatch.Min.X + (n+1)*swatch.Dx()/len(k.Colors)
			fill(part, c)
		}
	}
	return picture
}
