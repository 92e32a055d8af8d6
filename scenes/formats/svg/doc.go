// Package svg reads drawings. A user unit, which is a pixel, is a meter, or as long as the scale
// says, and y points up: the top of the drawing is the top of the scene. The sheet (viewBox, or
// else width and height) is the domain if nothing in the drawing names one.
//
// The role of a shape is in its class, layer (inkscape:label), id or data-role, or those of the
// nearest group around it that names one. Shapes without a role are obstacles. data-count is the
// number of agents of a spawn, data-clearance what a goal's map keeps from walls. What is not drawn
// (defs, display: none) is not read, nor are texts and images. Clones (use) are read as what they
// show.
//
// Obstacles are what is drawn: what is filled is solid, and of what is not filled the stroke is a
// wall of its width. Other roles need no paint. Curves become lines, 16 for each Bezier curve and
// 32 for a full turn. Paths are filled by the even-odd rule, and taken as closed but for those of
// goals.
//
// The elements, styles, transformations and paths are read here: no library for Go keeps the ids,
// classes and places of shapes, and those for paths alone bring renderers and fonts along.
package svg
