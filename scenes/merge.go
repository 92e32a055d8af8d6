package scenes

import (
	"reflect"
	"slices"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Merge returns a scene with two authors' changes of one: ours and theirs. Where both changed the
// same field in different ways, ours stays, and conflicts has its path, as Problem.Path; so it does
// where one removed an item of a list that the other changed, and the item stays. Items of lists
// count as the same as they do for Rewrite. The three scenes are not changed.
func Merge(base, ours, theirs *Scene) (merged *Scene, conflicts []string) {
	m := merger{}
	result := m.value(reflect.ValueOf(*base), reflect.ValueOf(*ours), reflect.ValueOf(*theirs)).Interface().(Scene)
	return result.Clone(), m.conflicts
}

type merger struct {
	path      []text.Step
	conflicts []string
}

func (m *merger) conflict() { m.conflicts = append(m.conflicts, text.FormatPath(m.path)) }

// inside calls do with a step added to the path.
func (m *merger) inside(s text.Step, do func()) {
	m.path = append(m.path, s)
	do()
	m.path = m.path[:len(m.path)-1]
}

func (m *merger) value(base, ours, theirs reflect.Value) reflect.Value {
	equal := func(a, b reflect.Value) bool { return reflect.DeepEqual(a.Interface(), b.Interface()) }
	switch {
	case equal(base, ours):
		return theirs
	case equal(base, theirs) || equal(ours, theirs):
		return ours
	}
	switch kind := base.Kind(); {
	case kind == reflect.Pointer && !base.IsNil() && !ours.IsNil() && !theirs.IsNil():
		p := reflect.New(base.Type().Elem())
		p.Elem().Set(m.value(base.Elem(), ours.Elem(), theirs.Elem()))
		return p
	case kind == reflect.Struct && base.Type() != distributionType:
		out := reflect.New(base.Type()).Elem()
		for _, f := range records[base.Type()].fields {
			m.inside(text.Step{Name: f.name}, func() {
				out.FieldByIndex(f.index).Set(m.value(base.FieldByIndex(f.index), ours.FieldByIndex(f.index), theirs.FieldByIndex(f.index)))
			})
		}
		return out
	case kind == reflect.Slice && base.Type().Elem().Kind() == reflect.Struct:
		return m.list(base, ours, theirs)
	}
	m.conflict()
	return ours
}

// list merges lists of objects: theirs, with our changes, without what we removed, and with what we
// added behind the item that it follows in ours.
func (m *merger) list(base, ours, theirs reflect.Value) reflect.Value {
	our, their := align(base, ours), align(base, theirs)
	out := reflect.MakeSlice(base.Type(), 0, theirs.Len()+ours.Len())
	changed := func(was int, now reflect.Value) bool {
		return !reflect.DeepEqual(base.Index(was).Interface(), now.Interface())
	}
	matched := make([]int, theirs.Len()) // the item of ours; -1: none
	for k, was := range their {
		if was >= 0 {
			matched[k] = slices.Index(our, was)
		} else {
			matched[k] = added(our, ours, theirs.Index(k))
		}
	}
	// addOurs adds what only we have behind an item of ours.
	addOurs := func(j int) {
		for j++; j < len(our) && !slices.Contains(matched, j); j++ {
			if our[j] >= 0 && !changed(our[j], ours.Index(j)) {
				continue // they removed it
			}
			if our[j] >= 0 {
				m.inside(text.Step{Index: out.Len()}, m.conflict)
			}
			out = reflect.Append(out, ours.Index(j))
		}
	}
	addOurs(-1)
	for k, was := range their {
		j, is := matched[k], theirs.Index(k)
		m.inside(text.Step{Index: out.Len()}, func() {
			switch {
			case j >= 0 && was >= 0:
				is = m.value(base.Index(was), ours.Index(j), is)
			case j >= 0: // both added it
				is = m.value(reflect.Zero(is.Type()), ours.Index(j), is)
			case was >= 0 && !changed(was, is):
				return // we removed it
			case was >= 0:
				m.conflict()
			}
			out = reflect.Append(out, is)
		})
		if j >= 0 {
			addOurs(j)
		}
	}
	return out
}

// added finds the item that we have added under the id of one that they have added; -1 where there
// is none.
func added(our []int, ours, is reflect.Value) int {
	for j, was := range our {
		if was < 0 && itemID(is) != "" && itemID(ours.Index(j)) == itemID(is) {
			return j
		}
	}
	return -1
}
