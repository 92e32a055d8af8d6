// Package bench measures maps (spm), crowds (avoidance) and local maps (bvp) on this device.
//
// A suite returns jobs, cases by methods; each checks its answer before it is timed. Results are
// one JSON document, from which pages (pages/*.tmpl, by text/template) and charts (gonum plot) are
// written, at once or later.
package bench
