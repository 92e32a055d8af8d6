package glstate

import "github.com/go-gl/gl/v4.5-core/gl"

// Probes find out what a host is in the middle of.
type Probes struct {
	counting []counter
	query    uint32 // to find conditional rendering
}

// NewProbes makes the probes of the current context.
func NewProbes() (p Probes) {
	p.counting = counters()
	gl.CreateQueries(gl.ANY_SAMPLES_PASSED, 1, &p.query)
	return p
}

// Delete frees the probes.
func (p *Probes) Delete() { gl.DeleteQueries(1, &p.query) }

// Busy returns what the host is in the middle of that Wayfront would spoil, or be spoiled by, and
// what to do about it; nothing where all is well. It may leave errors of OpenGL.
func (p *Probes) Busy() (what, remedy string) {
	value := values.Get().(*int32)
	defer values.Put(value)
	for _, q := range p.counting {
		gl.GetQueryIndexediv(q.target, q.index, gl.CURRENT_QUERY, value)
		if *value != 0 {
			return "an active query of " + q.name, "end it before the call, or it counts what Wayfront does"
		}
	}
	if Integer(gl.TRANSFORM_FEEDBACK_ACTIVE) != 0 && Integer(gl.TRANSFORM_FEEDBACK_PAUSED) == 0 {
		return "active transform feedback", "pause or end it before the call, or it captures what Wayfront draws"
	}
	// OpenGL does not report conditional rendering, but refuses to begin it twice.
	gl.BeginConditionalRender(p.query, gl.QUERY_NO_WAIT)
	if gl.GetError() != gl.NO_ERROR {
		return "active conditional rendering", "end it before the call, or it may leave out what Wayfront does"
	}
	gl.EndConditionalRender()
	if program := Integer(gl.CURRENT_PROGRAM); program != 0 {
		gl.GetProgramiv(uint32(program), gl.DELETE_STATUS, value)
		if *value != 0 {
			return "a current program that is marked for deletion", "use another one before the call: this one goes when Wayfront uses its own, and cannot be used again"
		}
	}
	return "", ""
}

var values = pool[int32]()

// counter is a kind of query that counts what is drawn or run while it is active. One of
// GL_TIME_ELAPSED is none: the host that has it active wants to know what Wayfront takes.
type counter struct {
	name   string
	target uint32
	index  uint32
}

// counters are the kinds of queries that the current context has.
func counters() []counter {
	all := []counter{
		{"GL_SAMPLES_PASSED", gl.SAMPLES_PASSED, 0},
		{"GL_ANY_SAMPLES_PASSED", gl.ANY_SAMPLES_PASSED, 0},
		{"GL_ANY_SAMPLES_PASSED_CONSERVATIVE", gl.ANY_SAMPLES_PASSED_CONSERVATIVE, 0},
	}
	streams := uint32(Integer(gl.MAX_VERTEX_STREAMS))
	for i := range streams {
		all = append(all,
			counter{"GL_PRIMITIVES_GENERATED", gl.PRIMITIVES_GENERATED, i},
			counter{"GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN", gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, i})
	}
	for i := range Integer(gl.NUM_EXTENSIONS) {
		switch gl.GoStr(gl.GetStringi(gl.EXTENSIONS, uint32(i))) {
		case "GL_ARB_pipeline_statistics_query":
			for _, target := range [...]uint32{
				gl.VERTICES_SUBMITTED_ARB, gl.PRIMITIVES_SUBMITTED_ARB, gl.VERTEX_SHADER_INVOCATIONS_ARB, gl.GEOMETRY_SHADER_INVOCATIONS,
				gl.GEOMETRY_SHADER_PRIMITIVES_EMITTED_ARB, gl.FRAGMENT_SHADER_INVOCATIONS_ARB, gl.COMPUTE_SHADER_INVOCATIONS_ARB,
				gl.CLIPPING_INPUT_PRIMITIVES_ARB, gl.CLIPPING_OUTPUT_PRIMITIVES_ARB,
			} {
				all = append(all, counter{"pipeline statistics", target, 0})
			}
		case "GL_ARB_transform_feedback_overflow_query":
			all = append(all, counter{"GL_TRANSFORM_FEEDBACK_OVERFLOW", gl.TRANSFORM_FEEDBACK_OVERFLOW_ARB, 0})
			for i := range streams {
				all = append(all, counter{"GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW", gl.TRANSFORM_FEEDBACK_STREAM_OVERFLOW_ARB, i})
			}
		}
	}
	return all
}
