package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// Exit statuses.
const (
	statusDone   = 0
	statusFailed = 1
	statusUsage  = 2
)

func main() {
	// OpenGL contexts and GLFW belong to one thread: the one that runs main.
	runtime.LockOSThread()
	go console.HandleSignals()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// program is the command tree, in the order of the help.
type program struct {
	viewerVerbs

	List     listVerb     `cmd:"" help:"List the built-in scenes."`
	New      newVerb      `cmd:"" help:"Write a commented scene to begin with."`
	Schema   schemaVerb   `cmd:"" help:"Print the JSON Schema of scenes."`
	Info     infoVerb     `cmd:"" help:"Show the renderer, its limits, and how a context was made."`
	Validate validateVerb `cmd:"" help:"Name every problem of scene files."`
	Convert  convertVerb  `cmd:"" help:"Make a scene of a file in another format."`
	Render   renderVerb   `cmd:"" help:"Draw one picture of a scene."`
	Record   recordVerb   `cmd:"" help:"Film a scene."`
	Map      mapVerb      `cmd:"" help:"Write a goal's shortest path map as an array or a picture."`
	Query    queryVerb    `cmd:"" help:"Answer exact distances and paths from points."`
	Simulate simulateVerb `cmd:"" help:"Run a scene without drawing it, and say what happened."`
	Measure  measureVerb  `cmd:"" help:"Measure density, flow and speeds of a scene or of recorded trajectories."`
	Sweep    sweepVerb    `cmd:"" help:"Run a study: scenes, variants and seeds, in shards."`
	Bench    bench.Verb   `cmd:"" help:"Measure how long things take on this device."`

	Completion completionVerb `cmd:"" help:"Print a script that has a shell complete what is typed."`

	Context string `enum:"auto,window,headless" default:"auto" placeholder:"KIND" help:"Where OpenGL runs: ${enum}. auto: a window for the viewer, headless for the rest."`
	Verbose bool   `help:"Report the renderer and GPU times on standard error."`

	Version kong.VersionFlag `help:"Print the version, and end."`
}

const description = `Shortest path maps and crowds on the GPU.

SCENE is a file, "-" for standard input, or the name of a built-in scene (navview list).
Times are 12, 12s or 1m30s.
Exit status: 0 done, 1 the work failed, 2 wrong usage, 128 + n ended by signal n.`

// run runs the program and returns its exit status. Every verb fails if standard output fails.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &console.Stream{To: stdout}
	status, err := do(args, stdin, out, stderr)
	console.Ending.Lock()
	defer console.Ending.Unlock()
	switch out.Close(); {
	case errors.Is(out.Err, syscall.EPIPE):
		return 128 + int(syscall.SIGPIPE) // as any program whose reader has enough
	case out.Err != nil:
		status, err = statusFailed, fmt.Errorf("cannot write to standard output: %w", out.Err)
	}
	if err != nil {
		console.Report(stderr, err)
	}
	return status
}

// do parses the arguments and runs the verb. The error is not printed yet.
func do(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int, err error) {
	type exit int
	defer func() {
		// kong ends --help by Exit, which must not return.
		if r := recover(); r != nil {
			code, ok := r.(exit)
			if !ok {
				panic(r)
			}
			status = int(code)
		}
	}()

	var p program
	parser := kong.Must(&p,
		kong.Name("navview"),
		kong.Description(description),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.ValueFormatter(withDefault),
		timeFlags(),
		kong.Vars{"layers": strings.Join(render.LayerNames(), ", "), "maplayers": mapLayers.String(), "scene": builtin.Default, "version": version()},
		kong.Vars{"avoidances": strings.Join(scenes.Avoidances(), ", "), "methods": strings.Join(scenes.Avoidances()[1:], ",")},
		formatVars,
		trajectoryVars,
	)

	ctx, err := parser.Parse(negatives(args))
	if err != nil {
		help := "navview --help"
		var parse *kong.ParseError
		if errors.As(err, &parse) && parse.Context != nil && parse.Context.Selected() != nil && parse.Context.Selected().Name != "view" {
			help = parse.Context.Selected().FullPath() + " --help"
		}
		if len(args) > 0 {
			if unknown := unknownWord(args[0], parser.Model); unknown != nil {
				return statusUsage, unknown
			}
		}
		return statusUsage, fmt.Errorf("%s\nsee %s", plainly(err), help)
	}

	s := &console.Session{Stdin: stdin, Stdout: stdout, Stderr: stderr, Context: p.Context, Verbose: p.Verbose}
	err = ctx.Run(s, parser.Model)
	var usage *console.UsageError
	switch {
	case err == nil:
		return statusDone, nil
	case errors.Is(err, console.ErrReported):
		return statusFailed, nil
	case errors.As(err, &usage):
		return statusUsage, err
	default:
		return statusFailed, err
	}
}
