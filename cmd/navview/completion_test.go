package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/scenes"
)

// TestCompletion: words become what may come next, files where one may.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string // all, or with ... some
	}{
		{[]string{"rec"}, "/ record"},
		{[]string{"s"}, "/ simple simple1 simple2 simulate spiral ..."},
		{[]string{"render", "pla"}, "/ plaza"},
		{[]string{"render", "plaza", "--pal"}, "--palette"},
		{[]string{"render", "plaza", "--palette", ""}, "calm distance paper"},
		{[]string{"render", "plaza", "--palette", "=", "ca"}, "calm"},
		{[]string{"render", "--palette=p"}, "--palette=paper"},
		{[]string{"render", "--verbose", "pla"}, "/ plaza"},
		{[]string{"render", "--palette", "calm", "pla"}, "/ plaza"},
		{[]string{"render", "plaza", "mo"}, ""},
		{[]string{"render", "plaza", "-o", "a"}, "/"},
		{[]string{"map", "plaza", "--layers", "regions,is"}, "regions,isolines"},
		{[]string{"validate", "plaza", "spi"}, "/ spiral"},
		{[]string{"bench", ""}, "all avoidance bvp spm"},
		{[]string{"bench", "spm", "--me"}, "--methods"},
		{[]string{"convert", "plaza", "o"}, "/"},
		{[]string{"simulate", "plaza", "--avoidance", ""}, strings.Join(slices.Sorted(slices.Values(scenes.Avoidances())), " ")},
		{[]string{"completion", ""}, "bash fish zsh"},
		{[]string{"--ver"}, "--verbose --version"},
		{[]string{}, "/ ..."},
	} {
		a := navview(t, append([]string{"completion", "words", "--"}, c.words...)...).done(t)
		got, want := strings.Fields(a.stdout), strings.Fields(c.want)
		if n := len(want); n > 0 && want[n-1] == "..." {
			want = want[:n-1]
			got = slices.DeleteFunc(got, func(word string) bool { return !slices.Contains(want, word) })
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", c.words, got, want)
		}
	}
}

// TestCompletionInBash runs the script in bash.
func TestCompletionInBash(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(folder, "navview")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "plan b.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p := exec.Command("bash", "--norc", "-c", `source <(navview completion bash)
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _navview; printf '[%s]' "${COMPREPLY[@]}"; echo; }
try navview render pla
try navview render plaza --palette ca
try navview render plaza --palette = p
try navview rend`)
	p.Dir = folder
	p.Env = append(os.Environ(), beNavview+"=1", "PATH="+folder+":"+os.Getenv("PATH"))
	var stderr bytes.Buffer
	p.Stderr = &stderr
	out, err := p.Output()
	if want := "[plaza][plan b.json]\n[calm]\n[paper]\n[render]\n"; err != nil || string(out) != want || stderr.Len() > 0 {
		t.Errorf("%v, %s, want %s%s", err, out, want, &stderr)
	}
	for _, shell := range []string{"zsh", "fish"} {
		if a := navview(t, "completion", shell).done(t); !strings.Contains(a.stdout, "navview completion words -- ") {
			t.Errorf("%s: %s", shell, a.stdout)
		}
	}
	if a := navview(t, "completion", "tcsh"); a.status != statusUsage || !strings.Contains(a.stderr, "bash") {
		t.Errorf("tcsh: %+v", a)
	}
}
