package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// Row is a run of a study as the files of results have it: what it was, and its report. The hash is
// that of the scene under the variant, its seed included. Where Error is not empty, the run failed
// and the report is empty.
type Row struct {
	Run     int32  `json:"run" parquet:"run"`
	Variant string `json:"variant" parquet:"variant,dict"`
	Hash    string `json:"scene_hash" parquet:"scene_hash"`
	Error   string `json:"error,omitempty" parquet:"error"`
	simulation.Report
}

// Shard is a part of the runs of a plan: those whose index is Index modulo Count.
type Shard struct {
	Plan         *Plan
	Index, Count int
	Folder       string // of the results
}

// file returns the path of a run's result.
func (s Shard) file(run int) string {
	return filepath.Join(s.Folder, "runs", fmt.Sprintf("%07d.json", run))
}

// Do makes the runs of the shard that have no result yet, and then the shard's file of results,
// results-INDEX-of-COUNT.parquet. It returns how many runs there are, how many of them this call
// has made, and how many failed. A result counts where it is of the same scene: a plan that was
// changed is run anew where it differs.
func (s Shard) Do(c *console.Session, d *gpu.Device) (all, made, failed int, err error) {
	if err := os.MkdirAll(filepath.Join(s.Folder, "runs"), 0o777); err != nil {
		return 0, 0, 0, err
	}
	var rows []Row
	bar := console.NewProgress(c.Stderr, "runs", (s.Plan.Runs()-s.Index+s.Count-1)/s.Count)
	defer bar.Done()
	for index := s.Index; index < s.Plan.Runs(); index += s.Count {
		run, err := s.Plan.Run(index)
		row, done := s.result(run)
		if invalid := (*scenes.Invalid)(nil); errors.As(err, &invalid) {
			row, done, err = Row{Run: int32(index), Variant: run.Variant, Error: err.Error()}, true, nil
		}
		if err == nil && !done {
			made++
			row, err = s.run(d, run)
		}
		if err != nil {
			return all, made, failed, err
		}
		if row.Error != "" {
			c.Note("run %d: %s", index, row.Error)
			failed++
		}
		rows = append(rows, row)
		bar.Step()
	}
	name := fmt.Sprintf("results-%d-of-%d.parquet", s.Index, s.Count)
	return len(rows), made, failed, console.WriteFile(filepath.Join(s.Folder, name), nil, func(w io.Writer) error { return parquet.Write(w, rows) })
}

// result returns the result of a run that an earlier call has made.
func (s Shard) result(run Run) (row Row, done bool) {
	data, err := os.ReadFile(s.file(run.Index))
	if err != nil || json.Unmarshal(data, &row) != nil {
		return Row{}, false
	}
	return row, run.Hash != "" && row.Hash == run.Hash && row.Variant == run.Variant
}

// run makes a run and keeps its result. An error of the device ends the shard, one of the scene is
// the result.
func (s Shard) run(d *gpu.Device, run Run) (row Row, err error) {
	row = Row{Run: int32(run.Index), Variant: run.Variant, Hash: run.Hash}
	report, err := s.simulate(d, run)
	var lost *gpu.ContextError
	switch {
	case errors.As(err, &lost):
		return row, err
	case err != nil:
		row.Error = err.Error()
		row.Scene, row.Seed = run.Scene.Name, run.Scene.Simulation.Seed
	default:
		row.Report = report
	}
	return row, console.WriteFile(s.file(run.Index), nil, func(w io.Writer) error { return json.NewEncoder(w).Encode(row) })
}

func (s Shard) simulate(d *gpu.Device, run Run) (simulation.Report, error) {
	sim, err := simulation.Open(d, run.Scene, io.Discard) // the shard has a bar
	if err != nil {
		return simulation.Report{}, err
	}
	defer sim.Close()
	var duration *time.Duration
	if s.Plan.Duration > 0 {
		t := time.Duration(s.Plan.Duration * float64(time.Second))
		duration = &t
	}
	if err := sim.Run(duration, nil, io.Discard); err != nil {
		return simulation.Report{}, err
	}
	return sim.Report(), nil
}
