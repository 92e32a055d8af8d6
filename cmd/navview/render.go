package main

import (
	"fmt"
	"image/png"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/draw"
	"github.com/wayfront/wayfront/engine/gpu"
)

type renderVerb struct {
	Scene  string        `arg:"" help:"A file, a built-in scene, or - for standard input."`
	Output string        `short:"o" required:"" placeholder:"OUT.png" help:"Where to write; - is standard output."`
	Size   size          `default:"1280x800" placeholder:"WxH" help:"Pixels."`
	At     time.Duration `default:"0s" placeholder:"20s" help:"Simulated time at which the picture is taken."`
	View   string        `enum:"map,perspective" default:"map" help:"From above, or the distance as a relief: ${enum}."`
	look   `embed:""`
}

func (renderVerb) Help() string {
	return `Examples:
  navview render plaza -o plaza.png --at 12s
  navview render spiral -o spiral.png --size 800x800 --palette paper --layers regions,isolines,sources
  navview render hall.json -o - --goal exits --view perspective > hall.png`
}

// longest is how much time is simulated at most: no crowd needs more than a day, and a slip of the finger should not run for
// weeks.
const longest = 24 * time.Hour

// Validate refuses times that are not simulated.
func (v renderVerb) Validate() error {
	if v.At < 0 {
		return fmt.Errorf("--at %v: the simulation starts at 0s", v.At)
	}
	if v.At > longest {
		return fmt.Errorf("--at %v: at most %v", v.At, longest)
	}
	return nil
}

func (v renderVerb) Run(s *session) (err error) {
	if _, err := formatOf(v.Output, ".png"); err != nil {
		return err
	}
	doc, err := load(v.Scene)
	if err != nil {
		return err
	}
	out, err := create(v.Output, s.stdout)
	if err != nil {
		return err
	}
	defer out.close(&err)
	h, err := s.open()
	if err != nil {
		return err
	}
	defer func() { err = h.finish(err) }()
	oversize := oversizeOf(h.device, v.Size)
	c, err := newCanvas(h.device, v.Size, oversize)
	if err != nil {
		return err
	}
	defer c.free()
	st, err := newStage(h.device, doc, v.look)
	if err != nil {
		return err
	}
	defer st.free()
	if draw.Layers(v.Layers)&draw.Paths != 0 {
		if err := st.follow(st.some(shownPaths)); err != nil {
			return err
		}
	}
	bar := newProgress(s.stderr, "simulate", int(st.ticks(v.At)))
	defer bar.done()
	behind, err := st.advanceTo(v.At, bar.step)
	if err != nil {
		return err
	}
	ratio := float64(oversize)
	drawn := size{v.Size.width * oversize, v.Size.height * oversize}
	if err := st.draw(draw.Picture{Target: c.target, Camera: st.fit(drawn, ratio), PixelRatio: ratio, Behind: behind, Relief: v.View == "perspective"}); err != nil {
		return err
	}
	h.device.FrameEnd()
	picture := c.read()
	if s.verbose {
		h.device.FrameEnd()
		for _, line := range times(h.device) {
			s.note("%s", line)
		}
	}
	return png.Encode(out, picture)
}

// oversizeOf is 2, drawing four pixels for one, where the device has textures so large.
func oversizeOf(d *gpu.Device, s size) int {
	if 2*max(s.width, s.height) <= d.Info().Limits.MaxTextureSize {
		return 2
	}
	return 1
}
