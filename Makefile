# Every target installs what it needs first (Debian and Ubuntu; see .ci/setup).
# The first target is what a bare `make` runs: it prints this list.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

# SCENE: a built-in scene or a file, for `make run SCENE=profiling3`.
SCENE ?= plaza
# BENCH: which benchmarks `make bench` runs, as a regular expression.
BENCH ?= .

# RUNS: of each case of `make benchmarks` that count.
RUNS ?= 5

# TAGS: build tags of bin/navview: headless,egl leaves the viewer out, and with it X, libGL and Dear ImGui.
TAGS ?=
IMGUI := github.com/AllenDang/cimgui-go/imgui

TOOLS := $(CURDIR)/.tools
GOFUMPT := mvdan.cc/gofumpt@v0.12.0
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# A virtual X server for what opens a window, where there is no display. It stays as it is when the last window closes,
# since it refuses connections while it begins anew.
DISPLAYED = $(if $(DISPLAY),,xvfb-run -a -s '-screen 0 1280x1024x24 -noreset')

.PHONY: help
help: ## This list.
	@echo 'Usage: make TARGET'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# Without a display nothing opens a window: the program is built without the viewer, whose bindings of Dear ImGui take
# minutes to compile the first time.
run: TAGS := $(if $(DISPLAY),,headless,egl)

.PHONY: run
run: build ## Open the viewer on SCENE (default: plaza). Without a display, write its picture and film to out/.
	@if [[ -n "$${DISPLAY:-}" ]]; then \
	  exec bin/navview '$(SCENE)'; \
	fi; \
	.ci/setup film; \
	name='$(notdir $(basename $(SCENE)))'; \
	echo "make run: no display (DISPLAY is not set), so no window:"; \
	echo "make run: writing out/$$name.png and out/$$name.mp4 instead."; \
	mkdir -p out; \
	bin/navview render '$(SCENE)' -o "out/$$name.png" --at 12s; \
	bin/navview record '$(SCENE)' -o "out/$$name.mp4" --duration 12s

# The tests of the engine take longest, so they begin first. `make lint` vets.
.PHONY: test
test: ## Run every test, on a virtual display where there is none.
	@.ci/setup build test
	$(DISPLAYED) go test -vet=off -timeout 20m ./engine ./...

.PHONY: endurance
endurance: ## Run the tests that `make test` cuts short at the length that is promised: 100,000 ticks, 10,000 in a journal, 1,000 crafted files.
	@.ci/setup build test
	ENDURANCE=1 $(DISPLAYED) go test -count 1 -v -timeout 30m -run '^(TestEndurance|TestLongJournal|TestRestoreOfCraftedFiles)$$' ./engine

# Packages that run goroutines and need no device, without tests of theirs that repeat for long what others do once.
RACE := -skip 'TestBuilderIsBuild|TestRuleAgainstSlivers|TestIncremental|TestMeetFindsAll' \
	./engine/geom ./engine/geom/internal/arrangement ./cmd/navview/internal/console
# TURNS: tests of calls from many goroutines, which need a device.
TURNS := RandomCalls|Pool|ContextEndsWorld|HeadlessWorlds|TestDo|EditsTakeTurns|WorldOfOneThread|Server
# FUZZTIME: inputs of each of the five targets of `make fuzz`. A time, such as 1m, ends a run that is under way as a failure.
FUZZTIME ?= 40000x

.PHONY: hosts
hosts: ## Build the examples for raylib and Ebitengine, which are modules of their own, and draw 60 frames with each.
	@.ci/setup build test hosts
	@for host in raylib ebitengine; do \
	  echo "make hosts: examples/$$host"; \
	  go build -C examples/$$host -tags x11 -o ../../bin/$$host .; \
	  $(DISPLAYED) bin/$$host -frames 60 | tee /dev/stderr | grep -Eq '^tick [1-9][0-9]*: 400 agents$$'; \
	done

