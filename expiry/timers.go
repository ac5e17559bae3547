package expiry

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/queue"
)

// timer is a row of expiry_timers.
type timer struct {
	Intent domain.IntentID
	DueAt  time.Time
	Looks  int
	// Stopped says that the merchant has stopped the checkout.
	Stopped bool
}

// The statements get the ledger's times, and none waits for a locked row. A claim begins at the
// floor, $3 (Worker.floor).
var (
	timerTable = queue.Table{
		Name: "expiry_timers", Key: "intent_uuid", Due: "due_at", Lease: "busy_until", Where: `due_at >= $3`,
	}
	claimSQL       = timerTable.Claim(batch, claimedColumns)
	claimedColumns = `intent_uuid, due_at, looks, stopped`
)

// The timers of applications whose checkouts were stopped within the interval $1 become due at
// the time $2. The first statement finds out whether there are any; the second, which reads all
// open timers, runs only then.
const (
	anyStoppedSQL = `SELECT EXISTS (SELECT FROM applications WHERE checkouts_stopped_at > now() - $1::interval)`
	stopSQL       = `
WITH stopped AS MATERIALIZED (
    SELECT t.intent_uuid
    FROM expiry_timers t
         CROSS JOIN LATERAL (SELECT application_uuid
                             FROM intents
                             WHERE uuid = t.intent_uuid
                             OFFSET 0) i
         JOIN applications a ON a.uuid = i.application_uuid
    WHERE NOT t.stopped
      AND a.checkouts_stopped_at > now() - $1::interval
    FOR UPDATE OF t SKIP LOCKED
)
UPDATE expiry_timers t
SET due_at = least(t.due_at, $2), stopped = true
FROM stopped
WHERE t.intent_uuid = stopped.intent_uuid`
)

const nextSQL = `
SELECT due_at
FROM expiry_timers
WHERE due_at > $1
ORDER BY due_at
LIMIT 1`

// firstSQL finds the first timer that a claim at $2 from the floor $3 could take, now or later, and whether
// checkouts were stopped within the interval $1.
const firstSQL = `
SELECT (SELECT due_at
        FROM expiry_timers
        WHERE due_at >= $3
          AND (busy_until IS NULL OR busy_until <= $2)
        ORDER BY due_at
        LIMIT 1),
       (` + anyStoppedSQL + `)`

// found is what the last poll has found. Timers that were due before it are known, as with Worker.floor.
type found struct {
	at      time.Time // the time of the poll; on the ledger's clock
	sweptAt time.Time // local
	first   time.Time
}

// askForDue starts a round where a timer is due, or another one than before is the first, or checkouts were
// stopped.
func (w *Worker) askForDue(b *pgx.Batch) {
	now, floor := w.ledger.Now(), w.found.at
	sweep := time.Since(w.found.sweptAt) >= w.sweepPause()
	if sweep {
		floor = time.Time{}
	}
	b.Queue(firstSQL, stopWindow, now, floor).QueryRow(func(row pgx.Row) error {
		var first time.Time
		var stopped bool
		if err := row.Scan((*zeronull.Timestamptz)(&first), &stopped); err != nil {
			return err
		}
		due := !first.IsZero() && !first.After(now)
		if !due {
			w.metrics.due.Set(0)
		}
		if due || sweep && stopped || !first.Equal(w.found.first) {
			if sweep {
				w.sweep.Store(true)
			}
			w.due.Set()
		}
		if w.found.at, w.found.first = now, first; sweep {
			w.found.sweptAt = time.Now()
		}
		return nil
	})
}

const countSQL = `
SELECT count(*)
FROM (SELECT FROM expiry_timers WHERE due_at <= $1 LIMIT $2) due`

// A locked row is being deleted by the group, or by a worker that has claimed it since.
var removeSQL = `
WITH mine AS MATERIALIZED (
    SELECT t.intent_uuid
    FROM ` + postgres.KeyRows("$1::uuid[]") + ` AS c(intent_uuid)
         JOIN expiry_timers t USING (intent_uuid)
    FOR UPDATE OF t SKIP LOCKED
)
DELETE FROM expiry_timers t
USING mine
WHERE t.intent_uuid = mine.intent_uuid`

// After a lease has lapsed another server may have claimed the row: then it is not changed. The
// statement is queue.Table's PutBack for hundreds of rows at once.
var putBackSQL = `
WITH mine AS MATERIALIZED (
    SELECT t.intent_uuid, n.due_at, n.looks
    FROM ` + postgres.KeyRows("$1::uuid[]", "$2::timestamptz[]", "$3::int4[]") + `
         AS n(intent_uuid, due_at, looks)
         JOIN expiry_timers t USING (intent_uuid)
    WHERE t.busy_until = $4
    FOR UPDATE OF t SKIP LOCKED
)
UPDATE expiry_timers t
SET due_at = mine.due_at, looks = mine.looks, busy_until = NULL
FROM mine
WHERE t.intent_uuid = mine.intent_uuid`

// findNext adds to a batch the query for the first timer that is due after a time.
func (w *Worker) findNext(batch *pgx.Batch, after time.Time) {
	w.next = time.Time{}
	batch.Queue(nextSQL, after).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&w.next}, func() error { return nil })
		return err
	})
}

// finish ends the lease that lasts until the given time: it deletes the timers of closed intents
// and stores the others, in one round trip and one transaction. It also finds the next timer
// that is due after now.
func (w *Worker) finish(ctx context.Context, closed []domain.IntentID, back []timer, now,
	until time.Time,
) error {
	var statements pgx.Batch
	if len(closed) > 0 {
		statements.Queue(removeSQL, closed)
	}
	if len(back) > 0 {
		statements.Queue(putBackSQL, append(timerColumns.Arrays(back), until)...)
	}
	w.findNext(&statements, now)
	if err := w.pool.SendBatch(ctx, &statements).Close(); err != nil {
		return fmt.Errorf("finish timers: %w", err)
	}
	return nil
}
