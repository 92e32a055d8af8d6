package headless

// OpenLibrary makes a context with a library by its file name.
func OpenLibrary(name string) (*Context, error) { return open(name) }

// OpenUnchecked makes a context with the no-error flag.
func OpenUnchecked() (*Context, error) { return open(libraryName, eglContextNoErrorKHR, 1) }