.PHONY: race
race: ## Run the tests of what has goroutines under the race detector.
	@.ci/setup build
	go test -race -timeout 20m $(RACE)
	go test -race -timeout 20m -run '$(TURNS)' ./engine ./examples/server

CROSS := GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc

.PHONY: windows
windows: ## Build every package for Windows but the viewer's, with the compiler of mingw-w64; nothing is run.
	@.ci/setup windows
	$(CROSS) go build -tags headless ./...
	$(CROSS) go build ./engine/... ./examples/...

.PHONY: fuzz
fuzz: ## Feed readers of scenes and files, ground building and the shader loader with random input, FUZZTIME inputs each.
	@.ci/setup build
	go test -run '^$$' -fuzz '^FuzzRead$$' -fuzztime '$(FUZZTIME)' ./scenes
	go test -run '^$$' -fuzz '^FuzzImport$$' -fuzztime '$(FUZZTIME)' ./scenes/formats
	go test -run '^$$' -fuzz '^FuzzSketch$$' -fuzztime '$(FUZZTIME)' ./scenes/formats
	go test -run '^$$' -fuzz '^FuzzBuild$$' -fuzztime '$(FUZZTIME)' ./engine/geom
	go test -run '^$$' -fuzz '^FuzzLoad$$' -fuzztime '$(FUZZTIME)' ./shaders

.PHONY: check-shaders
check-shaders: ## Run every shader, as put together for each program, through the reference compiler of GLSL.
	@.ci/setup build test
	go test -count 1 -run '^TestShadersPassReferenceCompiler$$' ./cmd/navview

.PHONY: test-data
test-data: ## Import, map and check the real worlds in the folder DATA, which are not part of the project.
	@.ci/setup build test
	@if [[ ! -d '$(DATA)/worlds' ]]; then echo "make test-data: give the folder that holds worlds/ and paths/: make test-data DATA=FOLDER" >&2; exit 2; fi
	DATA='$(abspath $(DATA))' go test -tags data -count 1 -v -run '^TestData' ./cmd/navview

.PHONY: docs
docs: ## Write the table of passes in docs/architecture.md, and that of fields in docs/scene-format.md.
	@.ci/setup build
	UPDATE=1 go test -count 1 -run '^(TestPassesPage|TestFormatPage)$$' ./cmd/navview ./scenes

.PHONY: compare
compare: ## Compare states, answers and pictures of all built-in scenes up to 10,000 agents with those of the commit OLD.
	@.ci/setup build test
	@[[ -n '$(OLD)' ]] || { echo "make compare: give the commit to compare with: make compare OLD=HEAD~1" >&2; exit 2; }
	OLD='$(OLD)' go test -tags compare -count 1 -timeout 60m -run '^TestCompare$$' ./cmd/navview

.PHONY: test-drivers
test-drivers: ## Compare the states of built-in scenes on two software drivers (llvmpipe, zink over lavapipe); run the GPU tests on the second.
	@.ci/setup build test drivers
	go test -tags compare -count 1 -timeout 60m -run '^TestDrivers$$' ./cmd/navview
	ZINK_INLINE_UNIFORMS=false LIBGL_ALWAYS_SOFTWARE=true GALLIUM_DRIVER=zink go test -count 1 -timeout 60m ./engine/gpu ./spm/... ./bvp/... ./agents/...

.PHONY: lint
lint: format ## Check formatting (gofumpt), go.mod, golangci-lint with go vet and staticcheck.
	go mod tidy -diff
	go vet -tags headless,egl ./cmd/navview
	$(TOOLS)/golangci-lint run ./...

.PHONY: format
format: $(TOOLS)/gofumpt $(TOOLS)/golangci-lint
	@.ci/setup build
	@unformatted=$$($(TOOLS)/gofumpt -l .); \
	if [[ -n "$$unformatted" ]]; then \
	  echo "make lint: not formatted; run .tools/gofumpt -w on:" >&2; echo "$$unformatted" >&2; exit 1; \
	fi

