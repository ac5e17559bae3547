//go:build long

package logo_test

import (
	"testing"
	"time"

	"daftar/internal/logo"
)

// One file may keep the server busy for a second.
func TestLongMeasuredWorstFiles(t *testing.T) {
	for name, file := range worst(t) {
		if len(file) > logo.MaxBytes {
			t.Errorf("%s: %d bytes", name, len(file))
		}
		began := time.Now()
		if _, err := logo.Read(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
