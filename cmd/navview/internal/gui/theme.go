//go:build !headless

package gui

import (
	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/implot"
)

const fontSize = 15 // pixels of a plain display

// theme is what colors mean. Accents are those of the ground's palettes (engine/render), which
// color-blind people can distinguish.
type theme struct {
	bar    uint32 // menu, status line, unselected tabs
	panel  uint32 // windows, selected tabs
	popup  uint32 // menus and tooltips, above all
	field  uint32 // what takes a value; buttons
	hover  uint32 // field under the pointer
	press  uint32 // field while pressed
	line   uint32 // separators and borders
	text   uint32
	faint  uint32 // text of what is disabled
	accent uint32 // marks, selections, links
	warm   uint32 // places to drop on, bars of plots
}

var (
	dark = theme{
		bar: 0x171C21, panel: 0x20272E, popup: 0x29323A, field: 0x313B45, hover: 0x3E4B57, press: 0x4C5B69, line: 0x3A454F,
		text: 0xE8ECEF, faint: 0x93A0AB, accent: 0x56B4E9, warm: 0xE8A200,
	}
	light = theme{
		bar: 0xE6E2D9, panel: 0xF6F4EF, popup: 0xFFFFFF, field: 0xE4E1D9, hover: 0xD6DCE0, press: 0xC3CDD4, line: 0xCBC7BD,
		text: 0x26303A, faint: 0x68737D, accent: 0x0072B2, warm: 0xD55E00,
	}
)

// SetLight chooses the light theme or the dark one, from the next frame on.
func (u *UI) SetLight(light bool) { u.light, u.restyled = light, true }

// SetScale sets how many pixels of the framebuffer are a pixel of a plain display, from the next
// frame on. What is not positive counts as 1.
func (u *UI) SetScale(scale float32) {
	if !(scale > 0) {
		scale = 1
	}
	u.scale, u.restyled = scale, true
}

// applyStyle replaces the style. It begins anew, as scaling rounds.
func (u *UI) applyStyle() {
	t := dark
	if u.light {
		t = light
	}
	style := imgui.NewStyle()
	defer style.Destroy()
	for _, set := range []struct {
		set  func(float32)
		size float32
	}{
		{style.SetWindowRounding, 5},
		{style.SetChildRounding, 5},
		{style.SetPopupRounding, 6},
		{style.SetFrameRounding, 4},
		{style.SetGrabRounding, 4},
		{style.SetTabRounding, 5},
		{style.SetScrollbarRounding, 6},
		{style.SetScrollbarSize, 12},
		{style.SetGrabMinSize, 10},
		{style.SetIndentSpacing, 16},
		{style.SetWindowBorderSize, 1},
		{style.SetPopupBorderSize, 1},
		{style.SetTabBarBorderSize, 0},
		{style.SetTabBarOverlineSize, 2},
		{style.SetDockingSeparatorSize, 2},
		{style.SetFontSizeBase, fontSize},
		{style.SetFontScaleDpi, u.scale},
	} {
		set.set(set.size)
	}
	style.SetWindowPadding(imgui.Vec2{X: 10, Y: 8})
	style.SetFramePadding(imgui.Vec2{X: 8, Y: 4})
	style.SetItemSpacing(imgui.Vec2{X: 8, Y: 6})
	style.SetItemInnerSpacing(imgui.Vec2{X: 6, Y: 4})
	style.SetCellPadding(imgui.Vec2{X: 6, Y: 3})
	style.SetWindowMenuButtonPosition(imgui.DirNone)
	colors := t.colors(style.Colors())
	style.SetColors(&colors)
	style.ScaleAllSizes(u.scale)
	assign(imgui.CurrentStyle().CData, style.CData)

	plots := implot.NewStyle()
	defer plots.Destroy()
	plots.SetLineWeight(1.5 * u.scale)
	plots.SetMarkerSize(4 * u.scale)
	plots.SetPlotPadding(imgui.Vec2{X: 8 * u.scale, Y: 6 * u.scale})
	plots.SetPlotMinSize(imgui.Vec2{X: 60 * u.scale, Y: 40 * u.scale})
	assign(implot.GetStyle().CData, plots.CData)
}