.PHONY: bench
bench: ## Run the benchmarks that match BENCH (default: all). Compare two runs with benchstat.
	@.ci/setup build
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

.PHONY: benchmarks
benchmarks: build ## Measure maps, crowds and local maps on this machine, times RUNS times, and write docs/benchmarks/: pages, charts, raw results.
	bin/navview bench spm --cases all,growth --runs '$(RUNS)' --json > docs/benchmarks/spm.json
	bin/navview bench spm --cases spmex2,profiling3,squares-400 --goals 64 --size 250 --methods wavefront --runs '$(RUNS)' --json > docs/benchmarks/goals.json
	bin/navview bench spm --cases sources --methods wavefront --runs '$(RUNS)' --json > docs/benchmarks/sources.json
	bin/navview bench spm --cases points-1,points-10,points-100 --methods sequential --runs 1 --json > docs/benchmarks/sources-sequential.json
	bin/navview bench spm --results docs/benchmarks/spm.json,docs/benchmarks/goals.json,docs/benchmarks/sources.json,docs/benchmarks/sources-sequential.json \
	  --report docs/benchmarks/spm.md --chart docs/benchmarks/spm.svg
	bin/navview bench avoidance --behavior --json > docs/benchmarks/avoidance-behavior.json
	bin/navview bench avoidance --cases all,growth --runs '$(RUNS)' --json > docs/benchmarks/avoidance.json
	bin/navview bench avoidance --cases disc-10k --methods clearpath,orca --at 60s --runs '$(RUNS)' --json > docs/benchmarks/avoidance-late.json
	bin/navview bench avoidance --cases few --methods rvo-flat,rvo-nested --runs 100 --json > docs/benchmarks/avoidance-few.json
	bin/navview bench avoidance --cases evacuations --methods rvo --exhaustive --runs '$(RUNS)' --json > docs/benchmarks/avoidance-search.json
	bin/navview bench avoidance --results docs/benchmarks/avoidance.json,docs/benchmarks/avoidance-late.json,docs/benchmarks/avoidance-behavior.json,docs/benchmarks/avoidance-few.json,docs/benchmarks/avoidance-search.json \
	  --report docs/benchmarks/avoidance.md --chart docs/benchmarks/avoidance.svg
	bin/navview bench bvp --runs '$(RUNS)' --json > docs/benchmarks/bvp.json
	bin/navview bench bvp --cases growth --methods gpu --runs '$(RUNS)' --json > docs/benchmarks/bvp-growth.json
	bin/navview bench bvp --cases relaxers,behavior --runs '$(RUNS)' --json > docs/benchmarks/bvp-behavior.json
	bin/navview bench bvp --cases exploring --seeds 3 --json > docs/benchmarks/bvp-exploring.json
	bin/navview bench bvp --results docs/benchmarks/bvp.json,docs/benchmarks/bvp-growth.json,docs/benchmarks/bvp-behavior.json,docs/benchmarks/bvp-exploring.json --report docs/benchmarks/bvp.md --chart docs/benchmarks/bvp.svg

.PHONY: build
build: ## Build bin/navview.
	@.ci/setup build
	@if [[ -z '$(TAGS)' && $$(go list -f '{{.Stale}}' $(IMGUI)) == true ]]; then \
	  echo "make: compiling the bindings of Dear ImGui, which takes about five minutes, once"; \
	fi
	go build -tags '$(TAGS)' -o bin/navview ./cmd/navview

# What figures show: those of maps have no agents.
FIGURE := regions,isolines,obstacles,sources
TRAILS := obstacles,sources,agents,trails
MAPS := isolines,obstacles,sources,agents
FIGURES := docs/figures

