//go:build !headless

// Package gui draws the panels of the viewer with Dear ImGui, over the picture of the ground, into a
// target of engine/gpu. It is the only package that holds a context of Dear ImGui; a frame is
//
//	for _, e := range events {
//		ui.Handle(e)
//	}
//	ui.Begin(width, height, elapsed)
//	...            // windows and menus, by calls of packages imgui and implot
//	err := ui.End(target)
//
// All positions are in pixels of the framebuffer, y down. There is no file: Layout is the text to
// save. Everything is called on the thread of the device's context.
package gui

// #cgo linux LDFLAGS: -ldl
import "C" // for loader_linux.c

import (
	"errors"
	"time"
	"unsafe"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/impl/opengl3"
	"github.com/AllenDang/cimgui-go/implot"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Options say how a UI starts.
type Options struct {
	Scale     float32   // pixels of the framebuffer to a pixel of a plain display; 0: 1
	Light     bool      // the light theme
	Layout    string    // what UI.Layout has returned; "" is the default layout
	Clipboard Clipboard // nil: a clipboard of the UI's own
}

// Clipboard is the system's clipboard, as a window.Window has it.
type Clipboard interface {
	Clipboard() string
	SetClipboard(text string)
}

// UI is a context of Dear ImGui and ImPlot. Only one is in use at a time: that of the last New or
// Begin.
type UI struct {
	device *gpu.Device
	ui     *imgui.Context
	plots  *implot.Context

	scale    float32
	light    bool
	restyled bool // scale or light have changed since the last Begin
	layout   layout
}

// New makes a UI that draws on a device. The error says that the driver cannot compile what draws
// it, or is one of Device.Do.
func New(d *gpu.Device, o Options) (*UI, error) {
	u := &UI{device: d, light: o.Light, restyled: true, ui: imgui.CreateContext()}
	u.SetScale(o.Scale)
	imgui.SetCurrentContext(u.ui)
	u.plots = implot.CreateContext()
	io := imgui.CurrentIO()
	io.CData.IniFilename, io.CData.LogFilename = nil, nil // no files
	io.SetConfigFlags(io.ConfigFlags() | imgui.ConfigFlagsDockingEnable)
	io.SetConfigWindowsMoveFromTitleBarOnly(true)
	addFont(io.Fonts())
	if o.Clipboard != nil {
		imgui.CurrentPlatformIO().SetClipboardHandler(clipboard{o.Clipboard})
	}
	if o.Layout != "" {
		imgui.LoadIniSettingsFromMemory(o.Layout)
	}
	err := d.Do(func() error {
		if !opengl3.InitV("#version 450 core") || !opengl3.CreateDeviceObjects() {
			return errors.New("gui: the driver cannot compile the shaders of Dear ImGui: update the driver, or use Mesa's software renderer (LIBGL_ALWAYS_SOFTWARE=1)")
		}
		return nil
	})
	if err != nil {
		implot.DestroyContextV(u.plots)
		imgui.DestroyContextV(u.ui)
		return nil, err
	}
	return u, nil
}

// addFont gives the atlas its font, which stays in memory as long as the program.
func addFont(atlas *imgui.FontAtlas) {
	config := imgui.NewFontConfig()
	defer config.Destroy()
	config.SetFontDataOwnedByAtlas(false)
	ttf := goregular.TTF
	atlas.AddFontFromMemoryTTFV(uintptr(unsafe.Pointer(&ttf[0])), int32(len(ttf)), fontSize, config, nil)
}

// clipboard is a Clipboard as Dear ImGui calls it.
type clipboard struct{ Clipboard }

func (c clipboard) GetClipboard() string { return c.Clipboard.Clipboard() }

// Delete frees the UI. Deleting twice, or none, does nothing.
func (u *UI) Delete() {
	if u == nil || u.ui == nil {
		return
	}
	u.use()
	u.device.MustDo(opengl3.Shutdown)
	implot.DestroyContextV(u.plots)
	imgui.DestroyContextV(u.ui)
	u.ui, u.plots = nil, nil
}

// use makes the contexts current.
func (u *UI) use() {
	imgui.SetCurrentContext(u.ui)
	implot.SetCurrentContext(u.plots)
	implot.SetImGuiContext(u.ui)
}

// Begin begins a frame of a size in pixels, elapsed after the one before. Windows can be docked
// around a free rectangle, where the ground is seen: see Central.
func (u *UI) Begin(width, height int, elapsed time.Duration) {
	u.use()
	if u.restyled {
		u.applyStyle()
		u.restyled = false
	}
	io := imgui.CurrentIO()
	io.SetDisplaySize(imgui.Vec2{X: float32(width), Y: float32(height)})
	io.SetDeltaTime(max(float32(elapsed.Seconds()), 1e-5)) // Dear ImGui wants time to pass
	opengl3.NewFrame()
	imgui.NewFrame()
	u.layout.begin()
}

// Image shows a texture of the UI's device, its first row at the top, in a size of pixels. The
// texture is to stay until End.
func (u *UI) Image(t *gpu.Texture, width, height float32) {
	ref := imgui.NewTextureRefTextureID(imgui.TextureID(t.Name()))
	defer ref.Destroy()
	imgui.Image(*ref, imgui.Vec2{X: width, Y: height})
}

// End draws the frame over what is in a target. The error is one of Device.Do.
func (u *UI) End(t *gpu.Target) error {
	u.layout.end()
	imgui.Render()
	return t.Lend(func() error {
		opengl3.RenderDrawData(imgui.CurrentDrawData())
		return nil
	})
}
