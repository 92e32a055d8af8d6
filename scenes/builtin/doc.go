// Package builtin holds the built-in scenes: documents in assets/scenes, and families of scenes
// that exist in any size, NAME-N (family.go). The scenes that are listed, and their sources, stand
// in assets/scenes/list.txt.
//
// Maps are those of Table 1 of Farias and Kallmann, Improved Shortest Path Maps with GPU Shaders
// (2018), with the paper's numbers of polygons and vertices. Crowds are those of Guy et al.,
// ClearPath, and of Bleiweiss, Multi Agent Navigation on the GPU, both 2009, with the papers'
// numbers of agents and obstacles; local maps are those of Fischer et al. (2009) and Dapper et al.
// (2007).
//
// Generated coordinates are the same on every machine: products are rounded before they are added,
// directions and places are rounded to decimals.
package builtin
