package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/explore"
	"github.com/wayfront/wayfront/bvp/harmonic"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/shaders"
	"github.com/wayfront/wayfront/spm"
)

// everyProgram lists every program of the tree with every set of defines it is built with.
func everyProgram() []gpu.PassInfo {
	return slices.Concat(spm.Passes(), local.Passes(), harmonic.Passes(), explore.Passes(), engine.Passes(), agents.Passes(), render.Passes(), []gpu.PassInfo{bench.ExhaustiveInfo(1)})
}

// TestEveryShaderHasAProgram: what the packages' own tests compile is every stage file there is.
func TestEveryShaderHasAProgram(t *testing.T) {
	var used []string
	for _, s := range everyProgram() {
		used = append(used, s.Stages...)
	}
	for _, name := range shaders.Names() {
		if !slices.Contains(used, name) {
			t.Errorf("%s belongs to no program", name)
		}
	}
}

// TestEveryShaderIsBounded: docs/dispatches.md says of every shader, once, how long a dispatch or a
// draw takes; and what is more than the budgets of dispatches and invocations is also under what
// can take longer.
func TestEveryShaderIsBounded(t *testing.T) {
	page, err := os.ReadFile("../../docs/dispatches.md")
	if err != nil {
		t.Fatal(err)
	}
	tables, longer, _ := strings.Cut(string(page), "## What can take longer")
	var rows []string
	name := regexp.MustCompile("`([a-z]+/[a-z.]+)`")
	bounds := regexp.MustCompile(`\| 2\^(\d+) \| 2\^(\d+) \|`)
	for row := range strings.Lines(tables) {
		if !strings.HasPrefix(row, "| `") {
			continue
		}
		turns := bounds.FindStringSubmatch(row)
		for _, n := range name.FindAllStringSubmatch(row, -1) {
			stage := n[1] + ".glsl"
			if !strings.Contains(n[1], ".") {
				stage = n[1] + ".comp.glsl"
			}
			rows = append(rows, stage)
			if turns == nil {
				if strings.Contains(stage, ".comp.") {
					t.Errorf("%s has no bounds", stage)
				}
				continue
			}
			one, _ := strconv.Atoi(turns[1])
			all, _ := strconv.Atoi(turns[2])
			if 1<<all > gpu.Budget || 1<<one > gpu.LongestInvocation && !strings.Contains(longer, "`"+n[1]+"`") {
				t.Errorf("%s takes 2^%d turns, an invocation 2^%d", stage, all, one)
			}
		}
	}
	if slices.Sort(rows); !slices.Equal(rows, shaders.Names()) {
		t.Errorf("the tables have %v, want %v", rows, shaders.Names())
	}
}

// TestShadersPassReferenceCompiler runs every stage of every program, with each set of defines that
// it is built with, through the reference compiler of GLSL: it accepts what the language allows,
// where a driver accepts what it can make sense of. Warnings count, and so do two seconds of
// processor time, of which an ordinary stage takes a tenth: what makes one compiler slow may do so
// to another.
func TestShadersPassReferenceCompiler(t *testing.T) {
	compiler, err := exec.LookPath("glslangValidator")
	if err != nil {
		t.Fatalf("%v: install it: apt-get install glslang-tools (Debian, Ubuntu; `make check-shaders` does)", err)
	}
	seen := map[string]bool{}
	for _, program := range everyProgram() {
		sources, err := program.Sources()
		if err != nil {
			t.Fatal(err)
		}
		for i, source := range sources {
			stage := program.Stages[i]
			if seen[source.Text] {
				continue
			}
			seen[source.Text] = true
			t.Run(fmt.Sprintf("%d/%s", len(seen), stage), func(t *testing.T) {
				t.Parallel()
				kind := strings.Split(stage, ".")[1]
				deadline, stop := context.WithTimeout(t.Context(), 20*time.Second)
				defer stop()
				c := exec.CommandContext(deadline, compiler, "--stdin", "-S", kind)
				c.Stdin = strings.NewReader(source.Text)
				output, err := c.CombinedOutput()
				if messages := source.Rewrite(strings.TrimPrefix(string(output), "stdin\n")); err != nil || messages != "" {
					t.Errorf("%v with defines %v:\n%s", err, program.Defines, messages)
				}
				if took := c.ProcessState.UserTime(); took > 2*time.Second {
					t.Errorf("compiling took %v", took)
				}
			})
		}
	}
}
