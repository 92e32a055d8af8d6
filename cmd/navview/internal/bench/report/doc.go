// Package report has the document of bench --json, and what follows from results: growth,
// break-evens, and for each suite its texts and pages (pages/*.tmpl, by text/template) and charts.
package report
