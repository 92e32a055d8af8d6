// Package builtin holds the built-in scenes: documents in assets/scenes, and scenes that Go code
// generates because they are large, random or exist in any size.
//
// Maps are those of Table 1 of Farias and Kallmann, Improved Shortest Path Maps with GPU Shaders
// (2018), with the paper's numbers of polygons and vertices. Crowds are those of Guy et al.,
// ClearPath, and of Bleiweiss, Multi Agent Navigation on the GPU, both 2009, with the papers'
// numbers of agents and obstacles; local maps are those of Fischer et al. (2009) and Dapper et al.
// (2007). Families exist in any size, NAME-N (family.go).
//
// Generated coordinates are the same on every machine: products are rounded before they are added,
// directions and places are rounded to decimals.
package builtin
