// Package dxf reads drawings in AutoCAD's exchange format as text: what lies in model space on layers
// that are shown, with blocks where they are inserted.
//
// The readers of DXF that Go has are not maintained, or cannot be had; and a message has to have
// the place, as of all importers. A file is a list of groups, each a code and a value on two lines
// (groups.go), of which sections, blocks and entities are made (dxf.go); entity.go draws an entity.
package dxf
