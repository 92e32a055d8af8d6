// Package gputest runs tests on a device. Each test binary has one context without a display:
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

// The binary's context. It moves from thread to thread with the test that uses it, so that a test's
// own goroutine runs on it and may fail as any other.
var (
	mutex   sync.Mutex
	context *headless.Context
	device  *gpu.Device
)

// Main makes the context, runs the tests and exits.
func Main(m *testing.M) {
	if err := open(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	runtime.LockOSThread()
	if err := context.MakeCurrent(); err == nil {
		_ = device.Close()
		context.Close()
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

func open() (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if context, device, err = opened(); err != nil {
		return err
	}
	return context.Release()
}

// opened makes a context, current on this thread, and a device of it.
func opened() (c *headless.Context, d *gpu.Device, err error) {
	if c, err = headless.Open(); err != nil {
		return nil, nil, err
	}
	if err = c.MakeCurrent(); err == nil {
		d, err = gpu.NewOwn()
	}
	return c, d, err
}

// Run runs f on the binary's device. What f made lives until the binary ends unless f deletes it.
// An error of OpenGL or a high-severity message of the driver that f did not ask Device.Err for
// fails the test. Tests that run at once wait for each other here, so calls must not be nested.
func Run(t testing.TB, f func(d *gpu.Device)) {
	t.Helper()
	if device == nil {
		t.Fatal("gputest: no context: the package needs func TestMain(m *testing.M) { gputest.Main(m) }")
	}
	mutex.Lock()
	defer mutex.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := context.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	defer func() { check(t, device.Err(), context.Release()) }()
	f(device)
}

// Fresh runs f on a device of its own, with a context of its own, that goes afterwards. It is for
// what a first use decides, and for state that must not stay. Otherwise it is as Run.
func Fresh(t testing.TB, f func(d *gpu.Device)) {
	t.Helper()
	mutex.Lock()
	defer mutex.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	own, d, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	defer func() { check(t, d.Err(), d.Close()) }()
	f(d)
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
