//go:build long

package logo_test

import (
	"syscall"
	"testing"
	"time"

	"daftar/internal/logo"
)

// No file keeps the server's processor busy for more than three times as long as a photograph of 2 MB
// does, which takes about half a second. Both are measured in the same run, and in processor time,
// because machines differ and are shared. The fastest of three counts.
func TestLongMeasuredWorstFiles(t *testing.T) {
	files := worst(t)
	photo := fastest(t, "JPEG, noise", files["JPEG, noise"])
	for name, file := range files {
		if len(file) > logo.MaxBytes {
			t.Errorf("%s: %d bytes", name, len(file))
		}
		if took := fastest(t, name, file); took > 3*photo {
			t.Errorf("%s took %v, and a photograph %v", name, took, photo)
		}
	}
}

// fastest is the least processor time of three in which a file was read.
func fastest(t *testing.T, name string, file []byte) time.Duration {
	t.Helper()
	least := time.Hour
	for range 3 {
		began := worked(t)
		if _, err := logo.Read(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		least = min(least, worked(t)-began)
	}
	t.Logf("%s: %v", name, least)
	return least
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
