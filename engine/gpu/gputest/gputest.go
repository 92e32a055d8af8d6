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

func open() (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if context, err = headless.Open(); err != nil {
		return err
	}
	if err := context.MakeCurrent(); err != nil {
		return err
	}
	if device, err = gpu.NewOwn(); err != nil {
		return err
	}
	return context.Release()
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
	current(t, context)
	defer func() {
		if err := device.Err(); err != nil {
			t.Error(err)
		}
		release(t, context)
	}()
	f(device)
}

// Fresh runs f on a device of its own, with a context of its own, that goes afterwards. It is for
// what a first use decides, and for state that must not stay. Otherwise it is as Run.
func Fresh(t testing.TB, f func(d *gpu.Device)) {
	t.Helper()
	mutex.Lock()
	defer mutex.Unlock()
	own, err := headless.Open()
	if err != nil {
		t.Fatal(err)
	}
	current(t, own)
	defer release(t, own)
	defer own.Close()
	d, err := gpu.NewOwn()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.Err(); err != nil {
			t.Error(err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}()
	f(d)
}

// current ties the goroutine to its thread and makes the context current there, until release.
func current(t testing.TB, c *headless.Context) {
	t.Helper()
	runtime.LockOSThread()
	if err := c.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
}

func release(t testing.TB, c *headless.Context) {
	if err := c.Release(); err != nil {
		t.Error(err)
	}
	runtime.UnlockOSThread()
}
