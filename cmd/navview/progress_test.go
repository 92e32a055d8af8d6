package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestVerbsShowProgress: off a terminal verbs that read and make scenes say that they are at work.
// Each waits for its input until it has said so.
func TestVerbsShowProgress(t *testing.T) {
	for name, c := range map[string]struct {
		want string
		args []string
	}{
		"validate": {"navview: reading the scene: ", []string{"validate", "-"}},
		"import":   {"navview: convert: ", []string{"convert", "-", "-", "--from", "wkt"}},
		"export":   {"navview: reading the scene: ", []string{"convert", "-", os.DevNull + ".wkt"}},
	} {
		want, args := c.want, c.args
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := exec.Command(os.Args[0], args...)
			c.Env = append(os.Environ(), beNavview+"=1", beTalkative+"=1")
			in, err := c.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			said, err := c.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			line, _ := bufio.NewReader(said).ReadString('\n')
			if !strings.HasPrefix(line, want) || !strings.HasSuffix(line, "s so far\n") {
				t.Errorf("got %q", line)
			}
			_ = in.Close()
			_ = c.Wait() // fails: nothing is no scene
		})
	}
}
