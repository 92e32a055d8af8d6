package gpu

import (
	"sort"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// Variable is a member of a storage buffer as the driver lays it out.
type Variable struct {
	Name   string // as OpenGL spells it: "items[0].position"
	Type   string // in GLSL
	Offset int    // bytes, in the first element
	Stride int    // bytes from an element of the outermost array to the next; 0 where there is none
}

// BufferVariables lists the members of the program's storage buffers by name. It is how tests compare what Go and GLSL
// make of a struct.
func (p *Program) BufferVariables() []Variable {
	var count, longest int32
	gl.GetProgramInterfaceiv(p.name, gl.BUFFER_VARIABLE, gl.ACTIVE_RESOURCES, &count)
	gl.GetProgramInterfaceiv(p.name, gl.BUFFER_VARIABLE, gl.MAX_NAME_LENGTH, &longest)
	name := make([]byte, longest+1)
	properties := [...]uint32{gl.TYPE, gl.OFFSET, gl.TOP_LEVEL_ARRAY_STRIDE}
	variables := make([]Variable, count)
	for i := range variables {
		var values [len(properties)]int32
		gl.GetProgramResourceiv(p.name, gl.BUFFER_VARIABLE, uint32(i), int32(len(properties)), &properties[0], int32(len(values)), nil, &values[0])
		var length int32
		gl.GetProgramResourceName(p.name, gl.BUFFER_VARIABLE, uint32(i), int32(len(name)), &length, &name[0])
		variables[i] = Variable{
			Name:   string(name[:length]),
			Type:   uniformKinds[uint32(values[0])].name,
			Offset: int(values[1]),
			Stride: int(values[2]),
		}
	}
	sort.Slice(variables, func(i, j int) bool { return variables[i].Name < variables[j].Name })
	return variables
}
