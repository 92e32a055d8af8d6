package spm

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// resource is a buffer of any elements, or none.
type resource interface {
	Delete()
	Bytes() int64
}

func free(all ...resource) {
	for _, r := range all {
		r.Delete()
	}
}

func bytesOf(all ...resource) (sum int64) {
	for _, r := range all {
		sum += r.Bytes()
	}
	return sum
}

// enlarge puts a buffer of n elements in the place of an old one that is smaller. Without memory
// for it the old one stays.
func enlarge[T any](d *gpu.Device, b **gpu.Buffer[T], label string, n int) error {
	if *b != nil && (*b).Len() >= n {
		return nil
	}
	return renew(d, b, label, n)
}

// renew puts a buffer of n elements in the place of an old one. Without memory for it the old one
// stays.
func renew[T any](d *gpu.Device, b **gpu.Buffer[T], label string, n int) error {
	fresh, err := gpu.NewBuffer[T](d, label, n)
	if err != nil {
		return err
	}
	(*b).Delete()
	*b = fresh
	return nil
}

// upload puts a buffer of data in the place of an old one. Without memory for it the old one stays.
func upload[T any](d *gpu.Device, b **gpu.Buffer[T], label string, data []T) error {
	err := renew(d, b, label, len(data))
	if err == nil {
		(*b).Write(0, data)
	}
	return err
}

// sizeOf is the size of n elements in bytes.
func sizeOf[T any](n int) int64 { return int64(n) * int64(unsafe.Sizeof(*new(T))) }

// grown is a capacity where so much is needed: what there is, if that is enough, or half as much
// again as needed, since what is needed grows once there is more.
func grown(capacity, needed int) int {
	if needed <= capacity {
		return capacity
	}
	return needed + needed/2
}
