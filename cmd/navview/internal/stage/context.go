package stage

import (
	"fmt"
	"strings"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/headless"
	"github.com/wayfront/wayfront/engine/window"
)

// host is an OpenGL context of its own, current on the thread.
type host struct {
	Device   *gpu.Device
	Context  string             // how it was made, in a line
	Attempts []headless.Attempt // without a display; nil for a window's context
	close    func() error
}

// Open creates the context of --context. Auto is headless: only the viewer needs a window.
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

// openWindow creates the context of a hidden window.
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

// Finish closes the context. It returns the given error, or else that of the driver.
func (h *host) Finish(err error) error {
	if e := h.Device.Err(); err == nil && e != nil {
		err = fmt.Errorf("the driver reports: %w", e)
	}
	if e := h.close(); err == nil {
		err = e
	}
	return err
}

// ReportTimes prints GPU times if --verbose is given. The device has to be idle, as after reading
// back.
func ReportTimes(s *console.Session, d *gpu.Device) {
	if !s.Verbose {
		return
	}
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
