// Package chart writes charts, stacked bars and moments of crowds as SVG documents, by gonum/plot.
package chart
