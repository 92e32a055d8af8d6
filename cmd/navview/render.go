package main

import (
	"cmp"
	"image"
	"image/png"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/goalmap"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/render"
)

type renderVerb struct {
	Scene           string          `arg:"" help:"A file, a built-in scene, or - for standard input."`
	Output          string          `short:"o" required:"" placeholder:"OUT.png" help:"Where to write: .png, or .svg and .pdf, vector graphics for papers; - is a PNG on standard output."`
	Size            Size            `default:"1280x800" placeholder:"WxH" help:"Pixels; of vector graphics points, 1/72 inch."`
	At              time.Duration   `default:"0s" placeholder:"20s" help:"Simulated time at which the picture is taken."`
	Zoom            *worldview.Zoom `placeholder:"X0,Y0,X1,Y1" help:"What the picture shows instead of the whole domain, meters."`
	View            string          `enum:"map,perspective,street" default:"map" help:"From above, the distance as a relief, or the ground in perspective with walls and people: ${enum}."`
	worldview.Sight `embed:""`
	worldview.Look  `embed:""`
	goalmap.Partial `embed:""`
}

func (renderVerb) Help() string {
	return `Examples:
  navview render plaza -o plaza.png --at 12s
  navview render plaza -o station.png --zoom 60,20,92,40 --at 12s
  navview render spiral -o spiral.png --size 800x800 --palette paper --layers regions,isolines,sources
  navview render farias-2 -o step.png --view perspective --steps 3 --layers regions,isolines,obstacles,sources
  navview render hall.json -o field.png --at 12s --agent 7 --layers isolines,obstacles,sources,agents,potential
  navview render dapper-5 -o paths.png --at 40s --size 1140x240 --layers obstacles,sources,agents,trails
  navview render dapper-7 -o waits.png --at 20s --layers obstacles,sources,agents,trails --marks 0.5s
  navview render spmex1 -o figure.pdf --size 480x300 --layers regions,isolines,obstacles,parents,sources
  navview render plaza -o street.png --view street --zoom 40,12,78,44 --at 14s
  navview render hall.json -o - --goal exits --view perspective > hall.png`
}

// Validate checks time and view.
func (v renderVerb) Validate() error {
	return cmp.Or(
		console.Check(v.At >= 0, "--at %v: the simulation starts at 0s", v.At),
		console.Check(v.At <= console.Longest, "--at %v: at most %v", v.At, console.Longest),
		console.Check(v.Zoom == nil || v.Zoom.At == 0, "--zoom: a picture has one place: give X0,Y0,X1,Y1 without a time, and --at"),
		console.Check(v.Zoom == nil || v.View != "perspective", "--view perspective: the whole domain is shown; --zoom is for the other views"),
		v.Check(v.View, v.Zoom != nil, v.Look),
		v.Partial.Validate(),
	)
}

func (v renderVerb) Run(s *console.Session) error {
	format, err := console.FormatOf(v.Output, ".png", ".svg", ".pdf")
	if err != nil {
		return err
	}
	if format != ".png" {
		return v.figure(s, format)
	}
	doc, err := document.Load(v.Scene)
	if err != nil {
		return err
	}
	return worldview.WithPicture(s, doc, v.Look, v.Output, v.Size.Point, func(t *worldview.Set) error {
		bar := console.NewProgress(s.Stderr, "render", t.Ticks(v.At))
		defer bar.Done()
		behind, err := t.AdvanceTo(v.At, bar.Step)
		if err != nil {
			return err
		}
		if err := t.Present(s); err != nil {
			return err
		}
		ratio := float64(t.Canvas.Oversize)
		drawn := v.Size.Mul(t.Canvas.Oversize)
		var path []worldview.Zoom
		if v.Zoom != nil {
			path = append(path, *v.Zoom)
		}
		camera := v.Camera(t.View, v.View, path, 0, drawn, ratio)
		p := render.Picture{Target: t.Canvas.Target, Camera: camera, PixelRatio: ratio, Behind: behind, Relief: v.View == "perspective"}
		if v.Steps > 0 {
			if p.Map, p.Ground, err = (goalmap.Flags{}).Build(s, t.Device, doc, doc.Goals[t.Goal], v.Steps, true); err != nil {
				return err
			}
			defer p.Map.Delete()
		}
		if err := t.Draw(p); err != nil {
			return err
		}
		t.Device.FrameEnd()
		picture := t.Canvas.Read()
		device.ReportTimes(s, t.Device)
		return png.Encode(t.Out, picture)
	})
}

// figure writes vector graphics.
func (v renderVerb) figure(s *console.Session, format string) error {
	if v.View != "map" || v.Steps > 0 {
		return console.Usagef("--output %s: vector graphics show the whole map from above, without --view perspective and --steps: write a .png for these", v.Output)
	}
	doc, err := document.Load(v.Scene)
	if err != nil {
		return err
	}
	return worldview.WithPicture(s, doc, v.Look, v.Output, image.Pt(1, 1), func(t *worldview.Set) error {
		bar := console.NewProgress(s.Stderr, "render", t.Ticks(v.At))
		behind, err := t.AdvanceTo(v.At, bar.Step)
		bar.Done()
		if err != nil {
			return err
		}
		camera := t.Fit(v.Size.Point, 1, 0)
		if v.Zoom != nil {
			camera = worldview.CameraAt([]worldview.Zoom{*v.Zoom}, 0, v.Size.Point, false)
		}
		f, err := t.Figure(camera, behind)
		if err != nil {
			return err
		}
		return f.Write(t.Out, format)
	})
}
