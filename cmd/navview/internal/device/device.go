// Package device gives verbs an OpenGL context of their own, and reports GPU times.
package device

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/headless"
	"github.com/wayfront/wayfront/engine/window"
)

// Host is an OpenGL context of its own, current on the thread.
type Host struct {
	Device   *gpu.Device
	Context  string             // how it was made, in a line
	Attempts []headless.Attempt // without a display; nil for a window's context
}

// With calls work with the context of --context, and closes it. Auto is headless: only the viewer
// needs a window. The error is that of work, or else that of the driver.
func With(s *console.Session, work func(*Host) error) error {
	if s.Context == "window" {
		w, err := window.Open(window.Options{Title: "navview", Width: 64, Height: 64})
		if err != nil {
			return err
		}
		defer w.Close()
		return On(s, Host{Context: "GLFW, a hidden window"}, work)
	}
	context, err := headless.Open()
	if err != nil {
		return err
	}
	defer context.Close()
	if err := context.MakeCurrent(); err != nil {
		return err
	}
	return On(s, Host{Context: context.Describe(), Attempts: context.Attempts()}, work)
}

// On calls work with a device on the current context.
func On(s *console.Session, h Host, work func(*Host) error) (err error) {
	if h.Device, err = gpu.NewOwn(); err != nil {
		return err
	}
	h.Device.MeasureStages(true)
	if info := h.Device.Info(); s.Verbose {
		s.Note("%s, OpenGL %s (%s)", info.Renderer, info.Version, h.Context)
	}
	err = work(&h)
	if e := h.Device.Err(); err == nil && e != nil {
		err = fmt.Errorf("the driver reports: %w", e)
	}
	return cmp.Or(err, h.Device.Close())
}

// ReportTimes prints GPU times if --verbose is given. The device has to be idle, as after reading
// back.
func ReportTimes(s *console.Session, d *gpu.Device) {
	if !s.Verbose {
		return
	}
	d.FrameEnd()
	d.Finish() // times are read only where the device is done
	d.FrameEnd()
	for _, line := range Times(d) {
		s.Note("%s", line)
	}
}

// Times lists the GPU times of the passes of a frame.
func Times(d *gpu.Device) []string {
	var lines []string
	for _, t := range d.Timings() {
		depth := strings.Count(t.Name, "/")
		name := strings.Repeat("  ", depth) + t.Name[strings.LastIndex(t.Name, "/")+1:]
		lines = append(lines, fmt.Sprintf("%-18s%8.2f ms", name, t.Mean.Seconds()*1e3))
	}
	return lines
}
