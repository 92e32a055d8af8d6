package main

import (
	"fmt"
	"strings"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/headless"
	"github.com/wayfront/wayfront/engine/window"
)

// host is an OpenGL context of the verb's own, current on its thread.
type host struct {
	device   *gpu.Device
	context  string             // how it was made, in a line
	attempts []headless.Attempt // without a display; nil for a window's context
	close    func() error
}

// openHost makes the context that --context asks for. Auto is headless: no verb but the viewer needs a window.
func openHost(s *session) (*host, error) {
	var h *host
	var err error
	if s.context == "window" {
		h, err = openWindow()
	} else {
		h, err = openHeadless()
	}
	if err != nil {
		return nil, err
	}
	if s.verbose {
		s.note("%s, OpenGL %s (%s)", h.device.Info().Renderer, h.device.Info().Version, h.context)
	}
	return h, nil
}

func openHeadless() (*host, error) {
	context, err := headless.Open()
	if err != nil {
		return nil, err
	}
	if err := context.MakeCurrent(); err != nil {
		context.Close()
		return nil, err
	}
	device, err := gpu.NewOwn()
	if err != nil {
		context.Close()
		return nil, err
	}
	device.MeasurePasses(true)
	return &host{
		device: device, context: context.Describe(), attempts: context.Attempts(),
		close: func() error { defer context.Close(); return device.Close() },
	}, nil
}

// openWindow makes the context of a window that is never shown.
func openWindow() (*host, error) {
	w, err := window.Open(window.Options{Title: "navview", Width: 64, Height: 64})
	if err != nil {
		return nil, err
	}
	device, err := gpu.NewOwn()
	if err != nil {
		w.Close()
		return nil, err
	}
	device.MeasurePasses(true)
	return &host{
		device: device, context: "GLFW, a hidden window",
		close: func() error { defer w.Close(); return device.Close() },
	}, nil
}

// finish closes the context. The error is the verb's own, or else what the driver reported on the way.
func (h *host) finish(err error) error {
	if e := h.device.Err(); err == nil && e != nil {
		err = fmt.Errorf("the driver reports: %w", e)
	}
	if e := h.close(); err == nil {
		err = e
	}
	return err
}

// reportTimes notes what the passes took, if --verbose asks for it. The device has to be done with them, as it is once something was
// read back.
func reportTimes(s *session, d *gpu.Device) {
	if !s.verbose {
		return
	}
	d.FrameEnd()
	for _, line := range times(d) {
		s.note("%s", line)
	}
}

// times lists what the passes of a frame took.
func times(d *gpu.Device) []string {
	var lines []string
	for _, t := range d.Timings() {
		depth := strings.Count(t.Name, "/")
		name := strings.Repeat("  ", depth) + t.Name[strings.LastIndex(t.Name, "/")+1:]
		lines = append(lines, fmt.Sprintf("%-18s%8.2f ms", name, t.Mean.Seconds()*1e3))
	}
	return lines
}
