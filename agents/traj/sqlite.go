//go:build !js && !wasip1

package traj

import (
	"database/sql"
	"errors"
	"hash/fnv"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"
	_ "modernc.org/sqlite" // the driver

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes"
)

// databases are the formats that are databases, whose driver is built for few systems.
var databases = []Format{
	{"sqlite", ".sqlite", "a database as of JuPedSim, which PedPy reads too", newSQLite, readSQLite},
}

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

// readSQLite reads a database as of JuPedSim. Velocities and groups are there where this package has
// written it.
func readSQLite(r *reader) error {
	if _, err := os.Stat(r.path); err != nil { // the driver would make a new file
		return err
	}
	db, err := sql.Open("sqlite", "file:"+r.path+"?mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	var text string
	if err := db.QueryRow("SELECT value FROM metadata WHERE key = 'fps'").Scan(&text); err != nil {
		return r.fail(0, "no rate of frames in the table metadata: %v", err)
	}
	fps, err := strconv.ParseFloat(text, 64)
	if err != nil || !(fps > 0) {
		return r.fail(0, "the rate of frames is %q, not a number above 0", text)
	}
	query := "SELECT frame, id, pos_x, pos_y, 0, 0, '' FROM trajectory_data"
	if db.QueryRow("SELECT count(*) FROM agent_groups").Err() == nil {
		r.moving = true
		query = "SELECT frame, t.id, pos_x, pos_y, vel_x, vel_y, name FROM trajectory_data t JOIN agent_groups g ON g.id = t.id"
	}
	rows, err := db.Query(query)
	if err != nil {
		return r.fail(0, "no trajectories as of JuPedSim: %v", err)
	}
	defer rows.Close()
	for rows.Next() {
		var frame int
		var w measure.Walker
		var group string
		if err := rows.Scan(&frame, &w.ID, &w.At[0], &w.At[1], &w.Velocity[0], &w.Velocity[1], &group); err != nil {
			return r.fail(0, "%v", err)
		}
		w.Group = r.group(group)
		r.add(frame, rounded(float64(frame)/fps), w)
	}
	if err := rows.Err(); err != nil {
		return r.fail(0, "%v", err)
	}
	// Frames without agents, which version 1 of the schema does not list.
	listed, err := db.Query("SELECT frame FROM frame_data")
	if err != nil {
		return nil //nolint:nilerr // version 1
	}
	defer listed.Close()
	for listed.Next() {
		var frame int
		if err := listed.Scan(&frame); err != nil {
			return r.fail(0, "%v", err)
		}
		r.frame(frame, rounded(float64(frame)/fps))
	}
	return listed.Err()
}
