package engine

// LimitMeetings has a world refuse obstacles long before they cost much.
func LimitMeetings(w *World, most int64) {
	for _, p := range w.terrain.plans {
		p.LimitMeetings(most)
	}
}

// Kept are the names of what a checkpoint keeps on the device.
func (c *Checkpoint) Kept() (names []string) {
	for _, part := range c.archive.Read() {
		names = append(names, part.Name)
	}
	return names
}
