package payments

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/worker"
	"daftar/payments/attempt"
)

const (
	// inquiriesAtOnce is how many attempts one server asks an acquirer about at a time.
	inquiriesAtOnce = 12
	// InquiriesEach is how many of those may belong to one organization: a long backlog, or an
	// acquirer that hangs for its account alone, delays no other organization.
	InquiriesEach = 8
	// dueWindow is how many of the longest waiting attempts are read before they are looked for
	// by organization.
	dueWindow = 4 * inquiriesAtOnce
)

// backlog is the queue of due attempts of one acquirer. Each acquirer has its own limit, so
// that one that hangs delays only its own attempts.
type backlog struct {
	name  string
	woken worker.Signal // something is due

	mu   sync.Mutex
	busy map[uuid.UUID]int32 // inquiries under way, by organization
	all  int
}

func newBacklog(name string) *backlog {
	return &backlog{name: name, woken: worker.NewSignal(), busy: make(map[uuid.UUID]int32)}
}

func (q *backlog) began(of uuid.UUID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy[of]++
	q.all++
}

// ended frees a place and wakes the loop, which looks for attempts that waited for it.
func (q *backlog) ended(of uuid.UUID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all--
	if q.busy[of]--; q.busy[of] == 0 {
		delete(q.busy, of)
	}
	q.woken.Set()
}

// capacity returns how many inquiries may begin, and how many each organization has under way.
func (q *backlog) capacity() (free int, organizations []uuid.UUID, busy []int32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for of, n := range q.busy {
		organizations, busy = append(organizations, of), append(busy, n)
	}
	return inquiriesAtOnce - q.all, organizations, busy
}

const (
	// askPeriod is in the index of organizations, whose equal entries are stored once, instead of ask_at.
	askPeriod = `date_bin('10 minutes', ask_at, timestamptz 'epoch')`

	// Attempts of acquirers that this server does not have are left to one that does.
	dueAcquirersSQL = `
SELECT q.name
FROM unnest($2::text[]) AS q(name)
CROSS JOIN LATERAL (
    SELECT
    FROM checkout_attempts
    WHERE ask_at <= $1
      AND acquirer = q.name
    ORDER BY ask_at
    LIMIT 1
) d`

	// queue.Table is not used: attempt.Next decides what a claimed attempt becomes, and organizations
	// share the limit. The organization with fewest inquiries under way is next, then the one that has
	// waited longest. Usually the longest waiting attempts are all there are. Where they fill the window,
	// the recursive query skips through the index from one organization to the next, so that a long
	// backlog of one costs the others nothing.
	dueSQL = `
WITH RECURSIVE longest AS MATERIALIZED (
    SELECT attempt, organization_uuid, ask_at
    FROM checkout_attempts
    WHERE ask_at <= $1
      AND acquirer = $2
    ORDER BY ask_at
    LIMIT $4
), organization (uuid) AS (
    (SELECT organization_uuid
     FROM checkout_attempts
     WHERE acquirer = $2
       AND ask_at IS NOT NULL
       AND (SELECT count(*) FROM longest) = $4
     ORDER BY organization_uuid
     LIMIT 1)
    UNION ALL
    SELECT (SELECT a.organization_uuid
            FROM checkout_attempts a
            WHERE a.acquirer = $2
              AND a.ask_at IS NOT NULL
              AND a.organization_uuid > o.uuid
            ORDER BY a.organization_uuid
            LIMIT 1)
    FROM organization o
    WHERE o.uuid IS NOT NULL
), candidate AS (
    SELECT attempt, organization_uuid, ask_at
    FROM longest
    UNION
    SELECT a.attempt, o.uuid, a.ask_at
    FROM organization o
    CROSS JOIN LATERAL (
        SELECT attempt, ask_at
        FROM checkout_attempts
        WHERE acquirer = $2
          AND organization_uuid = o.uuid
          AND ask_at <= $1
          AND ` + askPeriod + ` <= $1
        ORDER BY ` + askPeriod + `, ask_at
        LIMIT least($3::int8, $5::int8)
    ) a
), turn AS (
    SELECT c.attempt, c.organization_uuid, c.ask_at,
           coalesce(b.busy, 0) + row_number() OVER (PARTITION BY c.organization_uuid ORDER BY c.ask_at) AS n
    FROM candidate c
    LEFT JOIN unnest($6::uuid[], $7::int4[]) AS b(uuid, busy) ON b.uuid = c.organization_uuid
)
SELECT ` + columns + `, version, organization_uuid
FROM (
    SELECT attempt AS id
    FROM turn
    WHERE n <= $5
    ORDER BY n, ask_at
    LIMIT $3
) t
CROSS JOIN LATERAL (
    SELECT ` + columns + `, version, organization_uuid
    FROM checkout_attempts
    WHERE attempt = t.id
      AND ask_at <= $1
    FOR UPDATE SKIP LOCKED
) a`
)

// dueAttempt is an attempt that was claimed, with its organization.
type dueAttempt struct {
	attempt.Attempt
	Organization uuid.UUID
}

func scanDue(row pgx.CollectableRow) (dueAttempt, error) {
	var d dueAttempt
	err := row.Scan(append(fields(&d.Attempt), &d.Version, (*[16]byte)(&d.Organization))...)
	return d, err
}

// due returns those of the named acquirers that have due attempts.
func (t attempts) due(ctx context.Context, now time.Time, names []string) ([]string, error) {
	return postgres.List(ctx, t.pool, "look for due attempts", pgx.RowTo[string], dueAcquirersSQL, now, names)
}

// claimDue claims due attempts of one acquirer, as many as may begin. Each acquirer is
// claimed for separately, so that one that hangs does not delay the others. Usually none
// is due, which one cheap statement finds out.
func (t attempts) claimDue(ctx context.Context, q *backlog, now, until time.Time) ([]dueAttempt, error) {
	free, organizations, busy := q.capacity()
	if free <= 0 {
		return nil, nil
	}
	if due, err := t.due(ctx, now, []string{q.name}); err != nil || len(due) == 0 {
		return nil, err
	}
	var all []dueAttempt
	err := pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) (err error) {
		all, err = postgres.List(ctx, tx, "list", scanDue,
			dueSQL, now, q.name, free, dueWindow, InquiriesEach, organizations, busy)
		if err != nil {
			return err
		}
		var batch pgx.Batch
		for n, a := range all {
			// It fits: the statement has found only attempts that are due.
			after, _ := attempt.Next(a.Attempt, attempt.Inquire{Until: until}, now)
			batch.Queue(writeSQL, append(fields(&after), a.Version)...)
			after.Version++
			all[n].Attempt = after
		}
		return tx.SendBatch(ctx, &batch).Close()
	})
	if err != nil {
		return nil, fmt.Errorf("claim due attempts: %w", err)
	}
	return all, nil
}
