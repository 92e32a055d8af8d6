// Package bench measures maps (spm), crowds (avoidance) and local maps (bvp) on this device.
//
// A suite returns jobs, cases by methods; each checks its answer before it is timed. Results are
// one document of package report, from which that writes tables, pages and charts, at once or
// later. The package has more than ten files: a file a suite, and one for each part that suites
// share.
package bench
