//go:build !headless

package panels

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
)

// maxFaults is how many sentences are shown of a fault.
const maxFaults = 3

// faults draws why the world has not what the document says, at the top of the ground: a click selects
// what is at fault, and a button offers a way out.
func (p *Panels) faults(s *studio.Studio) error {
	if s.Fault == nil {
		return nil
	}
	in, em := p.settings.inset, imgui.FontSize()
	middle := (in.Left + float64(s.Camera.Width) - in.Right) / 2
	imgui.SetNextWindowPosV(vec(middle, in.Top+float64(em)*0.6), imgui.CondAlways, vec(0.5, 0))
	imgui.PushStyleColorVec4(imgui.ColBorder, red)
	defer imgui.PopStyleColor()
	var err error
	if imgui.BeginV("##faults", nil, pinned) {
		imgui.PushTextWrapPosV(em * 34)
		words := s.Fault.Words
		for i, sentence := range words[:min(len(words), maxFaults)] {
			imgui.PushIDInt(int32(i))
			imgui.TextUnformatted(sentence)
			if imgui.IsItemClicked() {
				s.ShowFault()
			}
			imgui.PopID()
		}
		if more := len(words) - maxFaults; more > 0 {
			imgui.TextDisabled(fmt.Sprintf("and %s", console.Count(more, "more", "more")))
		}
		imgui.PopTextWrapPos()
		if fix, ok := s.Fix(); ok && imgui.Button(fix.Name) {
			err = fix.Do(s)
		}
		if s.Fault != nil && (!s.Fault.Of.IsNone() || len(s.Fault.At) > 0) {
			imgui.SameLine()
			if imgui.Button("Show") {
				s.ShowFault()
			}
		}
	}
	imgui.End()
	return err
}
