package main

import (
	"fmt"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
)

type infoVerb struct {
	JSON bool `name:"json" help:"Print one JSON document."`
}

func (infoVerb) Help() string {
	return `Reports the renderer that Wayfront uses here, its limits, and which platforms were tried for a context, with the errors
of those that failed.

Examples:
  navview info
  navview info --context window
  navview info --json | jq .renderer`
}

// infoReport is the document of info --json.
type infoReport struct {
	Renderer string          `json:"renderer"`
	Vendor   string          `json:"vendor"`
	Version  string          `json:"version"`
	GLSL     string          `json:"glsl"`
	Software bool            `json:"software"`
	Context  string          `json:"context"`
	Attempts []attemptReport `json:"attempts"`
	Limits   limitsReport    `json:"limits"`
}

type attemptReport struct {
	Platform string `json:"platform"`
	Device   string `json:"device,omitempty"`
	Renderer string `json:"renderer,omitempty"`
	Version  string `json:"version,omitempty"`
	Error    string `json:"error,omitempty"`
	Chosen   bool   `json:"chosen"`
}

type limitsReport struct {
	TextureSize   int   `json:"texture_size"`
	ArrayLayers   int   `json:"array_layers"`
	StorageBlock  int64 `json:"storage_block_bytes"`
	StorageBlocks int   `json:"storage_blocks_compute"`
	SharedMemory  int   `json:"shared_memory_bytes"`
	Invocations   int   `json:"workgroup_invocations"`
	TimestampBits int   `json:"timestamp_bits"`
}

func (v infoVerb) Run(s *console.Session) error {
	return device.With(s, func(h *device.Host) error { return v.print(s, h) })
}

// print prints what is known about the context.
func (v infoVerb) print(s *console.Session, h *device.Host) error {
	info := h.Device.Info()
	r := infoReport{
		Renderer: info.Renderer, Vendor: info.Vendor, Version: info.Version, GLSL: info.GLSL, Software: info.Software,
		Context: h.Context, Attempts: []attemptReport{},
		Limits: limitsReport{
			TextureSize: info.Limits.MaxTextureSize, ArrayLayers: info.Limits.MaxArrayLayers,
			StorageBlock: info.Limits.MaxStorageBlock, StorageBlocks: info.Limits.ComputeStorageBlocks,
			SharedMemory: info.Limits.SharedMemory, Invocations: info.Limits.Invocations,
			TimestampBits: info.Limits.TimestampBits,
		},
	}
	for _, a := range h.Attempts {
		report := attemptReport{Platform: a.Platform, Device: a.Device, Renderer: a.Renderer, Version: a.Version, Chosen: a.Chosen}
		if a.Err != nil {
			report.Error = a.Err.Error()
		}
		r.Attempts = append(r.Attempts, report)
	}
	if v.JSON {
		return console.WriteJSON(s.Stdout, r)
	}

	software := ""
	if r.Software {
		software = " (software: it runs on the processor)"
	}
	rows := [][2]string{
		{"renderer", r.Renderer + software},
		{"vendor", r.Vendor},
		{"OpenGL", r.Version},
		{"GLSL", r.GLSL},
		{"context", r.Context},
	}
	for _, a := range h.Attempts {
		rows = append(rows, [2]string{"tried", a.String()})
	}
	for _, row := range append(rows,
		[2]string{"texture size", fmt.Sprintf("%d texels a side, %d layers", r.Limits.TextureSize, r.Limits.ArrayLayers)},
		[2]string{"storage block", fmt.Sprintf("%d MiB, %d a compute stage", r.Limits.StorageBlock>>20, r.Limits.StorageBlocks)},
		[2]string{"work group", fmt.Sprintf("%d invocations, %d KiB shared memory", r.Limits.Invocations, r.Limits.SharedMemory>>10)},
	) {
		fmt.Fprintf(s.Stdout, "%-15s%s\n", row[0], row[1])
	}
	return nil
}
