package transparency_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"daftar/transparency"
)

// renumber shifts the positions from one on, as an attacker would after removing or
// inserting an event.
func renumber(from, by int) string {
	return fmt.Sprintf(`
		UPDATE events
		SET position = position + 1000000
		WHERE position >= %d;
		UPDATE events
		SET position = position - 1000000 + (%d)
		WHERE position > 1000000`, from, by)
}

func swap(column string, a, b int) string {
	return fmt.Sprintf(`
		UPDATE events e
		SET %[1]s = o.%[1]s
		FROM events o
		WHERE (e.position, o.position) IN ((%[2]d, %[3]d), (%[3]d, %[2]d))`, column, a, b)
}

const insertedSQL = `
INSERT INTO events
SELECT 301, gen_random_uuid(), 1, type, schema_version, payload, metadata, recorded_at
FROM events
WHERE position = 300`

// Every change of the log is found and named. 600 events, checkpoints at 100, 200 … 600.
func TestTamperingIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do       []string
		position int64
		kind     transparency.Kind
		says     string
	}{
		"one flipped bit in a payload": {
			do: []string{`
				UPDATE events
				SET payload = overlay(payload PLACING chr(ascii(substr(payload, 6, 1)) # 1) FROM 6 FOR 1)
				WHERE position = 301`},
			position: 301, kind: transparency.KindChanged, says: "differs",
		},
		"metadata": {do: []string{`UPDATE events SET metadata = metadata || ' ' WHERE position = 1`},
			position: 1, kind: transparency.KindChanged},
		"type": {do: []string{`UPDATE events SET type = 'intent.expired' WHERE position = 256`},
			position: 256, kind: transparency.KindChanged},
		"schema version": {do: []string{`UPDATE events SET schema_version = 2 WHERE position = 257`}, position: 257,
			kind: transparency.KindChanged},
		"time": {do: []string{`
			UPDATE events
			SET recorded_at = recorded_at + interval '1 microsecond'
			WHERE position = 600`}, position: 600, kind: transparency.KindChanged},
		"stream": {do: []string{`UPDATE events SET stream_id = gen_random_uuid() WHERE position = 42`},
			position: 42, kind: transparency.KindChanged},
		"removed, a gap is left": {
			do: []string{`DELETE FROM events WHERE position = 301`}, position: 301, kind: transparency.KindRemoved,
			says: "next is at 302",
		},
		"removed, the others moved up": {
			do:       []string{`DELETE FROM events WHERE position = 301`, renumber(302, -1)},
			position: 301, kind: transparency.KindRemoved, says: "logged at 302",
		},
		"two removed, the others moved up": {
			do:       []string{`DELETE FROM events WHERE position IN (301, 302)`, renumber(303, -2)},
			position: 301, kind: transparency.KindRemoved, says: "2 events were removed",
		},
		"inserted, the others moved down": {
			do:       []string{renumber(301, 1), insertedSQL},
			position: 301, kind: transparency.KindInserted, says: "stands at 302",
		},
		"inserted before the first": {
			do: []string{
				`
					INSERT INTO events
					SELECT 0, gen_random_uuid(), 1, type, schema_version, payload, metadata, recorded_at
					FROM events
					WHERE position = 1`,
			},
			position: 0, kind: transparency.KindInserted,
		},
		"a position twice": {
			do: []string{
				`ALTER TABLE events DROP CONSTRAINT events_pkey`,
				`
					INSERT INTO events
					SELECT 301, gen_random_uuid(), 1, type, schema_version, payload, metadata, recorded_at
					FROM events
					WHERE position = 301`,
			},
			position: 301, kind: transparency.KindInserted, says: "more than one",
		},
		"two swapped": {
			do: []string{`UPDATE events SET position = 1000651 - position WHERE position IN (301, 350)`,
				`UPDATE events SET position = position - 1000000 WHERE position > 1000000`},
			position: 301, kind: transparency.KindReordered, says: "the one at 350 have changed places",
		},
		"payloads swapped": {do: []string{swap("payload", 302, 351)}, position: 302,
			kind: transparency.KindReordered, says: "stand at"},
		"one taken to the back": {
			do: []string{
				`UPDATE events SET position = 5000000 WHERE position = 301`,
				`UPDATE events SET position = position + 1000000 WHERE position BETWEEN 302 AND 400`,
				`UPDATE events SET position = position - 1000001 WHERE position BETWEEN 1000000 AND 2000000`,
				`UPDATE events SET position = 400 WHERE position = 5000000`,
			},
			position: 301, kind: transparency.KindReordered, says: "logged at 302",
		},
		"truncated tail": {do: []string{`DELETE FROM events WHERE position > 550`}, position: 551,
			kind: transparency.KindRemoved, says: "the log ends at 550; the tree has 600"},
		"truncated with the tree": {
			do: []string{
				`DELETE FROM events WHERE position > 512`, `UPDATE transparency_tree SET size = 512`,
				`DELETE FROM transparency_tiles WHERE level = 0 AND n = 2`,
			},
			position: 513, kind: transparency.KindRemoved, says: "checkpoint over 600",
		},
		"a hash in the tree": {
			do: []string{`
				UPDATE transparency_tiles
				SET hashes = set_byte(hashes, 32 * 44 + 6, get_byte(hashes, 32 * 44 + 6) # 1)
				WHERE level = 0
				  AND n = 1`},
			position: 301, kind: transparency.KindTree, says: "proves the event right",
		},
		"a hash above the leaves": {
			do: []string{`
				UPDATE transparency_tiles
				SET hashes = set_byte(hashes, 32 + 6, get_byte(hashes, 32 + 6) # 1)
				WHERE level = 1`},
			position: 257, kind: transparency.KindTree,
		},
		"a tile gone": {do: []string{`DELETE FROM transparency_tiles WHERE level = 0 AND n = 1`}, position: 257,
			kind: transparency.KindTree},
		"a checkpoint without signature": {
			do: []string{`
				UPDATE transparency_checkpoints
				SET note = replace(note, '300', '301')
				WHERE size = 300`},
			position: 201, kind: transparency.KindCheckpoint, says: "size 300",
		},
		"a checkpoint's root": {
			do: []string{`
				UPDATE transparency_checkpoints
				SET root = decode(repeat('00', 32), 'hex')
				WHERE size = 300`},
			position: 201, kind: transparency.KindCheckpoint,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for range 6 {
				w.fill(100)
				w.grow(64)
				w.sign()
			}
			if r := w.verify(); !r.OK || r.Size != 600 || r.Events != 600 || r.Checkpoints != 6 {
				t.Fatalf("before: %+v", r)
			}
			var statements []string
			for _, s := range c.do {
				statements = append(statements, strings.Split(s, "; ")...)
			}
			w.tamper(statements...)
			r := w.verify()
			if r.OK || r.Discrepancy == nil {
				t.Fatalf("not found: %+v", r)
			}
			got := *r.Discrepancy
			if got.Position != c.position || got.Kind != c.kind || !strings.Contains(got.Reason, c.says) {
				t.Errorf("found %+v, want %s at %d saying %q", got, c.kind, c.position, c.says)
			}
		})
	}
}

