package engine

import (
	"reflect"

	"github.com/wayfront/wayfront/engine/internal/flat"
	"github.com/wayfront/wayfront/scenes"
)

// LimitMeetings has a world refuse obstacles long before they cost much.
func LimitMeetings(w *World, most int64) {
	for _, p := range w.terrain.plans {
		p.LimitMeetings(most)
	}
}

// LimitMemory has a world take no more memory, or lifts that.
func LimitMemory(w *World, on bool) {
	if w.memory.Limit = 0; on {
		w.memory.Limit = w.memory.Used()
	}
}

// Kept are the names of what a checkpoint keeps on the device.
func (c *Checkpoint) Kept() (names []string) {
	for _, part := range c.archive.Read() {
		names = append(names, part.Name)
	}
	return names
}

// LocalMap is the local map of a profile whose agents do not differ, by its slot.
func LocalMap(w *World, profile int) (scenes.BVP, bool) {
	p, err := w.Profile(w.Profiles()[profile])
	return p.Mean().BVP, err == nil && p.Steering == scenes.SteeringBVP
}

// SetLocalMap gives a profile a local map, or none.
func SetLocalMap(w *World, profile int, m *scenes.BVP) error {
	id := w.Profiles()[profile]
	p, err := w.Profile(id)
	if err != nil {
		return err
	}
	if m != nil {
		p.Steering, p.BVP = scenes.SteeringBVP, scenes.Same(*m)
	} else if p.Steering == scenes.SteeringBVP {
		p.Steering = scenes.SteeringSPM
	}
	_, err = w.Edit(func(e *Edit) error { e.SetProfile(id, p); return nil })
	return err
}

// Recorded are the calls of methods that an edit has for the journal, and the arguments of each.
func Recorded(e *Edit) (methods []string, arguments [][]any, err error) {
	for _, o := range e.operations {
		holder := reflect.New(argumentsOf(editMethods()[o.Method].Type)).Elem()
		if err := new(flat.Codec).Read(o.Arguments, holder.Addr().Interface()); err != nil {
			return nil, nil, err
		}
		var all []any
		for i := range holder.NumField() {
			all = append(all, holder.Field(i).Interface())
		}
		methods, arguments = append(methods, o.Method), append(arguments, all)
	}
	return methods, arguments, nil
}
