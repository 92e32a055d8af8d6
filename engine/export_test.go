package engine

// LimitMeetings has a world refuse obstacles long before they cost much.
func LimitMeetings(w *World, most int64) {
	for _, p := range w.terrain.plans {
		p.LimitMeetings(most)
	}
}
