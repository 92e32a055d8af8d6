// Package geom turns obstacles into exact ground.
package geom