.PHONY: figures
figures: build ## Draw figures of Farias and Kallmann 2018, Fischer et al. 2009 and Dapper et al. 2007, into docs/figures/.
	mkdir -p $(FIGURES)
	bin/navview render farias-1 -o $(FIGURES)/farias-1.png --at 0.2s --size 1140x780 --layers $(FIGURE),paths,agents
	for n in 1 4 6 9 13; do \
	  bin/navview map farias-2 -o $(FIGURES)/farias-2-map-$$n.png --size 420 --steps $$n; \
	  bin/navview render farias-2 -o $(FIGURES)/farias-2-relief-$$n.png --view perspective --size 420x350 --steps $$n --layers $(FIGURE); \
	done
	bin/navview map farias-4 -o $(FIGURES)/farias-4.png --size 1000 --layers $(FIGURE),parents
	bin/navview map farias-5-left -o $(FIGURES)/farias-5-left.png --size 640
	bin/navview render farias-5-right -o $(FIGURES)/farias-5-right.png --at 0.2s --size 640x640 --layers $(FIGURE),paths,agents
	for name in simple1 simple2 concave1 concave2 spiral spmex1 spmex2 profiling{0..6}; do \
	  bin/navview map $$name -o $(FIGURES)/farias-7-$$name.png --size 420; \
	done
	for name in spmex2 concave2 profiling2; do bin/navview map farias-8-$$name -o $(FIGURES)/farias-8-$$name.png --size 560; done
	bin/navview render fischer-1 -o $(FIGURES)/fischer-1.png --at 13s --size 1140x800 --layers $(MAPS) --agent 190
	bin/navview render fischer-2 -o $(FIGURES)/fischer-2.png --at 50s --size 1140x830 --layers $(TRAILS)
	bin/navview render dapper-1 -o $(FIGURES)/dapper-1.png --at 50s --size 1140x830 --layers $(TRAILS)
	bin/navview render dapper-6 -o $(FIGURES)/dapper-2.png --at 5s --size 1140x800 --layers $(MAPS) --goal large --agent 10
	bin/navview render dapper-1 -o $(FIGURES)/fischer-6.png --at 30s --size 1140x830 --layers $(MAPS),potential --goal a --agent 0
	bin/navview render dapper-3 -o $(FIGURES)/dapper-3.png --at 2s --size 1140x700 --layers $(MAPS),potential --agent 1
	bin/navview render dapper-4 -o $(FIGURES)/dapper-4.png --at 15s --size 1140x750 --layers $(TRAILS)
	bin/navview render dapper-5 -o $(FIGURES)/dapper-5.png --at 100s --size 1500x720 --layers $(TRAILS)
	bin/navview render dapper-6 -o $(FIGURES)/dapper-6.png --at 25s --size 1140x830 --layers $(TRAILS)
	bin/navview render dapper-7 -o $(FIGURES)/dapper-7.png --at 20s --size 1140x420 --layers $(TRAILS) --marks 0.5s
	# Long after either search has ended.
	for name in dapper-8a dapper-8b; do bin/navview render $$name -o $(FIGURES)/$$name.png --at 150s --size 700x480 --layers $(TRAILS) --marks 2s; done
	bin/navview render dapper-8b -o $(FIGURES)/dapper-8b-map.png --at 14s --size 1140x840 --layers $(TRAILS),isolines --agent 0

.PHONY: pictures
pictures: build ## Draw the README's pictures again, into assets/readme/.
	mkdir -p assets/readme
	bin/navview record plaza -o assets/readme/plaza.gif --duration 8s --fps 10 --size 640x400
	bin/navview render plaza -o assets/readme/street.png --view street --zoom 50,25,70,40 --at 14s --size 1200x750
	go test ./cmd/navview/internal/viewer -count 1 -run '^TestPicture$$' -pictures '$(CURDIR)/assets/readme'

# The tools are built from their pinned sources; the name of the version is part of the stamp, so that a new pin builds anew.
$(TOOLS)/gofumpt: Makefile
	@.ci/setup build
	GOBIN=$(TOOLS) go install $(GOFUMPT)
	@touch $@

$(TOOLS)/golangci-lint: Makefile
	@.ci/setup build
	GOBIN=$(TOOLS) go install $(GOLANGCI)
	@touch $@
