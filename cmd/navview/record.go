package main

import (
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/media"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/render"
)

type recordVerb struct {
	Scene           string           `arg:"" help:"A file, a built-in scene, or - for standard input."`
	Output          string           `short:"o" required:"" placeholder:"OUT.mp4|.webm|.gif" help:"Where to write; - writes MP4 to standard output."`
	Duration        time.Duration    `default:"30s" placeholder:"30s" help:"How much simulated time the film shows."`
	Zoom            []worldview.Zoom `sep:"none" placeholder:"X0,Y0,X1,Y1[@TIME]" help:"What the film shows, meters: a place of the camera's path, which each further --zoom goes on at its time."`
	FPS             int              `name:"fps" default:"30" placeholder:"N" help:"Frames a second."`
	Size            Size             `default:"1280x720" placeholder:"WxH" help:"Pixels; MP4 and WebM take even numbers only, odd ones become one less."`
	View            string           `enum:"map,street" default:"map" help:"From above, or the ground in perspective with walls and people: ${enum}."`
	worldview.Sight `embed:""`
	worldview.Look  `embed:""`
}

func (recordVerb) Help() string {
	return `MP4 and WebM need ffmpeg; GIF needs nothing.

Examples:
  navview record plaza -o plaza.mp4 --duration 12s
  navview record plaza -o plaza.gif --duration 6s --fps 20 --size 640x400
  navview record plaza -o station.webm --zoom 0,0,96,60 --zoom 60,20,92,40@4s --zoom 0,0,96,60@12s
  navview record plaza -o street.mp4 --view street --zoom 40,12,78,44 --duration 12s
  navview record hall.json -o hall.mp4 --goal exits --layers regions,obstacles,agents`
}

// Validate checks rate, duration and size.
func (v recordVerb) Validate() error {
	if v.FPS < 1 || v.FPS > 240 {
		return fmt.Errorf("--fps %d: 1 to 240 frames a second", v.FPS)
	}
	if v.Duration > console.Longest {
		return fmt.Errorf("--duration %v: at most %v", v.Duration, console.Longest)
	}
	if v.frames() < 1 {
		return fmt.Errorf("--duration %v: at least one frame's time, %v, is needed", v.Duration, time.Second/time.Duration(v.FPS))
	}
	if err := v.Check(v.View, v.Zoom != nil, v.Look); err != nil {
		return err
	}
	if err := worldview.CheckZooms(v.Zoom); err != nil {
		return err
	}
	if v.Size.X < 2 || v.Size.Y < 2 {
		return errors.New("--size: a film is at least 2x2 pixels")
	}
	return nil
}

func (v recordVerb) frames() int {
	return int(v.Duration.Seconds()*float64(v.FPS) + 0.5)
}

func (v recordVerb) Run(s *console.Session) error {
	format, err := console.FormatOf(v.Output, ".mp4", ".webm", ".gif")
	if err != nil {
		return err
	}
	doc, err := document.Load(v.Scene)
	if err != nil {
		return err
	}
	if format != ".gif" {
		if _, err := exec.LookPath("ffmpeg"); err != nil {
			return media.ErrNoFFmpeg
		}
		v.Size.X &^= 1
		v.Size.Y &^= 1
		if err := media.Filmable(format, v.Size.Point); err != nil {
			return err
		}
	}
	return worldview.WithPicture(s, doc, v.Look, v.Output, v.Size.Point, func(t *worldview.Set) (err error) {
		if err := t.Pick(s, worldview.AnyAgent); err != nil {
			return err
		}
		var f media.Film
		if format != ".gif" {
			if f, err = media.NewVideo(t.Out, format, v.Size.Point, v.FPS); err != nil {
				return err
			}
		} else {
			f = media.NewGIF(t.Out, v.Size.Point, v.FPS, render.Swatches())
		}
		err = v.shoot(s, t, f)
		if e := f.Finish(); err == nil {
			err = e
		}
		if err == nil {
			device.ReportTimes(s, t.Device)
		}
		return err
	})
}

// shoot draws all frames.
func (v recordVerb) shoot(s *console.Session, t *worldview.Set, f media.Film) error {
	bar := console.NewProgress(s.Stderr, "record", v.frames())
	defer bar.Done()
	ratio := float64(t.Canvas.Oversize)
	drawn := v.Size.Mul(t.Canvas.Oversize)
	camera := v.Camera(t.View, v.View, v.Zoom, 0, drawn, ratio)
	for i := range v.frames() {
		at := time.Duration(float64(i) / float64(v.FPS) * float64(time.Second))
		behind, err := t.AdvanceTo(at, func() {})
		if err != nil {
			return err
		}
		t.FollowGoal()
		if v.Zoom != nil {
			camera = v.Camera(t.View, v.View, v.Zoom, at, drawn, ratio)
		}
		if err := t.Draw(render.Picture{Target: t.Canvas.Target, Camera: camera, PixelRatio: ratio, Behind: behind}); err != nil {
			return err
		}
		t.Device.FrameEnd()
		if err := f.Add(t.Canvas.Read()); err != nil {
			return err
		}
		bar.Step()
	}
	return nil
}
