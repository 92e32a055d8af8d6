// Package heap is a priority queue. Package container/heap would allocate for each item.
package heap

// Item is what a Heap holds.
type Item[T any] interface {
	Before(T) bool // in the order in which items are popped
}

// Heap is a binary heap. A nil Heap is empty.
type Heap[T Item[T]] []T

// Push adds an item.
func (h *Heap[T]) Push(x T) {
	*h = append(*h, x)
	q := *h
	i := len(q) - 1
	for i > 0 && x.Before(q[(i-1)/2]) {
		q[i] = q[(i-1)/2]
		i = (i - 1) / 2
	}
	q[i] = x
}

// Pop removes an item before which no other is. An empty heap panics.
func (h *Heap[T]) Pop() T {
	q := *h
	top, x := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	*h = q
	for i := 0; len(q) > 0; {
		child := 2*i + 1
		if child+1 < len(q) && q[child+1].Before(q[child]) {
			child++
		}
		if child >= len(q) || !q[child].Before(x) {
			q[i] = x
			break
		}
		q[i] = q[child]
		i = child
	}
	return top
}
