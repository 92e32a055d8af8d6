//go:build !headless

package panels

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/cmd/navview/internal/gui"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
)

// past is the list of what has been done to the document.
type past struct {
	done int // at the last frame
}

// draw draws the window: a click goes to what the document was then.
func (p *past) draw(s *studio.Studio) (err error) {
	entries, done := s.Doc.History()
	if imgui.Begin(gui.History) {
		clip(len(entries)+1, func(i int) {
			title := "as it was opened"
			if i > 0 {
				title = entries[i-1].Title
			}
			if i > done { // undone
				imgui.PushStyleColorVec4(imgui.ColText, imgui.CurrentStyle().Colors()[imgui.ColTextDisabled])
				defer imgui.PopStyleColor()
			}
			if imgui.SelectableBoolV(fmt.Sprintf("%s##%d", title, i), i == done, 0, imgui.Vec2{}) && i != done {
				err = s.Go(i)
			}
		})
		if p.done != done {
			imgui.SetScrollYFloat(max(0, float32(done)*imgui.TextLineHeightWithSpacing()-imgui.WindowHeight()/2))
		}
	}
	imgui.End()
	p.done = done
	return err
}
