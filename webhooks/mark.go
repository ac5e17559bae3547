package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// outcome is a try that ended.
type outcome struct {
	claimed
	result
	Began, Ended time.Time
	Next         time.Duration // until the next try
	none         bool          // the try was not made; the delivery stays due
}

// state is the delivery's state after the try.
func (o outcome) state() string {
	switch {
	case o.delivered():
		return StateDelivered
	case o.Step+1 >= len(schedule):
		return StateFailed
	}
	return StatePending
}

// What has arrived needs no references: fullRows has those of the intent. Its latest try is the last of all.
// A delivery that was resent, held or delivered while the try was under way keeps
// its new state, unless the try succeeded.
var markSQL = `
WITH outcome AS (
    SELECT o.uuid, o.step, o.at, o.duration, nullif(o.answered, 0) AS status, o.error, o.answer,
           o.state, o.next_at
    FROM ` + postgres.KeyRows("$1::uuid[]", "$2::int4[]", "$3::timestamptz[]", "$4::interval[]",
	"$5::int4[]", "$6::text[]", "$7::text[]", "$8::text[]", "$9::timestamptz[]") + `
         AS o(uuid, step, at, duration, answered, error, answer, state, next_at)
), earlier AS (
    SELECT d.uuid, d.attempts, d.try_at, d.last_status, d.try_error, d.try_answer,
           coalesce(d.try_duration, d.try_micros * interval '1 microsecond') AS try_duration
    FROM outcome o
    JOIN webhook_deliveries d ON d.uuid = o.uuid
    FOR UPDATE OF d
), kept AS (
    INSERT INTO webhook_tries (delivery_uuid, ` + tryColumns.List("") + `)
    SELECT uuid, attempts, try_at, try_duration, last_status, try_error, try_answer
    FROM earlier
    WHERE try_at IS NOT NULL
    ON CONFLICT DO NOTHING
)
UPDATE webhook_deliveries d
SET attempts = e.attempts + 1,
    last_status = o.status,
    try_attempt = CASE WHEN o.state <> 'delivered' THEN e.attempts + 1 END,
    try_at = o.at,
    try_duration = CASE WHEN o.state <> 'delivered' THEN o.duration END,
    try_micros = CASE WHEN o.state = 'delivered' THEN extract(epoch FROM o.duration) * 1000000 END,
    try_error = o.error,
    try_answer = o.answer,
    reference = CASE WHEN o.state = 'delivered' THEN '' ELSE d.reference END,
    merchant_reference = CASE WHEN o.state = 'delivered' THEN '' ELSE d.merchant_reference END,
    state = CASE WHEN o.state = 'delivered' OR d.state = 'pending' AND d.step = o.step
                 THEN o.state ELSE d.state END,
    next_attempt_at = CASE WHEN o.state = 'delivered' OR d.state = 'pending' AND d.step = o.step
                           THEN o.next_at ELSE d.next_attempt_at END,
    step = CASE WHEN o.state = 'delivered' THEN NULL
                WHEN d.state = 'pending' AND d.step = o.step THEN o.step + 1 ELSE d.step END
FROM outcome o
JOIN earlier e USING (uuid)
WHERE d.uuid = o.uuid`

func markArguments(all []outcome) []any {
	n := len(all)
	var (
		ids       = make([]DeliveryID, n)
		steps     = make([]int32, n)
		times     = make([]time.Time, n)
		durations = make([]time.Duration, n)
		statuses  = make([]int32, n)
		errs      = make([]string, n)
		answers   = make([]string, n)
		states    = make([]string, n)
		nexts     = make([]*time.Time, n)
	)
	for k, o := range all {
		ids[k], steps[k], times[k], durations[k] = o.ID, int32(o.Step), o.Began, o.Duration
		statuses[k], errs[k], answers[k], states[k] = int32(o.Status), o.Error, o.Answer, o.state()
		if states[k] == StatePending {
			next := o.Ended.Add(o.Next)
			nexts[k] = &next
		}
	}
	return []any{ids, steps, times, durations, statuses, errs, answers, states, nexts}
}

const (
	lockHealthSQL = `
SELECT failures, failing_since, probes, probe_at, disabled_at, disabled_for
FROM webhook_endpoints
WHERE application_uuid = $1
  AND url = $2
FOR UPDATE`
	writeHealthSQL = `
UPDATE webhook_endpoints
SET failures = $2, failing_since = $3, probes = $4, probe_at = $5, disabled_at = $6, disabled_for = $7
WHERE application_uuid = $1`
)

func writeHealth(ctx context.Context, tx pgx.Tx, id domain.ApplicationID, h health) error {
	_, err := tx.Exec(ctx, writeHealthSQL, id,
		h.Failures, h.FailingSince, h.Probes, h.ProbeAt, h.DisabledAt, h.DisabledFor)
	if err != nil {
		return fmt.Errorf("write health of endpoint: %w", err)
	}
	return nil
}

// markWithHealth stores tries with failures, or successes after failures, together
// with the health of their endpoints.
func (d *Dispatcher) markWithHealth(ctx context.Context, all []outcome) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, markSQL, markArguments(all)...); err != nil {
			return fmt.Errorf("mark tries: %w", err)
		}
		type endpoint struct {
			application domain.ApplicationID
			url         string
		}
		by := map[endpoint][]outcome{}
		for _, o := range all {
			e := endpoint{o.Application, o.URL}
			by[e] = append(by[e], o)
		}
		for e, tries := range by {
			if err := d.updateHealth(ctx, tx, e.application, e.url, tries); err != nil {
				return err
			}
		}
		return nil
	})
}

// updateHealth only ever waits for rows of endpoints that this dispatcher leases,
// so the order in which it takes them cannot deadlock.
func (d *Dispatcher) updateHealth(ctx context.Context, tx pgx.Tx, id domain.ApplicationID, url string,
	tries []outcome,
) error {
	before, err := postgres.List(ctx, tx, "lock endpoint", pgx.RowToStructByPos[health], lockHealthSQL, id, url)
	if err != nil {
		return err
	}
	if len(before) == 0 {
		return nil // it has another address by now
	}
	h := before[0]
	for _, o := range tries {
		h = h.after(o.result, o.Ended)
	}
	if err := writeHealth(ctx, tx, id, h); err != nil {
		return err
	}
	line := d.log.Warn().Stringer("application", id).Int("failures", h.Failures)
	switch {
	case before[0].DisabledAt == nil && h.DisabledAt != nil:
		line.Str("reason", h.DisabledFor).Msg("webhook endpoint disabled, its deliveries are held")
		if _, err := tx.Exec(ctx, holdSQL, id); err != nil {
			return fmt.Errorf("hold deliveries: %w", err)
		}
		if err := d.tellStop(ctx, tx, id, h); err != nil {
			return fmt.Errorf("tell of stopped endpoint: %w", err)
		}
	case !before[0].open() && h.open():
		line.Msg("webhook endpoint keeps failing, it is tried less often")
	case before[0].open() && !h.open():
		d.log.Info().Stringer("application", id).Msg("webhook endpoint is back")
	}
	return nil
}
