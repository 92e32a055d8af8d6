package scenes

import "reflect"

// Clone returns a copy that shares nothing with the scene. Empty lists are nil, as after reading.
func (s *Scene) Clone() *Scene {
	c := cloneOf(reflect.ValueOf(*s)).Interface().(Scene)
	return &c
}

// Clone returns a copy that shares nothing with the obstacle, as Scene.Clone does.
func (o Obstacle) Clone() Obstacle { return cloneOf(reflect.ValueOf(o)).Interface().(Obstacle) }

// cloneOf returns a deep copy of a value of a document.
func cloneOf(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(cloneOf(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			c.Field(i).Set(cloneOf(v.Field(i)))
		}
	case reflect.Slice:
		if v.Len() > 0 {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				c.Index(i).Set(cloneOf(v.Index(i)))
			}
		}
	default: // arrays have numbers alone
		c.Set(v)
	}
	return c
}
