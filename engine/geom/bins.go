package geom

// bins lists things by the cells of a raster that they are near.
type bins[T comparable] struct {
	raster
	lists [][]T
}

// newBins returns empty lists with room for so many things a cell; more make a list move.
func newBins[T comparable](r raster, room int) bins[T] {
	b := bins[T]{r, make([][]T, r.columns*r.rows)}
	all := make([]T, room*len(b.lists))
	for i := range b.lists {
		b.lists[i] = all[room*i : room*i : room*(i+1)]
	}
	return b
}

// add lists a thing in the cells.
func (c *bins[T]) add(thing T, in ...int32) {
	for _, i := range in {
		c.lists[i] = append(c.lists[i], thing)
	}
}

// remove takes a thing off the lists of the cells: once, if it was added several times.
func (c *bins[T]) remove(thing T, in ...int32) {
	for _, i := range in {
		list := c.lists[i]
		for k := range list {
			if list[k] == thing {
				list[k] = list[len(list)-1]
				c.lists[i] = list[:len(list)-1]
				break
			}
		}
	}
}
