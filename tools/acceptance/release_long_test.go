//go:build long

package acceptance_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The same source gives the same bytes in another folder.
func TestLongReleaseIsReproducible(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "../../scripts/release", "--check").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "the same bytes from two folders") {
		t.Errorf("%v: %s", err, out)
	}
}

// What Linux alone has is in files of its own.
func TestLongCompilesForMacOS(t *testing.T) {
	t.Parallel()
	c := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", os.DevNull, "./cmd/daftar")
	c.Dir = "../.."
	c.Env = append(os.Environ(), "GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
