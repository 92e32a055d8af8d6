package dxf

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// group is a value and the code that says what it means.
type group struct {
	code  int
	value string
	at    int // offset of the value
}

// record is what begins with code 0: an entity, a table's entry, the begin or end of something.
type record struct {
	kind   string
	at     int
	groups []group
}

// records returns what a file consists of. The header is a record SECTION with its variables.
func records(in *plan.Source) (all []record) {
	if bytes.HasPrefix(in.Data, []byte("AutoCAD Binary DXF")) {
		in.Fail(0, "the file is binary DXF: save it as ASCII DXF")
	}
	at := 0
	line := func() (string, int) {
		begin := at
		end := bytes.IndexByte(in.Data[at:], '\n')
		if end < 0 {
			end = len(in.Data) - at
		}
		at = min(at+end+1, len(in.Data))
		return string(bytes.TrimSpace(in.Data[begin : begin+end])), begin
	}
	for at < len(in.Data) && in.Err == nil {
		word, begin := line()
		if word == "" && at == len(in.Data) {
			break
		}
		code, err := strconv.Atoi(word)
		if err != nil {
			in.Fail(begin, "%s is no group code: a DXF file has a whole number on every other line", text.Quote(word))
			break
		}
		g := group{code: code}
		if g.value, g.at = line(); code == 0 {
			if g.value == "EOF" {
				return all
			}
			all = append(all, record{kind: g.value, at: g.at})
		} else if len(all) > 0 {
			last := &all[len(all)-1]
			last.groups = append(last.groups, g)
		} // else it is a comment (999) ahead of all
	}
	return all
}

// value is the first value of a code; "" where there is none.
func (e *record) value(code int) string {
	for _, g := range e.groups {
		if g.code == code {
			return g.value
		}
	}
	return ""
}

// number is the first number of a code, or else the usual one.
func (r *reader) number(e *record, code int, usual float64) float64 {
	for _, g := range e.groups {
		if g.code == code {
			return r.parsed(g)
		}
	}
	return usual
}

// flag is a bit of the first number of a code.
func (r *reader) flag(e *record, code, bit int) bool {
	return int(r.number(e, code, 0))&bit != 0
}

// parsed is the number that a group has, or fails.
func (r *reader) parsed(g group) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(g.value), 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || math.Abs(v) > text.Largest {
		r.Fail(g.at, "%s is no number from -%.0g to %.0g, which group %d needs", text.Quote(g.value), text.Largest, text.Largest, g.code)
		return 0
	}
	return v
}
