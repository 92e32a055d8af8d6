package gpu

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"regexp"
	"slices"
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

	slots bool // binding points are this package's to deal out
}

// Program is a compiled and linked program with its uniforms. Programs of the same sources share what the driver has made of
// them, which the device keeps until it is closed; each has its own values of uniforms, all zero at first.
type Program struct {
	*compiled
	device  *Device
	label   string
	values  [][]uint32 // of each uniform that was set, by its number; the others are zero
	deleted bool
}

// compiled is a program of the driver.
type compiled struct {
	name     uint32
	compute  bool
	uniforms map[string]uniform
	all      []uniform       // by number
	declared map[string]bool // every identifier in a declaration of a uniform or attribute of the sources
	owner    *Program        // whose values the uniforms have; nil: none's
	touched  []bool          // uniforms, by number, that may not be zero

	held           [][]uint32 // what the uniforms have, by number; nil is zero
	declaredBlocks []shaders.Block
	storage        []storageBlock
	samplers       []samplerUniform
	attributes     []vertexInput
}

// storageBlock is a storage block that the program uses, at a binding point.
type storageBlock struct {
	shaders.Block
	slot uint32
}

// samplerUniform is a sampler that the program uses, on a texture unit.
type samplerUniform struct {
	name   string
	unit   uint32
	texels bool // it reads a buffer
}

// vertexInput is an attribute that the program uses.
type vertexInput struct {
	name       string
	location   uint32
	components int
	kind       Kind
}

