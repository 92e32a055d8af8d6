package traj

import (
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/wayfront/wayfront/agents/measure"
)

// row is a row of a Parquet file: the columns of the CSV. Units: s, m, m/s.
type row struct {
	Frame int32   `parquet:"frame,delta"`
	Time  float64 `parquet:"time,dict"`
	ID    int32   `parquet:"id,delta"`
	X     float64 `parquet:"x"`
	Y     float64 `parquet:"y"`
	VX    float32 `parquet:"vx"`
	VY    float32 `parquet:"vy"`
	Group string  `parquet:"group,dict"`
}

// rowsOfGroup is the number of rows that are compressed together, some 40 MB of them: whole groups
// are what readers skip by.
const rowsOfGroup = 1 << 20

type parquetWriter struct {
	to     *parquet.GenericWriter[row]
	run    Run
	frames int // written so far
	rows   []row
}

func newParquet(to io.Writer) Writer {
	return &parquetWriter{to: parquet.NewGenericWriter[row](to, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowsOfGroup))}
}

func (p *parquetWriter) Begin(r Run) error {
	p.run = r
	p.to.SetKeyValueMetadata("scene", r.Scene.Name)
	p.to.SetKeyValueMetadata("fps", number(r.rate()))
	text, err := groundAt(r.Scene, 0)
	p.to.SetKeyValueMetadata("geometry", text)
	return err
}

func (p *parquetWriter) Frame(f measure.Frame) error {
	p.rows = p.rows[:0]
	for _, w := range f.Walkers {
		p.rows = append(p.rows, row{
			int32(p.frames), rounded(f.Time), int32(w.ID), w.At[0], w.At[1],
			float32(w.Velocity[0]), float32(w.Velocity[1]), p.run.Scene.Groups[w.Group].ID,
		})
	}
	p.frames++
	_, err := p.to.Write(p.rows)
	return err
}

func (p *parquetWriter) End(complete bool) error {
	if !complete {
		return nil
	}
	p.to.SetKeyValueMetadata("frames", strconv.Itoa(p.frames))
	return p.to.Close()
}

// rounded is a time without the rounding errors of a multiple of the time step.
func rounded(time float64) float64 { return math.Round(time*1e9) / 1e9 }
