package projections

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/facts"
	"daftar/internal/postgres"
)

// outcomesOf bounds how many payments are read for the outcomes of attempts: the newest.
const outcomesOf = 2_000

// Outcomes are the results of the attempts to pay some payments.
type Outcomes struct {
	Methods []MethodOutcomes // the most used first
	// Bounded is true if there are more payments than were read. Scanned is how many were
	// read, the newest.
	Bounded bool
	Scanned int
}

// MethodOutcomes are the results of the attempts by a method of an acquirer.
type MethodOutcomes struct {
	Acquirer, Method   string
	Paid, Failed, Open int
	Reasons            map[string]int // of the failed ones
}

// Of each application and state the index gives the newest; the newest of all of them are
// read. An attempt that was paid after it had failed counts as paid.
const outcomesSQL = `
WITH recent AS MATERIALIZED (
    SELECT p.intent_uuid
    FROM applications a
    CROSS JOIN unnest($3::text[]) AS s(state)
    CROSS JOIN LATERAL (
        SELECT q.intent_uuid, q.created_at
        FROM payments q
        WHERE q.application_uuid = a.uuid
          AND q.state = s.state
          AND q.created_at >= $4
          AND q.created_at < $5
        ORDER BY q.created_at DESC, q.intent_uuid DESC
        LIMIT $6
    ) p
    WHERE a.organization_uuid = $1
      AND a.mode = $10
      AND (cardinality($2::uuid[]) = 0 OR a.uuid = ANY($2))
    ORDER BY p.created_at DESC
    LIMIT $6
), attempts AS MATERIALIZED (
    SELECT r.intent_uuid, e.payload->>'attempt' AS attempt,
           max(e.payload->>'acquirer') FILTER (WHERE e.type = $8) AS acquirer,
           max(e.payload->>'method') FILTER (WHERE e.type = $8) AS method,
           bool_or(NOT e.type = ANY(ARRAY[$8, $9])) AS paid,
           max(e.payload->>'reason') FILTER (WHERE e.type = $9) AS reason
    FROM recent r
    CROSS JOIN LATERAL (
        SELECT type, payload::json AS payload
        FROM events
        WHERE stream_id = r.intent_uuid
          AND type = ANY($7) OFFSET 0
    ) e
    GROUP BY 1, 2
)
SELECT (SELECT count(*) FROM recent), coalesce(t.acquirer, ''), coalesce(t.method, ''),
       coalesce(t.paid, false), t.reason, count(t.attempt)
FROM (VALUES (1)) always(there)
LEFT JOIN attempts t ON t.method IS NOT NULL
GROUP BY 2, 3, 4, 5`

// outcomesRow is how many attempts ended in one way.
type outcomesRow struct {
	scanned          int
	acquirer, method string
	paid             bool
	reason           *string
	attempts         int
}

// Outcomes adds up the results of the attempts to pay intents that were created from one day to
// another, both included, of the given applications or, if none is given, of all of the
// tenant's. It reads a bounded number of payments, so it costs the same however many
// there are.
func (p *Payments) Outcomes(
	ctx context.Context, tenant domain.Tenant, applications []domain.ApplicationID, from, to domain.Day,
) (Outcomes, error) {
	wanted := append([]domain.ApplicationID{}, applications...) // not nil, which would be null
	states := []string{stateOpen, stateSucceeded, stateCanceled}
	types := append(facts.Moving(facts.Received, facts.ReceivedAgain),
		domain.TypeAttemptStarted, domain.TypeAttemptFailed)
	rows, err := postgres.List(ctx, p.q, "read outcomes of attempts",
		func(row pgx.CollectableRow) (r outcomesRow, err error) {
			err = row.Scan(&r.scanned, &r.acquirer, &r.method, &r.paid, &r.reason, &r.attempts)
			return r, err
		}, outcomesSQL, postgres.PlanEachTime, tenant.Organization, wanted, states, from.Start(),
		to.Add(1).Start(), outcomesOf, types, domain.TypeAttemptStarted, domain.TypeAttemptFailed,
		tenant.Mode)
	if err != nil {
		return Outcomes{}, err
	}
	var all Outcomes
	for _, r := range rows {
		all.Scanned, all.Bounded = r.scanned, r.scanned >= outcomesOf
		if r.attempts > 0 {
			all.of(r.acquirer, r.method).add(r)
		}
	}
	slices.SortStableFunc(all.Methods, func(a, b MethodOutcomes) int {
		return cmp.Or(b.attempts()-a.attempts(), cmp.Compare(a.Method, b.Method),
			cmp.Compare(a.Acquirer, b.Acquirer))
	})
	return all, nil
}

func (o *Outcomes) of(acquirer, method string) *MethodOutcomes {
	n := slices.IndexFunc(o.Methods, func(m MethodOutcomes) bool {
		return m.Acquirer == acquirer && m.Method == method
	})
	if n < 0 {
		n, o.Methods = len(o.Methods),
			append(o.Methods, MethodOutcomes{Acquirer: acquirer, Method: method, Reasons: map[string]int{}})
	}
	return &o.Methods[n]
}

func (m *MethodOutcomes) add(r outcomesRow) {
	switch {
	case r.paid:
		m.Paid += r.attempts
	case r.reason != nil:
		m.Failed += r.attempts
		m.Reasons[*r.reason] += r.attempts
	default:
		m.Open += r.attempts
	}
}

func (m *MethodOutcomes) attempts() int { return m.Paid + m.Failed + m.Open }
