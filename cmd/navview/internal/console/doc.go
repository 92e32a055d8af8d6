// Package console is the program's side towards its user: messages, progress, numbers as text, and
// files that appear only when they are complete.
package console
