package main

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestQueryForms: points of the command line come after those of the file, and CSV and JSON say the
// same.
func TestQueryForms(t *testing.T) {
	args := []string{"query", room, "--points", "-", "--at", "-3,4", "--at", "102, -46", "--path"}
	stdin := "x,y\n105,-42\n109,-45\n"
	a := call{args: args, stdin: stdin}.run(t).done(t)
	records, err := csv.NewReader(strings.NewReader(a.stdout)).ReadAll()
	if err != nil || len(records) != 5 {
		t.Fatalf("%v\n%s", err, a.stdout)
	}
	b := call{args: append(args, "--json"), stdin: stdin}.run(t).done(t)
	var answers []struct {
		X, Y     float64
		Distance *float64
		ParentX  *float64 `json:"parent_x"`
		ParentY  *float64 `json:"parent_y"`
		State    string
		Path     [][2]float64
	}
	if err := json.Unmarshal([]byte(b.stdout), &answers); err != nil || len(answers) != 4 {
		t.Fatalf("%v\n%s", err, b.stdout)
	}
	text := func(v *float64) string {
		if v == nil {
			return ""
		}
		return decimal(*v)
	}
	for i, r := range records[1:] {
		a := answers[i]
		distance := text(a.Distance)
		if distance == "" {
			distance = map[string]string{"unreached": "inf", "obstacle": "nan"}[a.State]
		}
		if got := []string{decimal(a.X), decimal(a.Y), distance, text(a.ParentX), text(a.ParentY)}; !slices.Equal(got, r[:5]) {
			t.Errorf("JSON has %v, CSV %v", got, r)
		}
		if points := strings.Count(r[5], ",") + 1; (a.State == "reached") != (len(a.Path) == points && points > 1) {
			t.Errorf("JSON has the path %v, CSV %s", a.Path, r[5])
		}
	}
	if again := (call{args: []string{"query", room, "--points", "-", "--path"}, stdin: a.stdout}).run(t).done(t); again.stdout != a.stdout {
		t.Errorf("its own output is answered\n%s\nwhere it is\n%s", again.stdout, a.stdout)
	}
	if none := (call{args: []string{"query", room, "--points", "-", "--json"}, stdin: "x,y\n"}).run(t).done(t); strings.Join(strings.Fields(none.stdout), "") != "[]" {
		t.Errorf("without points: %s", none.stdout)
	}
}

// decimal formats a number of the room's size as CSV does.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
