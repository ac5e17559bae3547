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
	// InquiriesEach is how many of those may be one organization's: it has a backlog of any
	// length to itself, and an acquirer that hangs for its account alone.
	InquiriesEach = 8
	// dueWindow is how many due attempts are looked at before they are looked for by
	// organization.
	dueWindow = 4 * inquiriesAtOnce
)

// backlog is the attempts of one acquirer that are due. Each has its own room, so
// that an acquirer that hangs keeps only its own attempts waiting.
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

// ended has more looked for: what the organization has to wait for its share with, or others
// for room.
func (q *backlog) ended(of uuid.UUID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all--
	if q.busy[of]--; q.busy[of] == 0 {
		delete(q.busy, of)
	}
	q.woken.Set()
}

// capacity is how many inquiries may begin, and how many each organization has under way.
func (q *backlog) capacity() (room int, organizations []uuid.UUID, busy []int32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for of, n := range q.busy {
		organizations, busy = append(organizations, of), append(busy, n)
	}
	return inquiriesAtOnce - q.all, organizations, busy
}

const (
	// Attempts of acquirers that this server does not have are left to one that does.
	dueAcquirersSQL = `SELECT q.name FROM unnest($2::text[]) AS q(name)
CROSS JOIN LATERAL (SELECT FROM checkout_attempts WHERE ask_at <= $1 AND acquirer = q.name ORDER BY ask_at LIMIT 1) d`

	// It is no queue.Table's claim: attempt.Next decides what a claimed attempt becomes, and organizations
	// share. The one with fewest inquiries under way is next, then the one that has waited longest. Mostly
	// what has waited longest is all there is. Where it fills the window, the recursive query skips
	// through the index from one organization to the next, so that the backlog of one costs the others
	// nothing, however long it is.
	dueSQL = `
WITH RECURSIVE longest AS MATERIALIZED (
    SELECT attempt, organization_uuid, ask_at FROM checkout_attempts WHERE ask_at <= $1 AND acquirer = $2
    ORDER BY ask_at LIMIT $4
), organization (uuid) AS (
    (SELECT organization_uuid FROM checkout_attempts
     WHERE acquirer = $2 AND ask_at IS NOT NULL AND (SELECT count(*) FROM longest) = $4
     ORDER BY organization_uuid, ask_at LIMIT 1)
    UNION ALL
    SELECT (SELECT a.organization_uuid FROM checkout_attempts a
            WHERE a.acquirer = $2 AND a.ask_at IS NOT NULL AND a.organization_uuid > o.uuid
            ORDER BY a.organization_uuid, a.ask_at LIMIT 1)
    FROM organization o WHERE o.uuid IS NOT NULL
), candidate AS (
    SELECT attempt, organization_uuid, ask_at FROM longest
    UNION
    SELECT a.attempt, o.uuid, a.ask_at FROM organization o CROSS JOIN LATERAL (
        SELECT attempt, ask_at FROM checkout_attempts
        WHERE acquirer = $2 AND organization_uuid = o.uuid AND ask_at <= $1
        ORDER BY organization_uuid, ask_at LIMIT least($3::int8, $5::int8)) a
), turn AS (
    SELECT c.attempt, c.organization_uuid, c.ask_at,
           coalesce(b.busy, 0) + row_number() OVER (PARTITION BY c.organization_uuid ORDER BY c.ask_at) AS n
    FROM candidate c LEFT JOIN unnest($6::uuid[], $7::int4[]) AS b(uuid, busy) ON b.uuid = c.organization_uuid
)
SELECT ` + columns + `, version, organization_uuid
FROM (SELECT attempt AS id FROM turn WHERE n <= $5 ORDER BY n, ask_at LIMIT $3) t
CROSS JOIN LATERAL (SELECT ` + columns + `, version, organization_uuid FROM checkout_attempts
    WHERE attempt = t.id AND ask_at <= $1 FOR UPDATE SKIP LOCKED) a`
)

// dueAttempt is an attempt that was claimed, and whose it is.
type dueAttempt struct {
	attempt.Attempt
	Organization uuid.UUID
}

func scanDue(row pgx.CollectableRow) (dueAttempt, error) {
	var d dueAttempt
	err := row.Scan(append(fields(&d.Attempt), &d.Version, (*[16]byte)(&d.Organization))...)
	return d, err
}

// due are those of the acquirers who have attempts whose time has come.
func (t attempts) due(ctx context.Context, now time.Time, names []string) ([]string, error) {
	return postgres.List(ctx, t.pool, "look for due attempts", pgx.RowTo[string], dueAcquirersSQL, now, names)
}

// claimDue claims attempts of an acquirer whose time has come, as many as there is room for.
// Each acquirer's are claimed by themselves: one that hangs keeps no other waiting. Mostly
// none is due, which one cheap statement finds out.
func (t attempts) claimDue(ctx context.Context, q *backlog, now, until time.Time) ([]dueAttempt, error) {
	room, organizations, busy := q.capacity()
	if room <= 0 {
		return nil, nil
	}
	if due, err := t.due(ctx, now, []string{q.name}); err != nil || len(due) == 0 {
		return nil, err
	}
	var all []dueAttempt
	err := pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) (err error) {
		all, err = postgres.List(ctx, tx, "list", scanDue, dueSQL, now, q.name, room, dueWindow,
			InquiriesEach, organizations, busy)
		if err != nil {
			return err
		}
		var batch pgx.Batch
		for n, a := range all {
			after, _ := attempt.Next(a.Attempt, attempt.Inquire{Until: until},
				now) // the statement has found those that are due
			batch.Queue(writeSQL, append(fields(&after), now, a.Version)...)
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
