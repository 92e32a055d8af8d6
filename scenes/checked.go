package scenes

// New returns a scene of a domain with every default, the profile "default" among them, and
// without obstacles, goals and groups. It wants at least one goal before it can be used.
func New(domain Rect) *Scene {
	s := records[sceneType].blank.Interface().(Scene)
	s.Version, s.Name, s.Domain, s.Profiles = Version, stem(""), domain, []Profile{DefaultProfile()}
	return &s
}

// Checked returns what Read makes of the scene's document: a scene of its own with every default
// filled in and equal neighbors of polygons merged, nil if it is refused, and every problem.
// Problems have paths and no places. So a scene that a program builds has the defaults, the limits
// and the messages of one that is read; see Scene for what counts as left out. The scene itself is
// not changed and shares nothing with the one returned. A nil scene is an empty one.
func (s *Scene) Checked() (*Scene, []Problem) {
	if s == nil {
		s = &Scene{}
	}
	scene, problems := Read("", new(encoder).document(s))
	for i := range problems {
		problems[i].Line, problems[i].Column = 0, 0
	}
	return scene, problems
}
