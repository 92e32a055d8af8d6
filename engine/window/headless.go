//go:build headless

package window

// Open reports that this build has no window: the error is an *Error of kind NotBuilt.
func Open(Options) (Window, error) { return nil, &Error{Kind: NotBuilt} }
