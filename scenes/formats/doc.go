// Package formats imports scenes from other formats and exports scenes to them. A format is a
// package below this one and a line in the list All.
package formats
