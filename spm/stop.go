package spm

// Stop has later builds by method sequential end when so many generators, the nearest ones, have
// cast their cones: the steps of figure 2 of the paper. Such a map is no shortest path map yet:
// distances are those over these generators alone, and what none of them lights is unreached. 0 is
// no bound. Method wavefront has no such steps: Stop panics.
func (b *Builder) Stop(after int) {
	if b.sequential == nil || after < 0 {
		panic("spm: Stop is for method sequential, and after so many generators: give 0 or more")
	}
	b.sequential.most = after
}

// Watch has later builds by method sequential call back each time that another generator's commands
// are issued: so many of so many, in every layer anew. nil ends that. Method wavefront has no such
// steps: Watch panics.
func (b *Builder) Watch(report func(issued, of int)) {
	if b.sequential == nil {
		panic("spm: Watch is for method sequential")
	}
	b.sequential.report = report
}
