package torture

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/tools/torture/checker"
)

// appendLock is the advisory lock under which package eventstore assigns positions.
const appendLock = 8_712_000_001

// poisonSQL appends an event of an unknown type, as a later version may write one.
const poisonSQL = `
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT max(position) + 1, $1, 1, 'intent.of_another_age', 1, '{}', '{"actor":"torture"}', clock_timestamp()
FROM events
RETURNING position`

// Groups that must not skip an event halt before it and record why. The others park it, or
// do not need to understand it.
const (
	parkedSQL = `
SELECT string_agg(consumer_group, ' ' ORDER BY consumer_group)
FROM parked_events
WHERE position = $1`
	haltedSQL = `
SELECT string_agg(consumer_group, ' ' ORDER BY consumer_group)
FROM consumer_offsets
WHERE halted_reason IS NOT NULL
  AND position = $1 - 1`
	passedSQL = `
SELECT string_agg(consumer_group, ' ' ORDER BY consumer_group)
FROM consumer_offsets
WHERE position >= $1`
)

// poison is F17. It is the last fault, after the checker, because an event cannot be removed
// from the log, and a group that halts before it stays halted. All other groups must
// continue, and none may skip the event without a record.
func (n *nemesis) poison(ctx context.Context) checker.Verdict {
	v := checker.Verdict{
		ID: "F17", Name: "an unknown event is set aside or halts its group, and everybody else goes on",
	}
	began := n.recorder.Now()
	n.sinks.watch()
	position, err := n.insertPoison(ctx)
	if err != nil {
		v.Detail = err.Error()
		return v
	}
	d := newDice(n.Seed, partQuiet+100)
	var healthy *tenant
	for _, t := range n.tenants {
		if behaviour(t.Sink) == behaviourOK {
			healthy = t
		}
	}
	var created []string
	for k := range 20 {
		q, ok := n.create(ctx, d, n.number(), healthy, fmt.Sprintf("after-the-unknown-%d", k))
		if !ok {
			v.Detail = "a create after it was not answered"
			return v
		}
		created = append(created, intentOf(q.Answer).UUID)
	}
	delivered, parked, halted, passed := 0, "", "", ""
	// A group retries a batch, whole and in halves, before it parks an event or halts.
	deadline := time.Now().Add(30 * time.Second)
	for ; time.Now().Before(deadline) && !v.OK; wait(ctx, 200*time.Millisecond) {
		delivered = n.deliveredOf(created)
		parked = n.names(ctx, parkedSQL, position)
		halted = n.names(ctx, haltedSQL, position)
		passed = n.names(ctx, passedSQL, position+int64(len(created)))
		v.OK = delivered == len(created) &&
			strings.Contains(parked, "webhooks") &&
			strings.Contains(halted, "expiry") &&
			strings.Contains(passed, "transparency")
	}
	v.Looked = int64(len(created)) + 1
	v.Detail = fmt.Sprintf(
		"parked by: %s; halted: %s; went on: %s; webhooks of %d of %d intents after it arrived",
		parked, halted, passed, delivered, len(created))
	if strings.Contains(parked, "webhooks") {
		n.recorder.Count(countParked, 1)
	}
	n.progressf("%6.1fs F17  log      unknown event: %s", began.Seconds(), v.Detail)
	return v
}

// insertPoison writes as the database's owner, under the lock of appends.
func (n *nemesis) insertPoison(ctx context.Context) (position int64, err error) {
	err = pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(appendLock)); err != nil {
			return err
		}
		return tx.QueryRow(ctx, poisonSQL, [16]byte(uuid.New())).Scan(&position)
	})
	if err != nil {
		return 0, fmt.Errorf("insert an unknown event: %w", err)
	}
	return position, nil
}

func (n *nemesis) names(ctx context.Context, sql string, position int64) string {
	var names *string
	if err := n.pool.QueryRow(ctx, sql, position).Scan(&names); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err.Error()
	}
	if names == nil {
		return "none"
	}
	return *names
}

// deliveredOf counts the intents of which a healthy endpoint has received a webhook.
func (n *nemesis) deliveredOf(intents []string) int {
	delivered := 0
	for _, uuid := range intents {
		if n.sinks.hasDelivered(uuid) {
			delivered++
		}
	}
	return delivered
}
