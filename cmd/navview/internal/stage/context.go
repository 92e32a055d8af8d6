package stage

import (
	"fmt"
	"strings"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/headless"
	"github.com/wayfront/wayfront/engine/window"
)

// host is an OpenGL context of the verb's own, current on its thread.
type host struct {
	Device   *gpu.Device
	Context  string             // how it was made, in a line
	Attempts []headless.Attempt // without a display; nil for a window's context
	close    func() error
}

// Open makes the context that --context asks for. Auto is headless: no verb but the viewer needs a window.
func Open(s *console.Session) (*host, error) {
	var h *host
	var err error
	if s.Context == "window" {
		h, err = openWindow()
	} else {
		h, err = OpenHeadless()
	}
	if err != nil {
		return nil, err
	}
	if s.Verbose {
		s.Note("%s, OpenGL %s (%s)", h.Device.Info().Renderer, h.Device.Info().Version, h.Context)
	}
	return h, nil
}

func OpenHeadless() (*host, error) {
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
		Device: device, Context: context.Describe(), Attempts: context.Attempts(),
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
		Device: device, Context: "GLFW, a hidden window",
		close: func() error { defer w.Close(); return device.Close() },
	}, nil
}

// Finish closes the context. The error is the verb's own, or else what the driver reported on the way.
func (h *host) Finish(err error) error {
	if e := h.Device.Err(); err == nil && e != nil {
		err = fmt.Errorf("the driver reports: %w", e)
	}
	if e := h.close(); err == nil {
		err = e
	}
	return err
}

// ReportTimes notes what the passes took, if --verbose asks for it. The device has to be done with them, as it is once something was
// read back.
func ReportTimes(s *console.Session, d *gpu.Device) {
	if !s.Verbose {
		return
	}
	d.FrameEnd()
	for _, line := range Times(d) {
		s.Note("%s", line)
	}
}

// Times lists what the passes of a frame took.
func Times(d *gpu.Device) []string {
	var lines []string
	for _, t := range d.Timings() {
		depth := strings.Count(t.Name, "/")
		name := strings.Repeat("  ", depth) + t.Name[strings.LastIndex(t.Name, "/")+1:]
		lines = append(lines, fmt.Sprintf("%-18s%8.2f ms", name, t.Mean.Seconds()*1e3))
	}
	return lines
}
