package gpu

import (
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"regexp"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/shaders"
)

// Spec describes a program: its stage files and what they are put together with, as in shaders.Environment.
type Spec struct {
	Name    string   // for messages and captures; the first stage's file name where empty
	Stages  []string // stage files; one compute stage, or a vertex stage and others
	Defines map[string]any
	Structs []any
	Files   fs.FS // looked into before the embedded shaders; nil for none
}

// Program is a compiled and linked program with its uniforms.
type Program struct {
	device   *Device
	label    string
	name     uint32
	compute  bool
	uniforms map[string]uniform
	declared map[string]bool // every identifier in a uniform declaration of the sources
}

type uniform struct {
	location int32
	kind     uint32 // GL_FLOAT_VEC2 and such
	size     int    // elements of an array
}

// CompileError is what a driver has against a program.
type CompileError struct {
	Program string
	Stage   string // the stage file; empty where the stages do not fit together
	Log     string // the driver's messages, with file, line and source text
}

func (e *CompileError) Error() string {
	if e.Stage == "" {
		return fmt.Sprintf("gpu: program %q does not link:\n%s", e.Program, e.Log)
	}
	return fmt.Sprintf("gpu: program %q, stage %s does not compile:\n%s", e.Program, e.Stage, e.Log)
}

var stageKinds = []struct {
	suffix string
	kind   uint32
}{
	{".comp.glsl", gl.COMPUTE_SHADER},
	{".vert.glsl", gl.VERTEX_SHADER},
	{".geom.glsl", gl.GEOMETRY_SHADER},
	{".frag.glsl", gl.FRAGMENT_SHADER},
}

// NewProgram compiles and links. Errors come from shaders.Load, or are of type *CompileError.
func NewProgram(d *Device, s Spec) (*Program, error) {
	if len(s.Stages) == 0 {
		panic(fmt.Sprintf("gpu: program %q without stages", s.Name))
	}
	if s.Name == "" {
		s.Name = s.Stages[0]
	}
	p := &Program{device: d, label: s.Name, uniforms: map[string]uniform{}, declared: map[string]bool{}}
	var sources []*shaders.Source
	for _, stage := range s.Stages {
		source, err := shaders.Load(stage, shaders.Environment{Defines: s.Defines, Structs: s.Structs, Files: s.Files})
		if err != nil {
			return nil, fmt.Errorf("gpu: program %q: %w", s.Name, err)
		}
		sources = append(sources, source)
	}
	p.name = gl.CreateProgram()
	d.label(gl.PROGRAM, p.name, s.Name)
	for _, source := range sources {
		shader, err := p.compile(source)
		if err != nil {
			p.Delete()
			return nil, err
		}
		gl.AttachShader(p.name, shader)
		gl.DeleteShader(shader) // lives on as long as it is attached
	}
	pending := d.sticky
	gl.LinkProgram(p.name)
	var ok int32
	gl.GetProgramiv(p.name, gl.LINK_STATUS, &ok)
	if ok == 0 {
		log := infoLog(p.name, gl.GetProgramiv, gl.GetProgramInfoLog)
		if len(sources) == 1 {
			log = sources[0].Rewrite(log)
		}
		p.Delete()
		// A driver may also send the failure as a message.
		d.sticky = pending
		return nil, &CompileError{Program: s.Name, Log: log}
	}
	p.introspect()
	return p, nil
}

func (p *Program) compile(source *shaders.Source) (uint32, error) {
	var kind uint32
	for _, s := range stageKinds {
		if strings.HasSuffix(source.Name, s.suffix) {
			kind = s.kind
		}
	}
	p.compute = p.compute || kind == gl.COMPUTE_SHADER
	shader := gl.CreateShader(kind)
	text, free := gl.Strs(source.Text)
	length := int32(len(source.Text))
	gl.ShaderSource(shader, 1, text, &length)
	free()
	pending := p.device.sticky
	gl.CompileShader(shader)
	var ok int32
	gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok)
	if ok == 0 {
		log := source.Rewrite(infoLog(shader, gl.GetShaderiv, gl.GetShaderInfoLog))
		gl.DeleteShader(shader)
		p.device.sticky = pending // the driver may also send the failure as a message
		return 0, &CompileError{Program: p.label, Stage: source.Name, Log: log}
	}
	for _, declaration := range uniformPattern.FindAllString(source.Text, -1) {
		for _, name := range wordPattern.FindAllString(declaration, -1) {
			p.declared[name] = true
		}
	}
	return shader, nil
}

var (
	uniformPattern = regexp.MustCompile(`\buniform\b[^;{]*`)
	wordPattern    = regexp.MustCompile(`[A-Za-z_]\w*`)
)

