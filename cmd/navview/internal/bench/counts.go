package bench

import (
	"fmt"
	"io"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu"
)

// passCount is what a pass did in a run, a gpu.PassCount.
type passCount struct {
	Name       string `json:"pass"`
	Dispatches int64  `json:"dispatches"`
	Groups     int64  `json:"work_groups"`
	Draws      int64  `json:"draws"`
	Barriers   int64  `json:"barriers"`
	Bytes      int64  `json:"bytes"`
}

// countsOf returns what passes did since the device's counts were reset.
func countsOf(d *gpu.Device) (counts []passCount) {
	for _, c := range d.Counts() {
		counts = append(counts, passCount(c))
	}
	return counts
}

// writeCounts prints the counts of results, with their sums.
func writeCounts(w io.Writer, report Report) {
	row := func(name string, c passCount) {
		fmt.Fprintf(w, "%-40s", name)
		for _, n := range []int64{c.Dispatches, c.Groups, c.Draws, c.Barriers, c.Bytes} {
			fmt.Fprintf(w, "%16s", console.Figure(float64(n)))
		}
		fmt.Fprintln(w)
	}
	title := "\npasses of the last run of each case: work groups are those of direct dispatches, bytes the sizes of all buffers and textures given\n"
	for _, r := range report.Results {
		if len(r.Counts) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s\n%-40s%16s%16s%16s%16s%16s\n", title, r.Case+", "+report.By(r.Method), "dispatches", "work groups", "draws", "barriers", "bytes")
		title = ""
		var sum passCount
		for _, c := range r.Counts {
			row("  "+c.Name, c)
			sum.Dispatches, sum.Groups, sum.Draws, sum.Barriers, sum.Bytes = sum.Dispatches+c.Dispatches, sum.Groups+c.Groups, sum.Draws+c.Draws, sum.Barriers+c.Barriers, sum.Bytes+c.Bytes
		}
		row("  all", sum)
	}
}
