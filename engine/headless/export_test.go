package headless

// OpenUnchecked makes a context with the no-error flag.
func OpenUnchecked() (*Context, error) { return open("", []int{eglContextNoErrorKHR, 1}) }
