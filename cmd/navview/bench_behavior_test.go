package main

import (
	"encoding/json"
	"testing"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
)

// TestBenchBehavior: runs to the end agree with simulate, and differ where they have to.
func TestBenchBehavior(t *testing.T) {
	a := navview(t, "bench", "avoidance", "--behavior", "--cases", "robots,evac-50", "--methods", "none", "--json").done(t)
	var r report.Report
	if err := json.Unmarshal([]byte(a.stdout), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 4 {
		t.Fatalf("%d results", len(r.Results))
	}
	for i, got := range r.Results {
		name, agents := []string{"robots", "evac-50"}[i/2], []int{24, 50}[i/2]
		if got.Suite != "behavior" || got.Case != name || got.Params["agents"] != agents || got.Params["contact_rounds"] != 16*(1-i%2) || got.Checks["arrived"] != float64(agents) {
			t.Errorf("%+v", got)
		}
	}
	var run simulation.Report
	if err := json.Unmarshal([]byte(navview(t, "simulate", "evac-50", "--avoidance", "none", "--report", "-").done(t).stdout), &run); err != nil {
		t.Fatal(err)
	}
	evac := r.Results[2]
	if evac.Params["steps"] != run.Steps || evac.Checks["last_arrival_s"] != *run.LastArrival || evac.Checks["agent_contacts"] != float64(run.AgentContacts) {
		t.Errorf("%+v is not what simulate says: %+v", evac, run)
	}
	// Two doors of 5 m, which 50 people pass in less than the run.
	if flow := evac.Measures["flow"]; flow < 50/10/run.Simulated || flow > 50 {
		t.Errorf("%v people a second and meter", flow)
	}
	if len(r.Results[0].Measures) != 0 {
		t.Errorf("nothing is watched among robots: %v", r.Results[0].Measures)
	}
	if table := navview(t, "bench", "avoidance", "--behavior", "--cases", "robots", "--methods", "none").done(t).stdout; table == "" {
		t.Error("no table")
	}
}
