//go:build !headless

package gui

import "github.com/AllenDang/cimgui-go/imgui"

// The windows that the default layout has a place for.
const (
	Outline   = "Outline"
	Inspector = "Inspector"
	Mind      = "Mind"
	History   = "History"
	Timeline  = "Timeline"
	Plots     = "Plots"
)

// dockspace is the name in saved layouts of the space that windows are docked in.
const dockspace imgui.ID = 0x57415946

// layout is where windows are docked.
type layout struct {
	reset bool // the next frame begins with the default
	fresh int  // frames until the default is complete
}

// ResetLayout docks the windows as at first, from the next frame on.
func (u *UI) ResetLayout() { u.layout.reset = true }

// Layout returns where windows are, as text for Options.
func (u *UI) Layout() string {
	u.use()
	return imgui.SaveIniSettingsToMemory()
}

// Central returns the rectangle that docked windows leave free, in pixels, y down, from Begin on.
func (u *UI) Central() (x, y, width, height float64) {
	node := imgui.InternalDockBuilderGetCentralNode(dockspace)
	if node.CData == nil {
		return 0, 0, 0, 0 // before the first Begin
	}
	at, size := node.Pos(), node.Size()
	return float64(at.X), float64(at.Y), float64(size.X), float64(size.Y)
}

// Status draws a line of contents at the lower edge of the window, below all that is docked.
func (u *UI) Status(contents func()) {
	flags := imgui.WindowFlagsNoScrollbar | imgui.WindowFlagsNoSavedSettings | imgui.WindowFlagsMenuBar
	if imgui.InternalBeginViewportSideBar("##status", imgui.MainViewport(), imgui.DirDown, imgui.FrameHeight(), flags) {
		if imgui.BeginMenuBar() { // a line without the padding of windows
			contents()
			imgui.EndMenuBar()
		}
	}
	imgui.End()
}

// begin makes the space that windows are docked in, between the menu and the status line.
func (l *layout) begin() {
	if l.reset || imgui.InternalDockBuilderGetNode(dockspace).CData == nil {
		build()
		l.reset, l.fresh = false, 4
	}
	imgui.DockSpaceOverViewportV(dockspace, imgui.MainViewport(), imgui.DockNodeFlagsPassthruCentralNode, &imgui.WindowClass{})
}

// end brings tabs to the front, where windows that have just appeared put themselves. A tab is
// selected in the frame after its window has got the focus: one window a frame.
func (l *layout) end() {
	switch l.fresh {
	case 3:
		imgui.SetWindowFocusStr(Timeline)
	case 2:
		imgui.SetWindowFocusStr(Inspector)
	case 1:
		imgui.InternalFocusWindow(&imgui.Window{}) // none
	}
	l.fresh = max(0, l.fresh-1)
}

// build makes the default layout.
func build() {
	imgui.InternalDockBuilderRemoveNode(dockspace)
	imgui.InternalDockBuilderAddNodeV(dockspace, imgui.DockNodeFlags(imgui.DockNodeFlagsDockSpace))
	imgui.InternalDockBuilderSetNodeSize(dockspace, imgui.MainViewport().WorkSize())
	split := func(from imgui.ID, side imgui.Dir, share float32, windows ...string) (rest imgui.ID) {
		var at imgui.ID
		imgui.InternalDockBuilderSplitNode(from, side, share, &at, &rest)
		for _, name := range windows {
			imgui.InternalDockBuilderDockWindow(name, at)
		}
		return rest
	}
	// Shares of what is left: 16 % and 22 % of the width, 24 % of the height.
	rest := split(dockspace, imgui.DirRight, 0.22, Inspector, Mind, History)
	rest = split(rest, imgui.DirLeft, 0.16/0.78, Outline)
	split(rest, imgui.DirDown, 0.24, Timeline, Plots)
	imgui.InternalDockBuilderFinish(dockspace)
}
