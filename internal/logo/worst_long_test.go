//go:build long

package logo_test

import (
	"syscall"
	"testing"
	"time"

	"daftar/internal/logo"
)

// One file may keep the server busy for a second, of its processor: on a machine that is shared, the time
// that passes says more about the others. The fastest of three counts.
func TestLongMeasuredWorstFiles(t *testing.T) {
	for name, file := range worst(t) {
		if len(file) > logo.MaxBytes {
			t.Errorf("%s: %d bytes", name, len(file))
		}
		fastest := time.Hour
		for range 3 {
			began := worked(t)
			if _, err := logo.Read(file); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			fastest = min(fastest, worked(t)-began)
		}
		if fastest > time.Second {
			t.Errorf("%s took %v", name, fastest)
		}
	}
}

// worked is how long the processor has worked for this process.
func worked(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
