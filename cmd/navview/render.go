package main

import (
	"errors"
	"fmt"
	"image/png"
	"time"

	"github.com/wayfront/wayfront/engine/render"
)

type renderVerb struct {
	Scene  string        `arg:"" help:"A file, a built-in scene, or - for standard input."`
	Output string        `short:"o" required:"" placeholder:"OUT.png" help:"Where to write; - is standard output."`
	Size   size          `default:"1280x800" placeholder:"WxH" help:"Pixels."`
	At     time.Duration `default:"0s" placeholder:"20s" help:"Simulated time at which the picture is taken."`
	View   string        `enum:"map,perspective" default:"map" help:"From above, or the distance as a relief: ${enum}."`
	look   `embed:""`
	steps  `embed:""`
}

func (renderVerb) Help() string {
	return `Examples:
  navview render plaza -o plaza.png --at 12s
  navview render spiral -o spiral.png --size 800x800 --palette paper --layers regions,isolines,sources
  navview render farias-2 -o step.png --view perspective --steps 3 --layers regions,isolines,obstacles,sources
  navview render hall.json -o field.png --at 12s --agent 7 --layers isolines,obstacles,sources,agents,potential
  navview render dapper-5 -o paths.png --at 40s --size 1140x240 --layers obstacles,sources,agents,trails
  navview render hall.json -o - --goal exits --view perspective > hall.png`
}

// Validate refuses times that are not simulated.
func (v renderVerb) Validate() error {
	if v.At < 0 {
		return fmt.Errorf("--at %v: the simulation starts at 0s", v.At)
	}
	if v.At > longest {
		return fmt.Errorf("--at %v: at most %v", v.At, longest)
	}
	if v.View == "perspective" && (v.Agent != nil || render.Layers(v.Layers)&(render.Potential|render.LocalMap) != 0) {
		return errors.New("--view perspective: potentials and local maps are shown from above alone (--view map)")
	}
	return v.steps.Validate()
}

func (v renderVerb) Run(s *session) error {
	if _, err := formatOf(v.Output, ".png"); err != nil {
		return err
	}
	doc, err := load(v.Scene)
	if err != nil {
		return err
	}
	return takePicture(s, doc, v.look, v.Output, v.Size, true, func(t *set) error {
		bar := newProgress(s.stderr, "render", int(t.ticks(v.At)))
		defer bar.done()
		behind, err := t.advanceTo(v.At, bar.step)
		if err != nil {
			return err
		}
		if err := t.present(s); err != nil {
			return err
		}
		ratio := float64(t.canvas.oversize)
		drawn := size{v.Size.width * t.canvas.oversize, v.Size.height * t.canvas.oversize}
		p := render.Picture{Target: t.canvas.target, Camera: t.fit(drawn, ratio, t.legendHeight(drawn, ratio)), PixelRatio: ratio, Behind: behind, Relief: v.View == "perspective"}
		if v.Steps > 0 {
			m, err := mapFlags{}.build(s, t.host.device, doc, doc.Goals[t.goal], v.steps)
			if err != nil {
				return err
			}
			defer m.free()
			p.Map, p.Ground = m.Map, m.open
		}
		if err := t.draw(p); err != nil {
			return err
		}
		t.host.device.FrameEnd()
		picture := t.canvas.read()
		reportTimes(s, t.host.device)
		return png.Encode(t.out, picture)
	})
}