func infoLog(name uint32, get func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8)) string {
	var length int32
	get(name, gl.INFO_LOG_LENGTH, &length)
	if length <= 1 {
		return "(the driver gives no reason)"
	}
	log := make([]byte, length)
	var got int32
	read(name, length, &got, &log[0])
	return strings.TrimSpace(string(log[:got]))
}

// introspect lists the active uniforms outside blocks.
func (p *Program) introspect() {
	var count, longest int32
	gl.GetProgramInterfaceiv(p.name, gl.UNIFORM, gl.ACTIVE_RESOURCES, &count)
	gl.GetProgramInterfaceiv(p.name, gl.UNIFORM, gl.MAX_NAME_LENGTH, &longest)
	name := make([]byte, longest+1)
	properties := [...]uint32{gl.LOCATION, gl.TYPE, gl.ARRAY_SIZE}
	for i := range uint32(count) {
		var values [len(properties)]int32
		gl.GetProgramResourceiv(p.name, gl.UNIFORM, i, int32(len(properties)), &properties[0], int32(len(values)), nil, &values[0])
		if values[0] < 0 {
			continue
		}
		var length int32
		gl.GetProgramResourceName(p.name, gl.UNIFORM, i, int32(len(name)), &length, &name[0])
		key := strings.TrimSuffix(string(name[:length]), "[0]")
		p.uniforms[key] = uniform{location: values[0], kind: uint32(values[1]), size: int(values[2])}
	}
}

// Name is OpenGL's name of the program.
func (p *Program) Name() uint32 { return p.name }

// uniformKinds says what a uniform of each type is made of.
var uniformKinds = map[uint32]struct {
	name       string
	base       reflect.Kind
	components int
}{
	gl.FLOAT:             {"float", reflect.Float32, 1},
	gl.FLOAT_VEC2:        {"vec2", reflect.Float32, 2},
	gl.FLOAT_VEC3:        {"vec3", reflect.Float32, 3},
	gl.FLOAT_VEC4:        {"vec4", reflect.Float32, 4},
	gl.FLOAT_MAT3:        {"mat3", reflect.Float32, 9},
	gl.FLOAT_MAT4:        {"mat4", reflect.Float32, 16},
	gl.INT:               {"int", reflect.Int32, 1},
	gl.INT_VEC2:          {"ivec2", reflect.Int32, 2},
	gl.INT_VEC3:          {"ivec3", reflect.Int32, 3},
	gl.INT_VEC4:          {"ivec4", reflect.Int32, 4},
	gl.UNSIGNED_INT:      {"uint", reflect.Uint32, 1},
	gl.UNSIGNED_INT_VEC2: {"uvec2", reflect.Uint32, 2},
	gl.UNSIGNED_INT_VEC3: {"uvec3", reflect.Uint32, 3},
	gl.UNSIGNED_INT_VEC4: {"uvec4", reflect.Uint32, 4},
	gl.BOOL:              {"bool", reflect.Bool, 1},
}

// Set gives a uniform its value, of the same type: float32, int32, uint32, bool, arrays of them for vectors and matrices
// ([2]float32 or mgl32.Vec2, mgl32.Mat4 in its column order), slices for arrays. An int is taken for an int or uint that
// holds it. Samplers and images have their unit in the shader (layout(binding)) and cannot be set. A uniform that the
// sources declare and the compiler left out is ignored; one that they do not declare panics, and so does a wrong type.
func (p *Program) Set(name string, value any) {
	u, ok := p.uniforms[name]
	if !ok {
		if p.declared[name] {
			return
		}
		panic(fmt.Sprintf("gpu: program %q declares no uniform %q", p.label, name))
	}
	kind, ok := uniformKinds[u.kind]
	if !ok {
		panic(fmt.Sprintf("gpu: uniform %q of program %q is of a type that Set does not know (0x%04X); give samplers and images their unit by layout(binding)", name, p.label, u.kind))
	}
	switch v := value.(type) { // the common ones, without reflection
	case float32:
		if kind.name == "float" {
			gl.ProgramUniform1f(p.name, u.location, v)
			return
		}
	case int32:
		if kind.name == "int" {
			gl.ProgramUniform1i(p.name, u.location, v)
			return
		}
	case uint32:
		if kind.name == "uint" {
			gl.ProgramUniform1ui(p.name, u.location, v)
			return
		}
	case bool:
		if kind.name == "bool" {
			var n int32
			if v {
				n = 1
			}
			gl.ProgramUniform1i(p.name, u.location, n)
			return
		}
	case int:
		if kind.name == "int" && v >= math.MinInt32 && v <= math.MaxInt32 {
			gl.ProgramUniform1i(p.name, u.location, int32(v))
			return
		}
		if kind.name == "uint" && v >= 0 && v <= math.MaxUint32 {
			gl.ProgramUniform1ui(p.name, u.location, uint32(v))
			return
		}
	}
	values, count := elements(value, kind.base, kind.components)
	if count == 0 || count > u.size {
		panic(fmt.Sprintf("gpu: uniform %q of program %q is %s[%d], the value is %T(%v)", name, p.label, kind.name, u.size, value, value))
	}
	p.upload(u, kind.base, kind.components, count, values)
}

