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

// appendLock is under which positions are given out; see eventstore.
const appendLock = 8_712_000_001

// An event of a kind that this version does not know, as a later one may have
// written it, at the next position.
const poisonSQL = `
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT max(position) + 1, $1, 1, 'intent.of_another_age', 1, '{}', '{"actor":"torture"}', clock_timestamp() FROM events
RETURNING position`

// The groups that nothing may pass over halt before the event and say so; the
// others have set it aside, or need not understand it.
const (
	parkedSQL = `SELECT string_agg(consumer_group, ' ' ORDER BY consumer_group) FROM parked_events WHERE position = $1`
	haltedSQL = `SELECT string_agg(consumer_group, ' ' ORDER BY consumer_group) FROM consumer_offsets
WHERE halted_reason IS NOT NULL AND position = $1 - 1`
	passedSQL = `SELECT string_agg(consumer_group, ' ' ORDER BY consumer_group) FROM consumer_offsets WHERE position >= $1`
)

// poison is F17, the last of all faults, after the verdicts: a group that halts
// before an event that it does not know stays halted, as it should, and the log is
// for ever. Whoever can go on must do so, and nobody may pass over it in silence.
func (n *nemesis) poison(ctx context.Context) checker.Verdict {
	v := checker.Verdict{ID: "F17",
		Name: "an unknown event is set aside or halts its group, and everybody else goes on"}
	began := n.recorder.Now()
	n.sinks.watch()
	position, err := n.insertPoison(ctx)
	if err != nil {
		v.Detail = err.Error()
		return v
	}
	d := throwing(n.Seed, partQuiet+100)
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
	// A group tries a few times, alone and in halves, before it gives an event up.
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); wait(ctx,
		200*time.Millisecond) {
		delivered = n.deliveredOf(created)
		parked, halted, passed = n.names(ctx, parkedSQL, position), n.names(ctx, haltedSQL, position),
			n.names(ctx, passedSQL, position+int64(len(created)))
		if delivered == len(created) && strings.Contains(parked, "webhooks") &&
			strings.Contains(halted, "expiry") && strings.Contains(passed, "transparency") {
			break
		}
	}
	v.Looked = int64(len(created)) + 1
	v.OK = delivered == len(created) && strings.Contains(parked, "webhooks") &&
		strings.Contains(halted, "expiry") && strings.Contains(passed, "transparency")
	v.Detail = fmt.Sprintf("parked by: %s; halted: %s; went on: %s; webhooks of %d of %d intents after it arrived", parked, halted, passed, delivered, len(created))
	if strings.Contains(parked, "webhooks") {
		n.recorder.Count(countParked, 1)
	}
	n.progressf("%6.1fs F17  log      unknown event: %s", began.Seconds(), v.Detail)
	return v
}

// insertPoison writes as the database's owner, in its turn among the batches.
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

// deliveredOf counts the intents of which a healthy endpoint has taken a webhook.
func (n *nemesis) deliveredOf(intents []string) int {
	delivered := 0
	for _, uuid := range intents {
		if n.sinks.hasDelivered(uuid) {
			delivered++
		}
	}
	return delivered
}
