package server

import (
	"os"
	"regexp"
	"testing"
	"time"

	"daftar/internal/queue"
)

// The longest wait fits into the time that a server takes to stop, and every supervisor that we
// have settings for waits longer than that. The settings are in files that cannot use the constants.
func TestSupervisorsWaitForTheServer(t *testing.T) {
	t.Parallel()
	drain, all := drainLimit, workLimit
	if queue.StopsWithin >= all || queue.StopGrace >= drain || drain >= all {
		t.Errorf("a queue takes %s to stop, requests %s, of %s", queue.StopsWithin, drain, all)
	}
	const margin = 2 * time.Second
	for _, row := range []struct {
		file, setting string
		delay         time.Duration // DAFTAR_DRAIN_DELAY there
	}{
		{"deploy/daftar.service", `(?m)^TimeoutStopSec=(\d+s)$`, 0},
		{"deploy/daftar-sandbox.service", `(?m)^TimeoutStopSec=(\d+s)$`, 0},
		{"deploy/compose.yml", `(?m)^  stop_grace_period: (\d+s)$`, 0},
		{"deploy/cluster/compose.yml", `(?s)x-daftar:.*?\n  stop_grace_period: (\d+s)\n`, 3 * time.Second},
		{"docs/runbook/cluster.md", `TimeoutStopSec=(\d+s)`, 3 * time.Second},
	} {
		text, err := os.ReadFile("../../../" + row.file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(row.setting).FindSubmatch(text)
		if found == nil {
			t.Errorf("%s says nothing of %s", row.file, row.setting)
			continue
		}
		waits, err := time.ParseDuration(string(found[1]))
		if takes := row.delay + stopLimit; err != nil || waits < takes+margin {
			t.Errorf("%s waits %s before it kills, and a server may take %s (%v)", row.file, waits, takes, err)
		}
		delays := regexp.MustCompile(`DAFTAR_DRAIN_DELAY(?:=|: )(\d+s)`)
		for _, set := range delays.FindAllSubmatch(text, -1) {
			if delay, err := time.ParseDuration(string(set[1])); err != nil || delay != row.delay {
				t.Errorf("%s has a delay of %s, this test %s (%v)", row.file, delay, row.delay, err)
			}
		}
	}
}
