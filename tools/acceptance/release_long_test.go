//go:build long

package acceptance_test

import (
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
