// Package scenes reads, checks and writes scene documents, and holds the
// built-in scenes.
package scenes
