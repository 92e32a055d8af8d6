package headless

import (
	"fmt"
	"syscall"
)

// libraryName and remedies are of the system.
const (
	libraryName   = "libEGL.dll"
	installEGL    = "Put Mesa's libEGL.dll and libgallium_wgl.dll beside the program: Windows and its drivers have no EGL. Or use a hidden window (package window)."
	installDriver = "EGL of ANGLE has no desktop OpenGL: put Mesa's libEGL.dll beside the program, or use a hidden window (package window)."
)

// file is a shared library.
type file syscall.Handle

func openFile(name string) (file, error) {
	f, err := syscall.LoadLibrary(name)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return file(f), nil
}

func (f file) symbol(name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(f), name)
}

func (f file) close() { _ = syscall.FreeLibrary(syscall.Handle(f)) }
