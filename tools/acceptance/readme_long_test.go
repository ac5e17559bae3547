//go:build long

package acceptance_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// firstOrderLimit is the time from a clone to a paid order, with everything downloaded already.
const firstOrderLimit = 3 * time.Minute

// The commands of "Try it" in the README lead from a clone to a paid order, typed as printed: the
// first block in one terminal, the second in another. Only the addresses differ, because the tests
// share the machine.
func TestLongMeasuredReadmeToAPaidOrder(t *testing.T) { // alone: it measures
	_, section, found := strings.Cut(read(t, "../../README.md"), "\n## Try it\n")
	section, _, ended := strings.Cut(section, "\n## ")
	blocks := shellBlock.FindAllStringSubmatch(section, -1)
	if !found || !ended || len(blocks) != 2 {
		t.Fatalf("the README has %d blocks to type under \"Try it\", want 2", len(blocks))
	}
	began := time.Now()
	folder := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "git", "clone", "--quiet", "../..", folder).CombinedOutput()
	if err != nil {
		t.Fatalf("clone: %v: %s", err, out)
	}
	addresses := []string{address(t), address(t), address(t)}
	terminal := func(typed string) *exec.Cmd {
		c := exec.Command("setsid", "bash", "-euc", typed) // a session, as a terminal has; the test's end stops it
		c.Dir = folder
		c.Env = append(c.Environ(), "DAFTAR_LISTEN="+addresses[0], "DAFTAR_OPS_LISTEN="+addresses[1],
			"DAFTAR_SANDBOX_LISTEN="+addresses[2])
		return c
	}
	// Closing a terminal ends everything in it. With make alone the demo would keep running.
	demo := programtest.Start(t,
		terminal("trap 'trap - TERM; kill -- -$$' TERM\n"+strings.TrimSpace(blocks[0][1])+" & wait"))
	pgtest.WaitFor(t, "the demo to run", func() bool {
		return demo.Ended() || strings.Contains(demo.Logged(), "Ctrl-C")
	})
	out, err = terminal(blocks[1][1]).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var paid struct{ Data []struct{ Status string } }
	err = json.Unmarshal([]byte(lines[len(lines)-1]), &paid)
	if err != nil || len(paid.Data) != 1 || paid.Data[0].Status != "succeeded" {
		t.Errorf("typed as printed: %s", out)
	}
	took := time.Since(began)
	t.Logf("a paid order after %v", took.Round(time.Second))
	if took > firstOrderLimit {
		t.Errorf("a paid order after %v; the mark is %v", took, firstOrderLimit)
	}
}