// elements finds a pointer to the components of a value, and how many elements of so many components they are: 0 where
// it does not fit.
func elements(value any, base reflect.Kind, components int) (unsafe.Pointer, int) {
	v := reflect.ValueOf(value)
	if !v.IsValid() {
		return nil, 0
	}
	count := 1
	if v.Kind() == reflect.Slice {
		count = v.Len()
	} else {
		// A copy that has an address.
		c := reflect.MakeSlice(reflect.SliceOf(v.Type()), 1, 1)
		c.Index(0).Set(v)
		v = c
	}
	element, each := v.Type().Elem(), 1
	if element.Kind() == reflect.Array {
		element, each = element.Elem(), element.Len()
	}
	if element.Kind() != base || base == reflect.Bool || each != components {
		return nil, 0
	}
	return v.UnsafePointer(), count
}

func (p *Program) upload(u uniform, base reflect.Kind, components, count int, values unsafe.Pointer) {
	n := int32(count)
	switch base {
	case reflect.Float32:
		f := (*float32)(values)
		switch components {
		case 1:
			gl.ProgramUniform1fv(p.name, u.location, n, f)
		case 2:
			gl.ProgramUniform2fv(p.name, u.location, n, f)
		case 3:
			gl.ProgramUniform3fv(p.name, u.location, n, f)
		case 4:
			gl.ProgramUniform4fv(p.name, u.location, n, f)
		case 9:
			gl.ProgramUniformMatrix3fv(p.name, u.location, n, false, f)
		case 16:
			gl.ProgramUniformMatrix4fv(p.name, u.location, n, false, f)
		}
	case reflect.Int32:
		i := (*int32)(values)
		switch components {
		case 1:
			gl.ProgramUniform1iv(p.name, u.location, n, i)
		case 2:
			gl.ProgramUniform2iv(p.name, u.location, n, i)
		case 3:
			gl.ProgramUniform3iv(p.name, u.location, n, i)
		case 4:
			gl.ProgramUniform4iv(p.name, u.location, n, i)
		}
	case reflect.Uint32:
		i := (*uint32)(values)
		switch components {
		case 1:
			gl.ProgramUniform1uiv(p.name, u.location, n, i)
		case 2:
			gl.ProgramUniform2uiv(p.name, u.location, n, i)
		case 3:
			gl.ProgramUniform3uiv(p.name, u.location, n, i)
		case 4:
			gl.ProgramUniform4uiv(p.name, u.location, n, i)
		}
	}
}

// Dispatch runs a compute program on x*y*z work groups; none where one of them is 0.
func (p *Program) Dispatch(x, y, z uint32) {
	p.use(true)
	for i, n := range [3]uint32{x, y, z} {
		if limit := p.device.info.Limits.WorkGroups[i]; int64(n) > int64(limit) {
			panic(fmt.Sprintf("gpu: Dispatch of %d x %d x %d work groups of program %q: the device's limit in direction %d is %d; use larger groups or a second direction", x, y, z, p.label, i, limit))
		}
	}
	if x == 0 || y == 0 || z == 0 {
		return
	}
	gl.DispatchCompute(x, y, z)
}

// DispatchIndirect runs a compute program on as many work groups as three uint32 in a buffer say, at a byte offset that
// is a multiple of 4. BarrierCommand comes after the shader that wrote them.
func (p *Program) DispatchIndirect(buffer uint32, offset int) {
	p.use(true)
	gl.BindBuffer(gl.DISPATCH_INDIRECT_BUFFER, buffer)
	gl.DispatchComputeIndirect(offset)
}

func (p *Program) use(compute bool) {
	if p.name == 0 {
		panic(fmt.Sprintf("gpu: program %q was deleted", p.label))
	}
	if p.compute != compute {
		panic(fmt.Sprintf("gpu: program %q: compute programs are dispatched, others drawn", p.label))
	}
	gl.UseProgram(p.name)
}

// Delete frees the program. Deleting twice, or none, does nothing.
func (p *Program) Delete() {
	if p == nil {
		return
	}
	if p.name != 0 {
		gl.DeleteProgram(p.name)
		p.name = 0
	}
}
