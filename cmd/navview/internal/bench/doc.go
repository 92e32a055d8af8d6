// Package bench measures maps (spm), crowds (avoidance) and local maps (bvp) on this device.
//
// A suite returns jobs, cases by methods; each checks its answer before it is timed. Results are
// one document of package report, from which that writes tables, pages and charts, at once or
// later.
package bench
