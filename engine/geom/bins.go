package geom

// bins lists things by the cells of a raster that they are near.
type bins[T comparable] struct {
	raster
	lists [][]T
}

func newBins[T comparable](r raster) bins[T] {
	return bins[T]{r, make([][]T, r.columns*r.rows)}
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
