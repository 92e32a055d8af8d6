// Package sweep runs studies: every scene of a plan, under every variant, with every seed. A shard
// is a part of the runs that a machine of a cluster takes. Runs are resumed where an earlier call
// has stopped, and a shard that runs twice gives the same files.
package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// Plan is a study: scenes x variants x seeds. Its file is JSON.
type Plan struct {
	Scenes   []string  `json:"scenes"`   // files, by the plan's folder, with * and ?, and built-in names
	Variants []Variant `json:"variants"` // none: the scenes as they are
	Seeds    Seeds     `json:"seeds"`    // none: each scene's own
	Duration float64   `json:"duration"` // simulated at most; 0: as navview simulate. Unit: s

	folder string
}

// Variant is a change of a scene.
type Variant struct {
	Name string `json:"name"`
	// Set gives fields other values, by path: names and indices with dots between, as
	// profiles.0.radius; * is every element, and an element of a list is also found by its id, as
	// goals.exits.clearance. The last name may be new.
	Set map[string]any `json:"set"`
}

// Seeds are the seeds of a plan: a list, or {"from": 1, "count": 20}.
type Seeds []uint64

// mostRuns bounds a plan: more are a mistake of its author.
const mostRuns = 10_000_000

// UnmarshalJSON reads a list or a range.
func (s *Seeds) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("[")) {
		return json.Unmarshal(data, (*[]uint64)(s))
	}
	var span struct {
		From  uint64 `json:"from"`
		Count int    `json:"count"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&span); err != nil {
		return fmt.Errorf("seeds: want a list of numbers, or {\"from\": 1, \"count\": 20}: %w", err)
	}
	if span.Count < 1 || span.Count > mostRuns {
		return fmt.Errorf("seeds: count %d: 1 to %d", span.Count, mostRuns)
	}
	for i := range span.Count {
		*s = append(*s, span.From+uint64(i))
	}
	return nil
}

// Load reads a plan.
func Load(file string) (*Plan, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p := &Plan{folder: filepath.Dir(file)}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(p)
	if err == nil && len(bytes.TrimSpace(data[decoder.InputOffset():])) > 0 {
		err = errors.New("there is more after the plan")
	}
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// check finds mistakes, and replaces patterns by the files that they match.
func (p *Plan) check() error {
	if len(p.Variants) == 0 {
		p.Variants = []Variant{{}}
	}
	for i, v := range p.Variants {
		if slices.ContainsFunc(p.Variants[:i], func(other Variant) bool { return other.Name == v.Name }) {
			return fmt.Errorf("variants: two are called %q", v.Name)
		}
	}
	if !(p.Duration >= 0) {
		return fmt.Errorf("duration %v: seconds, at least 0", p.Duration)
	}
	var files []string
	for _, name := range p.Scenes {
		found, err := p.find(name)
		if err != nil {
			return err
		}
		files = append(files, found...)
	}
	if p.Scenes = files; len(files) == 0 {
		return errors.New("the plan has no scenes")
	}
	if n := len(files) * len(p.Variants) * max(1, len(p.Seeds)); n > mostRuns {
		return fmt.Errorf("%d runs: at most %d", n, mostRuns)
	}
	return nil
}

func (p *Plan) find(name string) ([]string, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.folder, path)
	}
	found, err := filepath.Glob(path)
	if err != nil {
		return nil, fmt.Errorf("the pattern %s: %w", name, err)
	}
	if len(found) > 0 {
		return found, nil
	}
	if _, _, err := builtin.Open(name); err != nil {
		return nil, err
	}
	return []string{name}, nil
}

// Run is one run of a plan.
type Run struct {
	Index   int
	Scene   *scenes.Scene // under the variant, with the seed
	Variant string
	Hash    string // of the scene, its seed included
}

// Runs returns the number of runs.
func (p *Plan) Runs() int { return len(p.Scenes) * len(p.Variants) * max(1, len(p.Seeds)) }

// Run returns a run by its index: seeds vary fastest, then variants. The error is a *scenes.Invalid
// where the scene, or what the variant makes of it, is not sound; the run then has no scene and no
// hash.
func (p *Plan) Run(index int) (Run, error) {
	seeds := max(1, len(p.Seeds))
	variant := p.Variants[index/seeds%len(p.Variants)]
	name := p.Scenes[index/seeds/len(p.Variants)]
	r := Run{Index: index, Variant: variant.Name}
	file, data, err := builtin.Open(name)
	if err != nil {
		return r, err
	}
	scene, problems := scenes.Read(file, data)
	if scene == nil {
		return r, &scenes.Invalid{File: file, Problems: problems}
	}
	if len(p.Seeds) > 0 {
		scene.Simulation.Seed = p.Seeds[index%seeds]
	}
	if len(variant.Set) > 0 {
		if scene, err = variant.apply(file, scene); err != nil {
			return r, fmt.Errorf("variant %q of %s: %w", variant.Name, name, err)
		}
	}
	text, err := scene.Encode()
	if err != nil {
		return r, err
	}
	sum := sha256.Sum256(text)
	r.Scene, r.Hash = scene, hex.EncodeToString(sum[:8])
	return r, nil
}

// apply returns the scene with the variant's values.
func (v Variant) apply(file string, s *scenes.Scene) (*scenes.Scene, error) {
	text, err := s.Encode()
	if err != nil {
		return nil, err
	}
	var document any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // so that what is not set keeps its digits
	if err := decoder.Decode(&document); err != nil {
		return nil, err
	}
	paths := make([]string, 0, len(v.Set))
	for path := range v.Set {
		paths = append(paths, path)
	}
	slices.Sort(paths) // a path comes before what it leads to
	for _, path := range paths {
		if n := set(document, strings.Split(path, "."), v.Set[path]); n == 0 {
			return nil, fmt.Errorf("set: %s: the scene has nothing there", path)
		}
	}
	if text, err = json.Marshal(document); err != nil {
		return nil, err
	}
	changed, problems := scenes.Read(file, text)
	if changed == nil {
		return nil, &scenes.Invalid{File: file, Problems: problems}
	}
	return changed, nil
}

// set sets what a path leads to, and returns how many fields that were.
func set(node any, path []string, value any) (count int) {
	name, last := path[0], len(path) == 1
	visit := func(child any, put func(any)) {
		if last {
			put(value)
			count++
		} else {
			count += set(child, path[1:], value)
		}
	}
	switch node := node.(type) {
	case map[string]any:
		child, ok := node[name]
		if !ok && !last {
			child = map[string]any{} // fields with their defaults are not written
			node[name] = child
		}
		visit(child, func(v any) { node[name] = v })
	case []any:
		for i, child := range node {
			fields, _ := child.(map[string]any)
			if name == "*" || name == strconv.Itoa(i) || fields["id"] == name {
				visit(child, func(v any) { node[i] = v })
			}
		}
	}
	return count
}
