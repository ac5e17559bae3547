package checker_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daftar/domain"
	"daftar/tools/torture/checker"
	"daftar/tools/torture/history"
)

// planted is a violation, and what the checker must report about it.
type planted struct {
	name    string
	id      string // the invariant that is violated; empty: none
	plant   func(*scene)
	because string // part of the detail
}

const minute = time.Minute

// appendedSQL appends an event to the stream whose last event is of type $1. Only a superuser
// can do that.
const appendedSQL = `
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT (SELECT max(position) FROM events) + 1, e.stream_id, e.version + 1, $2, 1, $3, '{}', clock_timestamp()
FROM events e
WHERE e.type = $1
  AND e.version = (SELECT max(x.version) FROM events x WHERE x.stream_id = e.stream_id)
ORDER BY e.position DESC
LIMIT 1`

// ofType is the position of the first event of a type.
const ofType = `(SELECT min(position) FROM events WHERE type = '%s')`

func first(kind string) string { return fmt.Sprintf(ofType, kind) }

// The checker accepts a run without violations, and reports those that are planted in a copy
// of it: here one for each invariant, in TestLongTheCheckerFindsEveryPlantedViolation all.
func TestTheCheckerFindsPlantedViolations(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	one := slices.DeleteFunc(allPlanted(), func(p planted) bool {
		again := seen[p.id]
		seen[p.id] = true
		return again
	})
	if len(one) != invariants+1 { // and a run without violations
		t.Errorf("violations are planted for %d invariants of %d", len(one)-1, invariants)
	}
	findPlanted(t, one)
}

// invariants is how many the checker checks.
const invariants = 16

func allPlanted() []planted {
	return slices.Concat(
		clean(), ofTheRecord(), ofTheLog(), ofTheGroups(), ofWebhooks(), ofMoney(), ofOrder(), ofTheRest())
}

func findPlanted(t *testing.T, all []planted) {
	t.Helper()
	w, run := lived(t)
	unchanged := clone(t, w, "checked_"+w.db.Name())
	for n, p := range all {
		t.Run(strings.TrimSpace(p.id+" "+p.name), func(t *testing.T) {
			t.Parallel()
			s := copyOf(t, w, unchanged, run, fmt.Sprintf("checked_%s_%d", w.db.Name(), n))
			p.plant(s)
			verdicts := s.checked()
			if len(verdicts) != invariants {
				t.Errorf("%d verdicts, want %d", len(verdicts), invariants)
			}
			if v := verdicts[p.id]; p.id != "" && (v.OK || !strings.Contains(v.Detail, p.because)) {
				t.Errorf("%s: ok %t, detail %q; want it to be wrong because %q", p.id, v.OK, v.Detail, p.because)
			}
			for _, v := range verdicts {
				if p.id == "" && (!v.OK || v.Looked == 0) {
					t.Errorf("%s %s: ok %t, looked at %d: %s", v.ID, v.Name, v.OK, v.Looked, v.Detail)
				}
			}
		})
	}
}

// log adds a line to a log of the run.
func (s *scene) log(line string) {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "extra.log")
	// The line lies across the end of the first megabyte, which is read at once.
	text := strings.Repeat("x", 1<<20-len(line)/2) + line + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.run.Logs = append(s.run.Logs, path)
}

func (s *scene) grow(by func(*history.Sample, int64)) {
	for n := range s.run.Samples {
		by(&s.run.Samples[n], int64(n))
	}
}

// Continuous finds violations during a run.
func TestContinuous(t *testing.T) {
	t.Parallel()
	w, run := lived(t)
	unchanged := clone(t, w, "watched_"+w.db.Name())
	for n, p := range []planted{
		{"nothing", "", func(*scene) {}, ""},
		{"a row is behind", "I1", func(s *scene) {
			s.exec(`UPDATE intents SET version = version - 1`)
		}, "another version"},
		{"a row has another owner", "I2", func(s *scene) {
			s.exec(`UPDATE intents SET application_uuid = gen_random_uuid()`)
		}, "another owner"},
		{"two successes", "I3", func(s *scene) {
			s.tamper(appendedSQL, domain.TypeSucceeded, domain.TypeSucceeded, `{}`)
		}, "two successes"},
		{"a row has another status", "I5", func(s *scene) {
			s.exec(`UPDATE intents SET status = 'processing'`)
		}, "another status"},
		{"a position is missing", "I6", func(s *scene) {
			s.tamper(`DELETE FROM events WHERE position = 5`)
		}, "positions missing"},
		{"a group is ahead", "I6", func(s *scene) {
			s.exec(`UPDATE consumer_offsets SET position = 1000000`)
		}, "ahead of the log"},
	} {
		t.Run(strings.TrimSpace(p.id+" "+p.name), func(t *testing.T) {
			t.Parallel()
			s := copyOf(t, w, unchanged, run, fmt.Sprintf("watched_%s_%d", w.db.Name(), n))
			p.plant(s)
			verdicts, err := checker.Continuous(t.Context(), s.owner)
			if err != nil || len(verdicts) == 0 {
				t.Fatalf("%d verdicts, %v", len(verdicts), err)
			}
			for _, v := range verdicts {
				if v.OK != (v.ID != p.id) && (p.id == "" || v.ID == p.id) ||
					v.ID == p.id && !strings.Contains(v.Detail, p.because) {
					t.Errorf("%s %s: ok %t, %q", v.ID, v.Name, v.OK, v.Detail)
				}
			}
		})
	}
}
