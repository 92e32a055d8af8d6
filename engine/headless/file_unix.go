//go:build !windows

package headless

import "github.com/ebitengine/purego"

// libraryName and remedies are of the system.
const (
	libraryName   = "libEGL.so.1"
	installEGL    = "Install EGL: apt-get install libegl1 libgl1-mesa-dri (Debian, Ubuntu)."
	installDriver = "Install a driver: apt-get install libegl1 libgl1-mesa-dri for Mesa with its software renderer (Debian, Ubuntu), or the NVIDIA driver with its EGL library for an NVIDIA card."
)

// file is a shared library.
type file uintptr

func openFile(name string) (file, error) {
	f, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	return file(f), err
}

func (f file) symbol(name string) (uintptr, error) { return purego.Dlsym(uintptr(f), name) }

func (f file) close() { _ = purego.Dlclose(uintptr(f)) }