// An attacker who changes an event, builds the tree again and has everything but the signing key is
// detected by the database's checkpoints; with the key, by a checkpoint that was kept elsewhere.
func TestRewrittenHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		w.fill(50)
		w.grow(64)
		w.sign()
	}
	kept := w.latest()
	w.tamper(`UPDATE events SET payload = '{}' WHERE position = 70`, `DELETE FROM transparency_tiles`,
		`UPDATE transparency_tree SET size = 0`)
	w.grow(64)
	r := w.verify()
	if r.OK || r.Discrepancy.Kind != transparency.KindRewritten || r.Discrepancy.Position != 51 ||
		!strings.Contains(r.Discrepancy.Reason, "from 51 to 100") {
		t.Fatalf("without the key: %+v", r.Discrepancy)
	}
	w.tamper(`DELETE FROM transparency_checkpoints`)
	w.sign() // with the service's key
	if r := w.verify(); !r.OK {
		t.Fatalf("with the key, nothing in the database tells: %+v", r.Discrepancy)
	}
	with := func(keys ...string) transparency.Report {
		return w.verify(func(o *transparency.VerifyOptions) {
			o.Kept, o.Keys = []transparency.Checkpoint{kept}, keys
		})
	}
	if r := with(); r.OK || r.Discrepancy.Kind != transparency.KindRewritten {
		t.Errorf("with a kept checkpoint: %+v", r)
	}
	other, _, err := transparency.NewKey("pay.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	_, err = transparency.Verify(t.Context(), w.pool, transparency.VerifyOptions{Keys: []string{other.Public()}})
	if _, unsigned := errors.AsType[*transparency.NotSignedError](err); !unsigned {
		t.Errorf("with another key: %v", err)
	}
	w.tamper(`DELETE FROM events WHERE position > 20`, `DELETE FROM transparency_checkpoints`,
		`DELETE FROM transparency_tiles`, `UPDATE transparency_tree SET size = 0`)
	w.grow(64)
	if r := with(); r.OK || r.Discrepancy.Kind != transparency.KindRemoved || r.Discrepancy.Position != 21 {
		t.Errorf("cut off after 20: %+v", r.Discrepancy)
	}
}

// Events that are too new for the tree are counted and not reported as wrong.
func TestVerifyWhileTheLogGrows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if r := w.verify(); !r.OK || r.Size != 0 {
		t.Errorf("an empty log: %+v", r)
	}
	w.fill(70)
	w.grow(64)
	w.sign()
	w.fill(30)
	var told []int64
	r := w.verify(func(o *transparency.VerifyOptions) {
		o.Progress = func(done, total int64) { told = append(told, done, total) }
	})
	if !r.OK || r.Size != 70 || r.Events != 100 || len(told) != 2 || told[0] != 70 || told[1] != 70 {
		t.Errorf("verify: %+v, progress %v", r, told)
	}
}
