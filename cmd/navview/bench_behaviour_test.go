package main

import (
	"encoding/json"
	"testing"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
)

// TestBenchBehaviour: runs to the end agree with simulate, and differ where they have to.
func TestBenchBehaviour(t *testing.T) {
	a := navview(t, "bench", "avoidance", "--behaviour", "--cases", "robots,evac-50", "--methods", "none", "--json").done(t)
	var r bench.Report
	if err := json.Unmarshal([]byte(a.stdout), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 4 {
		t.Fatalf("%d results", len(r.Results))
	}
	for i, got := range r.Results {
		name, agents := []string{"robots", "evac-50"}[i/2], []int{24, 50}[i/2]
		if got.Suite != "behaviour" || got.Case != name || got.Params["agents"] != agents || got.Params["contact_rounds"] != 16*(1-i%2) || got.Checks["arrived"] != float64(agents) {
			t.Errorf("%+v", got)
		}
	}
	var report simulation.Report
	if err := json.Unmarshal([]byte(navview(t, "simulate", "evac-50", "--avoidance", "none", "--report", "-").done(t).stdout), &report); err != nil {
		t.Fatal(err)
	}
	evac := r.Results[2]
	if evac.Params["steps"] != report.Steps || evac.Checks["last_arrival_s"] != *report.LastArrival || evac.Checks["agent_contacts"] != float64(report.AgentContacts) {
		t.Errorf("%+v is not what simulate says: %+v", evac, report)
	}
	// Two doors of 5 m, which 50 people pass in less than the run.
	if flow := evac.Measures["flow"]; flow < 50/10/report.Simulated || flow > 50 {
		t.Errorf("%v people a second and meter", flow)
	}
	if len(r.Results[0].Measures) != 0 {
		t.Errorf("nothing is watched among robots: %v", r.Results[0].Measures)
	}
	if table := navview(t, "bench", "avoidance", "--behaviour", "--cases", "robots", "--methods", "none").done(t).stdout; table == "" {
		t.Error("no table")
	}
}
