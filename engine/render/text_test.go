package render

import (
	"image"
	"testing"
)

// TestKeysFillLines: keys stand in their order, apart from each other, in lines as wide as they may
// be: the next one would not have been room for, or begins a line in any case. Without a width each
// has a line.
func TestKeysFillLines(t *testing.T) {
	p := Panel{Lines: []string{"above"}, Keys: []Key{
		{Text: "a key of many words"},
		{Colors: colors(ink), Text: "short"},
		{Text: "b"},
		{Colors: colors(ink), Text: "another one", First: true},
		{Text: "c"},
		{Text: "a key that is wider than narrow panels are"},
		{Colors: distances, Text: "last"},
	}}
	for _, ratio := range []float64{1, 2} {
		alone := make([]int, len(p.Keys)) // widths of the keys
		for i, k := range p.Keys {
			alone[i] = Panel{Keys: []Key{k}}.Size(ratio).X - 2*int(panelBorder*ratio+0.5)
		}
		for _, width := range []int{0, 100, 200, 400, 800} {
			p.Width = width
			l := p.lay(ratio)
			border, step := int(panelBorder*ratio+0.5), int(lineHeight*ratio+0.5)
			at := l.lines[1:]
			for i, k := range p.Keys {
				end := at[i].X + alone[i]
				if end > int(float64(width)*ratio)-border && at[i].X > border {
					t.Errorf("width %d: key %d ends at %d", width, i, end)
				}
				if end > l.size.X-border {
					t.Errorf("width %d: key %d ends at %d in a panel of %v", width, i, end, l.size)
				}
				if i == 0 {
					if at[0] != image.Pt(border, border+step) {
						t.Errorf("width %d: the first key is at %v", width, at[0])
					}
					continue
				}
				after := at[i-1].X + alone[i-1] + int(keyGap*ratio+0.5)
				fits := !k.First && after+alone[i] <= int(float64(width)*ratio)-border
				want := image.Pt(border, at[i-1].Y+step)
				if fits {
					want = image.Pt(after, at[i-1].Y)
				}
				if at[i] != want {
					t.Errorf("width %d: key %d is at %v, want %v", width, i, at[i], want)
				}
			}
			if got := rasterize(p, ratio).Rect.Size(); got != p.Size(ratio) {
				t.Errorf("width %d: the picture is %v, the panel %v", width, got, p.Size(ratio))
			}
		}
	}
}