type uniform struct {
	number   int
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

// Sources puts the stages together. Errors come from shaders.Load.
func (s Spec) Sources() (sources []*shaders.Source, err error) {
	if len(s.Stages) == 0 {
		panic(fmt.Sprintf("gpu: program %q without stages", s.Name))
	}
	for _, stage := range s.Stages {
		source, err := shaders.Load(stage, shaders.Environment{Defines: s.Defines, Structs: s.Structs, Files: s.Files})
		if err != nil {
			return nil, fmt.Errorf("gpu: program %q: %w", cmp.Or(s.Name, s.Stages[0]), err)
		}
		if s.slots {
			source.Text = bindingPattern.ReplaceAllString(source.Text, "$1")
		}
		sources = append(sources, source)
	}
	return sources, nil
}

// NewProgram compiles and links, unless the device has a program of the same sources. Errors come from shaders.Load, or are of
// type *CompileError, or are those of Device.Do. Uniforms begin as zero; sources that initialize them panic.
func NewProgram(d *Device, s Spec) (*Program, error) {
	sources, err := s.Sources()
	if err != nil {
		return nil, err
	}
	if s.Name == "" {
		s.Name = s.Stages[0]
	}
	all := sha256.New()
	for _, source := range sources {
		fmt.Fprintf(all, "%q %q ", source.Name, source.Text)
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	key := [sha256.Size]byte(all.Sum(nil))
	made := d.programs[key]
	if made == nil {
		if made, err = d.compile(s.Name, sources, s.slots); err != nil {
			return nil, err
		}
		d.programs[key] = made
	}
	return &Program{compiled: made, device: d, label: s.Name, values: make([][]uint32, len(made.all))}, nil
}

// compile makes a program of the driver.
func (d *Device) compile(label string, sources []*shaders.Source, slots bool) (*compiled, error) {
	p := &compiled{name: gl.CreateProgram(), uniforms: map[string]uniform{}, declared: map[string]bool{}}
	d.label(gl.PROGRAM, p.name, label)
	for _, source := range sources {
		shader, err := d.compileStage(p, label, source)
		if err != nil {
			gl.DeleteProgram(p.name)
			return nil, err
		}
		gl.AttachShader(p.name, shader)
		gl.DeleteShader(shader) // lives on as long as it is attached
	}
	d.collect()
	gl.LinkProgram(p.name)
	var ok int32
	gl.GetProgramiv(p.name, gl.LINK_STATUS, &ok)
	if ok == 0 {
		log := infoLog(p.name, gl.GetProgramiv, gl.GetProgramInfoLog)
		if len(sources) == 1 {
			log = sources[0].Rewrite(log)
		}
		gl.DeleteProgram(p.name)
		d.watcher.forget() // a driver may also send the failure as a message
		return nil, &CompileError{Program: label, Log: log}
	}
	p.introspect()
	if slots {
		p.dealOut()
	}
	return p, nil
}

func (d *Device) compileStage(p *compiled, label string, source *shaders.Source) (uint32, error) {
	var kind uint32
	for _, s := range stageKinds {
		if strings.HasSuffix(source.Name, s.suffix) {
			kind = s.kind
		}
	}
	p.compute = p.compute || kind == gl.COMPUTE_SHADER
	p.declaredBlocks = append(p.declaredBlocks, source.Blocks()...)
	code := source.Code()
	if kind == gl.VERTEX_SHADER {
		for _, declaration := range inputPattern.FindAllString(code, -1) {
			for _, name := range wordPattern.FindAllString(declaration, -1) {
				p.declared[name] = true
			}
		}
	}
	for _, declaration := range uniformPattern.FindAllString(code, -1) {
		if strings.Contains(declaration, "=") {
			panic(fmt.Sprintf("gpu: program %q, stage %s initializes a uniform (%s): programs of the same sources share them, so set it", label, source.Name, declaration))
		}
		for _, name := range wordPattern.FindAllString(declaration, -1) {
			p.declared[name] = true
		}
	}
	shader := gl.CreateShader(kind)
	text, free := gl.Strs(source.Text)
	length := int32(len(source.Text))
	gl.ShaderSource(shader, 1, text, &length)
	free()
	d.collect()
	gl.CompileShader(shader)
	var ok int32
	gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok)
	if ok == 0 {
		log := source.Rewrite(infoLog(shader, gl.GetShaderiv, gl.GetShaderInfoLog))
		gl.DeleteShader(shader)
		d.watcher.forget() // the driver may also send the failure as a message
		return 0, &CompileError{Program: label, Stage: source.Name, Log: log}
	}
	return shader, nil
}

var (
	uniformPattern = regexp.MustCompile(`\buniform\b[^;{]*`)
	inputPattern   = regexp.MustCompile(`\bin\b[^;{]*;`)
	bindingPattern = regexp.MustCompile(`layout\(\s*binding\s*=\s*\w+\s*\)\s*|(layout\(std430), binding = \w+`)
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
func (p *compiled) introspect() {
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
		u := uniform{number: len(p.all), location: values[0], kind: uint32(values[1]), size: int(values[2])}
		p.uniforms[key], p.all = u, append(p.all, u)
	}
	p.touched, p.held = make([]bool, len(p.all)), make([][]uint32, len(p.all))
}

// dealOut gives storage blocks their binding points and samplers their texture units, in the order of their names, and lists
// them with the attributes.
func (p *compiled) dealOut() {
	for _, name := range p.resources(gl.SHADER_STORAGE_BLOCK, nil, nil) {
		i := slices.IndexFunc(p.declaredBlocks, func(b shaders.Block) bool { return b.Block == name })
		b := storageBlock{p.declaredBlocks[i], 0}
		for _, other := range p.declaredBlocks { // in another stage
			if other.Block == name {
				b.Read, b.Write = b.Read || other.Read, b.Write || other.Write
			}
		}
		p.storage = append(p.storage, b)
	}
	slices.SortFunc(p.storage, func(a, b storageBlock) int { return strings.Compare(a.Name, b.Name) })
	for i := range p.storage {
		p.storage[i].slot = uint32(i)
		index := gl.GetProgramResourceIndex(p.name, gl.SHADER_STORAGE_BLOCK, gl.Str(p.storage[i].Block.Block+"\x00"))
		gl.ShaderStorageBlockBinding(p.name, index, uint32(i))
	}
	var names []string
	for name, u := range p.uniforms {
		if _, ok := uniformKinds[u.kind]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, name := range names {
		u := p.uniforms[name]
		delete(p.uniforms, name)
		p.samplers = append(p.samplers, samplerUniform{name, uint32(i), u.kind == gl.SAMPLER_BUFFER || u.kind == gl.INT_SAMPLER_BUFFER || u.kind == gl.UNSIGNED_INT_SAMPLER_BUFFER})
		gl.ProgramUniform1i(p.name, u.location, int32(i))
	}
	if !p.compute {
		p.resources(gl.PROGRAM_INPUT, []uint32{gl.LOCATION, gl.TYPE}, func(name string, v []int32) {
			if v[0] < 0 { // gl_VertexID and such
				return
			}
			kind := uniformKinds[uint32(v[1])]
			p.attributes = append(p.attributes, vertexInput{name, uint32(v[0]), kind.components, map[reflect.Kind]Kind{reflect.Float32: Float, reflect.Int32: Int, reflect.Uint32: Uint}[kind.base]})
		})
	}
}

// resources lists the names of the active resources of an interface, and calls f with properties of each, if there is one.
func (p *compiled) resources(kind uint32, properties []uint32, f func(name string, values []int32)) (names []string) {
	var count, longest int32
	gl.GetProgramInterfaceiv(p.name, kind, gl.ACTIVE_RESOURCES, &count)
	gl.GetProgramInterfaceiv(p.name, kind, gl.MAX_NAME_LENGTH, &longest)
	buffer := make([]byte, longest+1)
	values := make([]int32, len(properties))
	for i := range uint32(count) {
		var length int32
		gl.GetProgramResourceName(p.name, kind, i, int32(len(buffer)), &length, &buffer[0])
		names = append(names, string(buffer[:length]))
		if f != nil {
			n := int32(len(properties))
			gl.GetProgramResourceiv(p.name, kind, i, n, &properties[0], n, nil, &values[0])
			f(names[i], values)
		}
	}
	return names
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
	p.device.mustEnter()
	defer p.device.leave()
	p.own()
	words := p.values[u.number]
	if words == nil {
		words = make([]uint32, u.size*kind.components)
		p.values[u.number], p.touched[u.number] = words, true
	}
	switch v := value.(type) { // the common ones, without reflection
	case float32:
		if kind.name == "float" {
			words[0] = math.Float32bits(v)
			gl.ProgramUniform1f(p.name, u.location, v)
			return
		}
	case int32:
		if kind.name == "int" {
			words[0] = uint32(v)
			gl.ProgramUniform1i(p.name, u.location, v)
			return
		}
	case uint32:
		if kind.name == "uint" {
			words[0] = v
			gl.ProgramUniform1ui(p.name, u.location, v)
			return
		}
	case bool:
		if kind.name == "bool" {
			words[0] = 0
			if v {
				words[0] = 1
			}
			gl.ProgramUniform1ui(p.name, u.location, words[0])
			return
		}
	case int:
		if kind.name == "int" && v >= math.MinInt32 && v <= math.MaxInt32 {
			words[0] = uint32(v)
			gl.ProgramUniform1i(p.name, u.location, int32(v))
			return
		}
		if kind.name == "uint" && v >= 0 && v <= math.MaxUint32 {
			words[0] = uint32(v)
			gl.ProgramUniform1ui(p.name, u.location, uint32(v))
			return
		}
	}
	values, count := elements(value, kind.base, kind.components)
	if count == 0 || count > u.size {
		panic(fmt.Sprintf("gpu: uniform %q of program %q is %s[%d], the value is %T(%v)", name, p.label, kind.name, u.size, value, value))
	}
	copy(words, unsafe.Slice((*uint32)(values), count*kind.components))
	p.upload(u, kind.base, kind.components, count, values)
}

// own makes the uniforms hold this program's values, if another of the same sources was used last.
func (p *Program) own() {
	if p.owner == p {
		return
	}
	p.owner = p
	for i, u := range p.all {
		kind := uniformKinds[u.kind]
		switch values := p.values[i]; {
		case values != nil:
			p.upload(u, kind.base, kind.components, u.size, unsafe.Pointer(&values[0]))
			p.touched[i] = true
		case p.touched[i]:
			zero := make([]uint32, u.size*kind.components)
			p.upload(u, kind.base, kind.components, u.size, unsafe.Pointer(&zero[0]))
			p.touched[i] = false
		}
	}
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

func (p *compiled) upload(u uniform, base reflect.Kind, components, count int, values unsafe.Pointer) {
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
	case reflect.Uint32, reflect.Bool:
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
	p.begin()
	p.device.opaque()
	gl.DispatchCompute(x, y, z)
}

// DispatchIndirect runs a compute program on as many work groups as three uint32 in a buffer say, at a byte offset that
// is a multiple of 4. BarrierCommand comes after the shader that wrote them.
func (p *Program) DispatchIndirect(buffer uint32, offset int) {
	p.use(true)
	p.begin()
	p.device.opaque()
	gl.BindBuffer(gl.DISPATCH_INDIRECT_BUFFER, buffer)
	gl.DispatchComputeIndirect(offset)
}

// use checks that the program can run.
func (p *Program) use(compute bool) {
	if p.deleted {
		panic(fmt.Sprintf("gpu: program %q was deleted", p.label))
	}
	if p.compute != compute {
		panic(fmt.Sprintf("gpu: program %q: compute programs are dispatched, others drawn", p.label))
	}
	p.device.inside("Dispatch or Draw", p.label)
}

// begin makes the program the current one, with its uniforms.
func (p *Program) begin() {
	p.device.mustEnter()
	defer p.device.leave()
	p.device.keep(running, 0)
	p.own()
	gl.UseProgram(p.name)
}

// Delete ends the use of the program; the device keeps what the driver has made of it. Deleting twice, or none, does nothing.
func (p *Program) Delete() {
	if p == nil || p.deleted {
		return
	}
	p.deleted = true
	if p.owner == p {
		p.owner = nil
	}
}