// assign copies a struct of C, whose type has no name here.
func assign[T any](to, from *T) { *to = *from }

// colors returns the theme for each thing that Dear ImGui draws; what a theme does not say is kept.
func (t theme) colors(c [imgui.ColCOUNT]imgui.Vec4) [imgui.ColCOUNT]imgui.Vec4 {
	for _, group := range []struct {
		color  uint32
		things []imgui.Col
	}{
		{t.bar, []imgui.Col{
			imgui.ColMenuBarBg, imgui.ColTitleBg, imgui.ColTitleBgActive, imgui.ColTitleBgCollapsed, imgui.ColTab, imgui.ColTabDimmed,
			imgui.ColTableHeaderBg, imgui.ColDockingEmptyBg,
		}},
		{t.panel, []imgui.Col{imgui.ColWindowBg, imgui.ColTabSelected, imgui.ColTabDimmedSelected}},
		{t.popup, []imgui.Col{imgui.ColPopupBg}},
		{t.field, []imgui.Col{imgui.ColFrameBg, imgui.ColButton, imgui.ColScrollbarGrab}},
		{t.hover, []imgui.Col{imgui.ColFrameBgHovered, imgui.ColButtonHovered, imgui.ColHeaderHovered, imgui.ColScrollbarGrabHovered, imgui.ColTabHovered}},
		{t.press, []imgui.Col{imgui.ColFrameBgActive, imgui.ColButtonActive, imgui.ColHeaderActive, imgui.ColScrollbarGrabActive}},
		{t.line, []imgui.Col{imgui.ColBorder, imgui.ColSeparator, imgui.ColTableBorderStrong, imgui.ColTableBorderLight, imgui.ColTreeLines}},
		{t.text, []imgui.Col{imgui.ColText, imgui.ColInputTextCursor}},
		{t.faint, []imgui.Col{imgui.ColTextDisabled, imgui.ColTabDimmedSelectedOverline}},
		{t.accent, []imgui.Col{
			imgui.ColCheckMark, imgui.ColSliderGrabActive, imgui.ColSeparatorHovered, imgui.ColSeparatorActive,
			imgui.ColTabSelectedOverline, imgui.ColPlotLines, imgui.ColTextLink, imgui.ColNavCursor,
			imgui.ColResizeGripHovered, imgui.ColResizeGripActive,
		}},
		{t.warm, []imgui.Col{imgui.ColDragDropTarget, imgui.ColPlotLinesHovered, imgui.ColPlotHistogram, imgui.ColPlotHistogramHovered}},
	} {
		for _, thing := range group.things {
			c[thing] = rgba(group.color, 1)
		}
	}
	c[imgui.ColTextSelectedBg], c[imgui.ColDockingPreview] = rgba(t.accent, 0.4), rgba(t.accent, 0.4)
	c[imgui.ColHeader], c[imgui.ColSliderGrab] = rgba(t.accent, 0.3), rgba(t.accent, 0.7)
	c[imgui.ColTableRowBgAlt] = rgba(t.field, 0.35)
	for _, thing := range []imgui.Col{imgui.ColChildBg, imgui.ColScrollbarBg, imgui.ColBorderShadow, imgui.ColTableRowBg, imgui.ColResizeGrip} {
		c[thing] = imgui.Vec4{}
	}
	c[imgui.ColModalWindowDimBg] = imgui.Vec4{W: 0.35}
	return c
}

// rgba is a color 0xRRGGBB of an opacity.
func rgba(hex uint32, opacity float32) imgui.Vec4 {
	return imgui.Vec4{X: float32(hex>>16) / 255, Y: float32(hex>>8&255) / 255, Z: float32(hex&255) / 255, W: opacity}
}
