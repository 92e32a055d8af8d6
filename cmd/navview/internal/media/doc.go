// Package media encodes films (MP4 by ffmpeg, GIF) and NumPy arrays.
package media
