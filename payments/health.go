package payments

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/facts"
	"daftar/internal/postgres"
	"daftar/payments/acquirer"
)

// Health counts the outcomes of a method's attempts in one organisation.
type Health struct {
	Acquirer string
	Method   string
	Paid     int
	Failed   int
	Open     int // the payer has something to do
	Unknown  int // the outcome is not known yet
	Aside    int // quarantined for an operator
	// ToPay is the median of the time from an attempt's beginning until its money was taken;
	// zero where none was.
	ToPay time.Duration
	// LastAnswer is when the acquirer last reported the outcome of an attempt; nil: never.
	LastAnswer *time.Time
}

// Rate is the share of paid attempts among those with an outcome, in percent; false where
// there are none.
func (h Health) Rate() (percent int, known bool) {
	if h.Paid+h.Failed == 0 {
		return 0, false
	}
	return 100 * h.Paid / (h.Paid + h.Failed), true
}

// healthOf bounds how many intents of an application are looked at, of each state, the
// newest first.
const healthOf = 500

// What ended an attempt is in the events. An attempt that only this side ended tells nothing
// about the acquirer.
const healthSQL = `
WITH recent AS (
    SELECT p.intent_uuid
    FROM applications a
    CROSS JOIN unnest(ARRAY['open', 'succeeded', 'canceled']) AS s(state)
    CROSS JOIN LATERAL (
        SELECT q.intent_uuid
        FROM payments q
        WHERE q.application_uuid = a.uuid
          AND q.state = s.state
          AND q.created_at > $2
        ORDER BY q.created_at DESC
        LIMIT $3
    ) p
    WHERE a.organization_uuid = $1
      AND a.mode = $7
), ended AS (
    SELECT c.acquirer, c.method, c.stage, c.created_at,
           e.type, (e.payload::json->>'at')::timestamptz AS at, e.payload::json->>'reason' AS reason
    FROM recent r
    CROSS JOIN LATERAL (
        SELECT v.payload::json->>'attempt' AS attempt
        FROM events v
        WHERE v.stream_id = r.intent_uuid
          AND v.type = $8
        OFFSET 0
    ) b
    CROSS JOIN LATERAL (
        SELECT attempt, intent_uuid, acquirer, method, stage, created_at
        FROM checkout_attempts
        WHERE attempt = b.attempt
        OFFSET 0
    ) c
    LEFT JOIN LATERAL (
        SELECT v.type, v.payload
        FROM events v
        WHERE v.stream_id = c.intent_uuid
          AND v.type = ANY($4)
          AND v.payload::json->>'attempt' = c.attempt
        ORDER BY v.version DESC
        LIMIT 1
    ) e ON true
)
SELECT a.acquirer, a.method,
       count(*) FILTER (WHERE a.type <> $5),
       count(*) FILTER (WHERE a.type = $5),
       count(*) FILTER (WHERE s.state = 'open' AND a.type IS NULL),
       count(*) FILTER (WHERE s.state = 'unknown' AND a.type IS NULL),
       count(*) FILTER (WHERE s.state = 'quarantined'),
       coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM a.at - a.created_at))
                FILTER (WHERE a.type <> $5), 0)::float8,
       max(a.at) FILTER (WHERE a.type <> $5 OR NOT a.reason = ANY($6))
FROM ended a
JOIN ` + statesOfStages + ` ON s.stage = a.stage
GROUP BY 1, 2
ORDER BY 1, 2`

// localReasons are the reasons of attempts that ended without an answer of the acquirer.
var localReasons = []acquirer.Reason{
	acquirer.Unreachable, acquirer.SettledByOperator, acquirer.Expired, acquirer.TooManyCodes,
}

// Health returns the outcomes of each method, for the intents of the tenant that were
// created after since. Of an application with many intents it looks at the newest.
func (op *Operations) Health(
	ctx context.Context, of domain.Tenant, since time.Time,
) ([]Health, error) {
	ends := append(facts.Moving(facts.Received, facts.ReceivedAgain), domain.TypeAttemptFailed)
	return postgres.List(ctx, op.attempts.pool, "read how methods fare",
		func(row pgx.CollectableRow) (Health, error) {
			var h Health
			var seconds float64
			err := row.Scan(
				&h.Acquirer, &h.Method, &h.Paid, &h.Failed, &h.Open, &h.Unknown, &h.Aside,
				&seconds, &h.LastAnswer,
			)
			h.ToPay = time.Duration(seconds * float64(time.Second))
			return h, err
		}, healthSQL, of.Organization, since, healthOf, ends, domain.TypeAttemptFailed, localReasons, of.Mode,
		domain.TypeAttemptStarted)
}
