package main_test

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	bench "daftar/tools/bench"
	"daftar/tools/bench/figures"
)

// A byte comes back from another process over each kind of connection, and the thread may use all of its
// cores again afterwards.
func TestSwitchesAreTimed(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	all, err := bench.TimeSwitches(t.Context(), 10*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.SchedGetaffinity(0, &after); err != nil || after != before {
		t.Errorf("bound to %d of %d cores afterwards, %v", after.Count(), before.Count(), err)
	}
	if len(all) != 3 {
		t.Errorf("%d kinds were measured, want 3", len(all))
	}
	// A round trip takes at least four system calls and at most, on a busy machine, a few turns of others.
	for _, f := range all {
		if f.Unit != figures.Switch || f.Value < 0.2 || f.Value > 50_000 {
			t.Errorf("%s: %v %s", f.Name, f.Value, f.Unit)
		}
	}
}
