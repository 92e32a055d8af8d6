package traj

import (
	"database/sql"
	"errors"
	"hash/fnv"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	_ "modernc.org/sqlite" // the driver

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/wkt"
)

// sqliteSchema is version 2 of JuPedSim's trajectory files, with a table of groups and the velocity
// beside the orientation, which other readers pass over.
const sqliteSchema = `
CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT NULL,
  ori_x REAL NOT NULL, ori_y REAL NOT NULL, vel_x REAL NOT NULL, vel_y REAL NOT NULL);
CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
CREATE TABLE agent_groups(id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL);
`

// sqliteWriter writes a database in a temporary file, which End copies to the output. Beside
// JuPedSim's metadata (version, fps, xmin, xmax, ymin, ymax) it has the scene's name.
type sqliteWriter struct {
	to       io.Writer
	path     string
	db       *sql.DB
	tx       *sql.Tx
	insert   *sql.Stmt
	scene    *scenes.Scene
	frames   int // written so far
	geometry int64
	heading  map[int]mgl64.Vec2 // of each agent, where it last moved to
	groupOf  map[int]int
}

func newSQLite(to io.Writer) Writer {
	return &sqliteWriter{to: to, heading: map[int]mgl64.Vec2{}, groupOf: map[int]int{}}
}

func (s *sqliteWriter) Begin(r Run) error {
	s.scene = r.Scene
	file, err := os.CreateTemp("", "wayfront-*.sqlite")
	if err != nil {
		return err
	}
	s.path = file.Name()
	if err := file.Close(); err != nil {
		return err
	}
	// The file is thrown away if writing fails, so that it needs no journal.
	if s.db, err = sql.Open("sqlite", s.path+"?_pragma=journal_mode(off)&_pragma=synchronous(off)"); err != nil {
		return err
	}
	if s.tx, err = s.db.Begin(); err != nil {
		return err
	}
	if _, err := s.tx.Exec(sqliteSchema); err != nil {
		return err
	}
	lo, hi := r.Scene.Min(), r.Scene.Max()
	for _, row := range [][2]string{
		{"version", "2"},
		{"fps", number(r.rate())},
		{"xmin", number(lo[0])},
		{"xmax", number(hi[0])},
		{"ymin", number(lo[1])},
		{"ymax", number(hi[1])},
		{"scene", r.Scene.Name},
	} {
		if _, err := s.tx.Exec("INSERT INTO metadata VALUES(?, ?)", row[0], row[1]); err != nil {
			return err
		}
	}
	s.insert, err = s.tx.Prepare("INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?, ?, ?)")
	return err
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (s *sqliteWriter) Frame(f measure.Frame) error {
	if err := s.ground(f.Time); err != nil {
		return err
	}
	if _, err := s.tx.Exec("INSERT INTO frame_data VALUES(?, ?)", s.frames, s.geometry); err != nil {
		return err
	}
	for _, w := range f.Walkers {
		heading, known := s.heading[w.ID]
		if !known {
			heading = mgl64.Vec2{1, 0}
			s.groupOf[w.ID] = w.Group
		}
		if w.Velocity.Len() > 0 {
			heading = w.Velocity.Normalize()
		}
		s.heading[w.ID] = heading
		if _, err := s.insert.Exec(s.frames, w.ID, w.At[0], w.At[1], heading[0], heading[1], w.Velocity[0], w.Velocity[1]); err != nil {
			return err
		}
	}
	s.frames++
	return nil
}

// ground adds the walkable ground at a time where it is another than before.
func (s *sqliteWriter) ground(time float64) error {
	if s.frames > 0 {
		changes := false
		for _, o := range s.scene.Obstacles {
			changes = changes || o.Timed()
		}
		if !changes {
			return nil
		}
	}
	text, err := groundAt(s.scene, time)
	if err != nil {
		return err
	}
	h := fnv.New64a()
	_, _ = io.WriteString(h, text) // a hash takes everything
	s.geometry = int64(h.Sum64() & math.MaxInt64)
	_, err = s.tx.Exec("INSERT OR IGNORE INTO geometry VALUES(?, ?)", s.geometry, text)
	return err
}

// groundAt returns the free ground at a time as well-known text.
func groundAt(s *scenes.Scene, time float64) (string, error) {
	still := *s
	still.Obstacles = nil
	for _, o := range s.Obstacles {
		if o.PresentAt(time) {
			p := o.PolygonAt(time)
			shape := scenes.Obstacle{Outline: p.Outer}
			for _, hole := range p.Holes {
				shape.Holes = append(shape.Holes, hole)
			}
			still.Obstacles = append(still.Obstacles, shape)
		}
	}
	data, _, err := wkt.Format.Write(&still)
	return strings.TrimSpace(string(data)), err
}

func (s *sqliteWriter) End(complete bool) (err error) {
	if s.path == "" {
		return nil // Begin failed before there was a file
	}
	defer func() { err = errors.Join(err, os.Remove(s.path)) }()
	if s.db == nil {
		return nil
	}
	if complete {
		err = s.finish()
	} else if s.tx != nil {
		err = s.tx.Rollback()
	}
	err = errors.Join(err, s.db.Close())
	if !complete || err != nil {
		return err
	}
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	_, err = io.Copy(s.to, file)
	return errors.Join(err, file.Close())
}

// finish adds the groups of the agents and commits.
func (s *sqliteWriter) finish() error {
	for id, group := range s.groupOf {
		if _, err := s.tx.Exec("INSERT INTO agent_groups VALUES(?, ?)", id, s.scene.Groups[group].ID); err != nil {
			return err
		}
	}
	return s.tx.Commit()
}
