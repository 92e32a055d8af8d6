package gpu

import "slices"

// Deleter is what is on a device until it is deleted.
type Deleter interface{ Delete() }

// ResourceSet is what is made on a device, to be deleted together. After the first error, Err,
// nothing more is made, and what is returned is nil. It is used like the device: in Device.Do.
type ResourceSet struct {
	Device   *Device
	Err      error
	Held     []Deleter
	replaced []Deleter // to be deleted once all is made
}

// Keep makes something and holds it.
func Keep[T Deleter](r *ResourceSet, build func() (T, error)) (kept T) {
	if r.Err != nil {
		return kept
	}
	made, err := build()
	if err != nil {
		r.Err = err
		return kept
	}
	r.Held = append(r.Held, made)
	return made
}

// Upload makes a buffer of data.
func Upload[T any](r *ResourceSet, label string, data []T) *Buffer[T] {
	return Keep(r, func() (*Buffer[T], error) {
		b, err := NewBuffer[T](r.Device, label, len(data))
		if err == nil {
			b.Write(0, data)
		}
		return b, err
	})
}

// Compile makes a pass. The device keeps what the driver has made of it.
func Compile[T any](r *ResourceSet, spec PassSpec[T]) (p *Pass[T]) {
	if r.Err == nil {
		p, r.Err = NewPass(r.Device, spec)
	}
	return p
}

// Fit makes a buffer hold so many elements: what it held, then zeros. One that holds them stays.
func Fit[T any](r *ResourceSet, b **Buffer[T], label string, length int) {
	old := *b
	if old != nil && old.Len() >= length {
		return
	}
	*b = Keep(r, func() (*Buffer[T], error) { return NewBuffer[T](r.Device, label, length) })
	if old != nil && *b != nil {
		old.CopyTo(*b, old.Len())
		r.Replace(old)
	}
}

// Replace has Take delete what the set that takes these holds.
func (r *ResourceSet) Replace(old ...Deleter) { r.replaced = append(r.replaced, old...) }

// Take moves what another set holds to this one, and deletes what that has replaced. Where the other
// has an error, what it holds is deleted and the error returned.
func (r *ResourceSet) Take(other *ResourceSet) error {
	if other.Err != nil {
		other.Delete()
		return other.Err
	}
	for _, old := range other.replaced {
		r.Held = slices.DeleteFunc(r.Held, func(x Deleter) bool { return x == old })
		old.Delete()
	}
	r.Held = append(r.Held, other.Held...)
	return nil
}

// Delete deletes all that it holds.
func (r *ResourceSet) Delete() {
	for _, x := range r.Held {
		x.Delete()
	}
	r.Held = nil
}
