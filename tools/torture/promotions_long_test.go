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

// TestLongMeasuredPromotions promotes a synchronous standby again and again, in addition to all other
// faults: a few times, or PROMOTIONS times, and until CREATES creates were acknowledged. SEED
// repeats the schedule of another day. It has the machine to itself: how long merchants wait for the
// first create after a promotion is among what is checked.
func TestLongMeasuredPromotions(t *testing.T) {
	t.Parallel()
	number := func(variable string, otherwise uint64) uint64 {
		text := os.Getenv(variable)
		if text == "" {
			return otherwise
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", variable, err)
		}
		return n
	}
	day, err := strconv.ParseUint(time.Now().UTC().Format("20060102"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
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
		Seed:       number("SEED", day),
		Promotions: int(number("PROMOTIONS", torture.LeastPromotions)),
		Creates:    int64(number("CREATES", 0)),
		Daftar:     program, CrashPoints: true,
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
