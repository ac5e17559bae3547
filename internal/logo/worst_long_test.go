//go:build long

package logo_test

import (
	"testing"
	"time"

	"daftar/internal/logo"
)

// A second is what a place of the server may be taken for by one file.
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
