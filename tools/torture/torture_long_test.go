//go:build long

package torture_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"daftar/tools/torture"
)

// TestLongTorture is a short run of the fault suite: every fault at least once, few requests,
// and no time limits, because other tests use the same machine. SEED repeats the schedule of
// another day.
func TestLongTorture(t *testing.T) {
	t.Parallel()
	seed, err := strconv.ParseUint(time.Now().UTC().Format("20060102"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if given := os.Getenv("SEED"); given != "" {
		if seed, err = strconv.ParseUint(given, 10, 64); err != nil {
			t.Fatalf("SEED: %v", err)
		}
	}
	t.Logf("SEED=%d", seed)
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	program, err := torture.Build(t.Context(), root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var progress bytes.Buffer
	report, err := torture.Run(t.Context(), torture.Config{
		Seed: seed, Length: torture.Shortest,
		Daftar: program, CrashPoints: true,
		Rate: 50, QuietLimit: 2 * time.Minute,
		Progress: &progress, Verbose: true,
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	var text bytes.Buffer
	report.Print(&text)
	if !report.OK {
		t.Errorf("%s\n%s", progress.String(), text.String())
		return
	}
	t.Log(text.String())
}
