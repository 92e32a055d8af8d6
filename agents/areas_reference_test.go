package agents

// Areas is areas.comp.glsl in plain form: an agent's presence after a step, and its events of
// areas.
func (r *Reference) Areas(was Presence, after Agent, all []Area, fresh uint32) (is Presence, events []Event) {
	there, wasThere := There(after.Status), was.There == 1 && fresh != 1<<32-1
	is = Presence{X: after.Position[0], Y: after.Position[1]}
	if there {
		is.There = 1
	}
	for k, area := range all {
		var kind EventKinds
		switch {
		case len(area) == 2 && there && wasThere:
			kind = passage(area, [2]float32{was.X, was.Y}, after.Position)
		case len(area) > 2:
			inside := there && area.contains(after.Position)
			before := was.Inside&^fresh>>k&1 == 1
			if inside {
				is.Inside |= 1 << k
			}
			if inside && !before {
				kind = EventCameIn
			} else if !inside && before {
				kind = EventWentOut
			}
		}
		if kind != 0 {
			events = append(events, Event{Kinds: kind, Area: uint32(k)})
		}
	}
	return is, events
}

// leftOf is above 0 for a point on the left of the way from a to b.
func leftOf(a, b, p [2]float32) float32 {
	along, to := minus(b, a), minus(p, a)
	return float32(along[0]*to[1]) - float32(along[1]*to[0])
}

func (a Area) contains(p [2]float32) (inside bool) {
	for i, low := range a {
		high := a[(i+1)%len(a)]
		if high[1] <= low[1] {
			low, high = high, low
		}
		if low[1] <= p[1] && p[1] < high[1] && leftOf(low, high, p) > 0 {
			inside = !inside
		}
	}
	return inside
}

func passage(gate Area, from, to [2]float32) EventKinds {
	a, b := gate[0], gate[1]
	was, is := leftOf(a, b, from) > 0, leftOf(a, b, to) > 0
	switch through := (leftOf(from, to, a) > 0) != (leftOf(from, to, b) > 0); {
	case was == is || !through:
		return 0
	case is:
		return EventCameIn
	}
	return EventWentOut
}
