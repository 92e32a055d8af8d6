package studio

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/edit"
)

// filed gives a studio the room as a file in a folder that goes.
func (s *Studio) filed(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "room.json")
	if err := os.WriteFile(file, []byte(room), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Doc = edit.Opened(file, []byte(room))
	return file
}

func TestSaveKeepsComments(t *testing.T) {
	with(t, room, func(s *Studio) {
		file := s.filed(t)
		s.drag(t, s.at(8.5, 3), s.at(9, 3), s.at(10.5, 3))
		if err := s.Save(""); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		want := strings.Replace(room, "[8, 0, 9, 6]", "[10, 0, 11, 6]", 1)
		if err != nil || string(got) != want {
			t.Errorf("%v:\n%s", err, got)
		}
		if !s.Doc.Saved() {
			t.Error("the document counts as not saved")
		}
	})
}

func TestSaveTakesWhatOthersWrote(t *testing.T) {
	with(t, room, func(s *Studio) {
		file := s.filed(t)
		s.drag(t, s.at(8.5, 3), s.at(9, 3), s.at(10.5, 3))
		theirs := strings.Replace(room, `"count": 8`, `"count": 9`, 1)
		if err := os.WriteFile(file, []byte(theirs), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.Save(""); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(file)
		if want := strings.Replace(theirs, "[8, 0, 9, 6]", "[10, 0, 11, 6]", 1); string(got) != want {
			t.Errorf("got\n%s", got)
		}
		if n := s.World().Document().Groups[0].Count; n != 9 {
			t.Errorf("the world has %d agents", n)
		}
	})
}

func TestRecovery(t *testing.T) {
	with(t, room, func(s *Studio) {
		s.filed(t)
		s.KeepRecovery()
		if _, err := os.Stat(s.recoveryFile()); err == nil {
			t.Fatal("there is a copy of what has not changed")
		}
		if err := s.Change("seed", func(to *scenes.Scene) { to.Simulation.Seed = 7 }); err != nil {
			t.Fatal(err)
		}
		s.KeepRecovery()
		changed := string(s.Doc.Text())
		s.Doc, s.kept = edit.Opened(s.Doc.File(), []byte(room)), nil // as after a crash
		if err := s.Recover(); err != nil {
			t.Fatal(err)
		}
		if string(s.Doc.Text()) != changed || s.Scene().Simulation.Seed != 7 {
			t.Errorf("recovered\n%s", s.Doc.Text())
		}
		if err := s.Go(0); err != nil || string(s.Doc.Text()) != room {
			t.Errorf("undone: %v\n%s", err, s.Doc.Text())
		}
		if err := s.Save(""); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(s.recoveryFile()); err == nil {
			t.Error("the copy stays after the document was saved")
		}
	})
}

// killed is the variable of a process that edits a file until it is killed.
const killed = "WAYFRONT_TEST_KILLED"

// editUntilKilled changes the seed of a file's scene, one gesture after the other, and says so on
// standard output, as a window does between frames; now and then it saves.
func editUntilKilled(file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	s := &Studio{Doc: edit.Opened(file, text)}
	for n := 1; ; n++ {
		if err := s.Doc.Change("seed", func(to *scenes.Scene) error { to.Simulation.Seed = uint64(n); return nil }); err != nil {
			panic(err)
		}
		s.KeepRecovery()
		if n%5 == 0 {
			if err := s.Save(""); err != nil {
				panic(err)
			}
		}
		fmt.Println(n)
	}
}

// TestKilled: a process that is killed at any moment loses no more than the gesture that was going on,
// and leaves a file that is whole.
func TestKilled(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 2))
	with(t, room, func(s *Studio) {
		recovered := 0
		for range 12 {
			file := s.filed(t)
			p := exec.Command(os.Args[0])
			p.Env = append(os.Environ(), killed+"="+file)
			out, err := p.StdoutPipe()
			ok(t, err)
			ok(t, p.Start())
			lines, done := bufio.NewScanner(out), 0
			for range 1 + random.IntN(40) {
				lines.Scan()
			}
			time.Sleep(time.Duration(random.IntN(1000)) * time.Microsecond)
			ok(t, p.Process.Kill())
			for more := true; more; more = lines.Scan() { // what it had said until then
				_, err := fmt.Sscan(lines.Text(), &done)
				ok(t, err)
			}
			_, _ = io.Copy(io.Discard, out)
			_ = p.Wait()
			text, err := os.ReadFile(file)
			ok(t, err)
			s.Doc = edit.Opened(file, text)
			ok(t, s.Recover())
			if got := s.Scene().Simulation.Seed; !s.Doc.Sound() || got < uint64(done) || got > uint64(done)+1 {
				t.Errorf("killed after change %d: change %d is back, %v", done, got, s.Doc.Problems())
			}
			if all, _ := s.Doc.History(); len(all) > 0 {
				recovered++
			}
		}
		if recovered < 6 {
			t.Errorf("a recovery copy was taken %d times of 12", recovered)
		}
	})
}
