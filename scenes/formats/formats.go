package formats

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/dxf"
	"github.com/wayfront/wayfront/scenes/formats/geojson"
	"github.com/wayfront/wayfront/scenes/formats/movingai"
	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/formats/svg"
	"github.com/wayfront/wayfront/scenes/formats/wkt"
)

type (
	// Format is a file format that scenes are imported from, or exported to.
	Format = plan.Format
	// Options say what a file leaves open.
	Options = plan.Options
	// Units are the unit of a file's coordinates.
	Units = plan.Units
	// Role is what a shape of a drawing stands for.
	Role = plan.Role
	// Error is the error of a file that cannot be imported, with its place.
	Error = plan.Error
)

// RoleOf returns the role that a name says: that of its first word that names one.
func RoleOf(name string) (Role, bool) { return plan.RoleOf(name) }

// All lists the formats.
var All = []*Format{&wkt.Format, &movingai.Format, &geojson.Format, &svg.Format, &dxf.Format}

// Named returns the format of a name; nil if there is none.
func Named(name string) *Format {
	return find(func(f *Format) bool { return f.Name == name })
}

// OfFile returns the format of a file's ending, in any case; nil if there is none.
func OfFile(file string) *Format {
	return find(func(f *Format) bool { return strings.EqualFold(f.Ending, filepath.Ext(file)) })
}

func find(is func(*Format) bool) *Format {
	if i := slices.IndexFunc(All, is); i >= 0 {
		return All[i]
	}
	return nil
}

// Import makes a scene of a file in another format. Like a scene that Read returns it needs no
// further check. Its name is the file's, its domain the bounding box of what the file describes,
// without a margin, if the file names none. A file without a goal gets one in the largest connected
// piece of free ground, far from walls. The same file gives the same scene everywhere.
//
// Notes say, in the order of the file, where the scene differs from what the file's author may
// think. The error of a file that is malformed, or has no free ground, is *Error.
func Import(f *Format, file string, data []byte, o Options) (*scenes.Scene, []scenes.Problem, error) {
	in, err := plan.NewSource(file, data, o)
	if err != nil {
		return nil, nil, err
	}
	scene := f.Read(in)
	if in.Err == nil {
		scene = in.Complete(scene)
	}
	if in.Err != nil {
		return nil, nil, in.Err
	}
	return scene, in.Notes(), nil
}

// Export writes a scene in another format: what of it the format can hold, which Import reads
// again, and what is lost. Obstacles are those that are present at time 0, where they are then. A
// format that cannot be written is an error.
func Export(f *Format, s *scenes.Scene) (data []byte, lost []string, err error) {
	if f.Write == nil {
		return nil, nil, fmt.Errorf("scenes: a scene cannot be exported as %q", f.Name)
	}
	return f.Write(s)
}
