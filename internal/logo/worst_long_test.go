//go:build long

package logo_test

import (
	"testing"
	"time"

	"daftar/internal/logo"
)

// One file may keep the server busy for a second. The fastest of three times counts: on a machine
// that is shared, others can take a part of any one.
func TestLongMeasuredWorstFiles(t *testing.T) {
	for name, file := range worst(t) {
		if len(file) > logo.MaxBytes {
			t.Errorf("%s: %d bytes", name, len(file))
		}
		fastest := time.Hour
		for range 3 {
			began := time.Now()
			if _, err := logo.Read(file); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			fastest = min(fastest, time.Since(began))
		}
		if fastest > time.Second {
			t.Errorf("%s took %v", name, fastest)
		}
	}
}
