// Package media encodes films (MP4 and WebM by ffmpeg, GIF) and NumPy arrays.
package media
