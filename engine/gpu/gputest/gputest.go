// Package gputest runs tests on a device. A test binary has a context without a display, and more
// of them while tests run in parallel:
//
//	func TestMain(m *testing.M) { gputest.Main(m) }
//
//	func TestSomething(t *testing.T) {
//		gputest.Run(t, func(d *gpu.Device) { ... })
//	}
//
// A machine that cannot make a context fails the tests, with the reason; nothing is skipped.
package gputest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/headless"
)

// opened is a context and its device. It moves from thread to thread with the test that uses it, so
// that a test's own goroutine runs on it and may fail as any other.
type opened struct {
	context *headless.Context
	device  *gpu.Device
}

// The binary's contexts that no test uses. There are as many in all as tests have run at once.
var (
	mutex sync.Mutex
	idle  []opened
	ready bool // Main made the first one
)

// Main makes the first context, runs the tests and exits.
func Main(m *testing.M) {
	first, err := open()
	if err == nil {
		err = first.context.Release()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	idle, ready = append(idle, first), true
	code := m.Run()
	for _, o := range idle {
		if err := o.context.MakeCurrent(); err == nil {
			_ = o.device.Close()
			o.context.Close()
		}
	}
	os.Exit(code)
}

// WithoutThreads, ahead of Main, has llvmpipe run without threads, but for benchmarks and where the
// user has chosen a number. Packages are tested side by side, and on small worlds threads mostly wait
// for each other: they take half as much time again. Packages of few passes keep them, and with them
// what a race between work groups would show.
func WithoutThreads() {
	flag.Parse()
	if bench := flag.Lookup("test.bench").Value.String(); bench == "" && os.Getenv("LP_NUM_THREADS") == "" {
		_ = os.Setenv("LP_NUM_THREADS", "0")
	}
}

// open makes a context, current on this thread, which stays the goroutine's, and a device of it.
func open() (o opened, err error) {
	runtime.LockOSThread()
	if o.context, err = headless.Open(); err != nil {
		return o, err
	}
	if err = o.context.MakeCurrent(); err == nil {
		o.device, err = gpu.NewOwn()
	}
	return o, err
}

// Run runs f on a device of the binary's. What f made lives until the binary ends unless f deletes
// it. An error of OpenGL or a high-severity message of the driver that f did not ask Device.Err for
// fails the test. Tests that run at once have a device each. Calls must not be nested.
func Run(t testing.TB, f func(d *gpu.Device)) {
	t.Helper()
	o, err := take()
	defer runtime.UnlockOSThread()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		check(t, o.device.Err(), o.context.Release())
		mutex.Lock()
		defer mutex.Unlock()
		idle = append(idle, o)
	}()
	f(o.device)
}

// take returns a device, current on this thread, which stays the goroutine's.
func take() (o opened, err error) {
	mutex.Lock()
	switch last := len(idle) - 1; {
	case !ready:
		err = errors.New("gputest: no context: the package needs func TestMain(m *testing.M) { gputest.Main(m) }")
	case last >= 0:
		o, idle = idle[last], idle[:last]
	}
	mutex.Unlock()
	if o.context == nil && err == nil {
		return open()
	}
	runtime.LockOSThread()
	if err == nil {
		err = o.context.MakeCurrent()
	}
	return o, err
}

// Fresh runs f on a device of its own, with a context of its own, that goes afterwards. It is for
// what a first use decides, and for state that must not stay. Otherwise it is as Run.
func Fresh(t testing.TB, f func(d *gpu.Device)) {
	t.Helper()
	o, err := open()
	defer runtime.UnlockOSThread()
	if err != nil {
		t.Fatal(err)
	}
	defer o.context.Close()
	defer func() { check(t, o.device.Err(), o.device.Close()) }()
	f(o.device)
}

// Host runs f in a context of a host's, which is current on the goroutine's thread and without
// a device. The context goes afterwards.
func Host(t testing.TB, f func(c *headless.Context)) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := headless.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	f(c)
}

// check reports errors.
func check(t testing.TB, all ...error) {
	t.Helper()
	if err := errors.Join(all...); err != nil {
		t.Error(err)
	}
}
