//go:build unix

package console

import (
	"os"
	"syscall"
)

// alone reports whether a file has one name only.
func alone(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return !ok || s.Nlink == 1
}

// likeOf copies mode and owner of a file to another one, and reports whether it could.
func likeOf(file *os.File, like os.FileInfo) bool {
	want, ok := like.Sys().(*syscall.Stat_t)
	info, err := file.Stat()
	if err != nil || !ok {
		return false
	}
	// The owner first: that clears bits of the mode.
	if has, ok := info.Sys().(*syscall.Stat_t); !ok || has.Uid != want.Uid || has.Gid != want.Gid {
		if file.Chown(int(want.Uid), int(want.Gid)) != nil {
			return false
		}
	}
	return file.Chmod(like.Mode()) == nil
}
