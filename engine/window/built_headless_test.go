//go:build headless

package window_test

// built says whether this build has windows.
const built = false
