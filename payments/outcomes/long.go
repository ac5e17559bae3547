package outcomes

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

const (
	// longAfter is how long an outcome is unknown before members are notified.
	longAfter = time.Hour
	// remindAfter is how long after that they are reminded.
	remindAfter = 30 * 24 * time.Hour
	// longAtOnce bounds what ClaimLongUnknown returns.
	longAtOnce = 1000
)

var longSQL = `
WITH long AS MATERIALIZED (
    SELECT u.kind, u.subject, u.application_uuid, u.intent_uuid, u.attempt, u.amount, u.currency,
           u.stage_since
    FROM (` + paymentsSQL(inLive, "") + `
UNION ALL ` + refundsSQL(inLive) + `) u
    WHERE u.stage_since <= $1
      AND NOT EXISTS (
          SELECT FROM unknown_noticed n WHERE n.kind = u.kind AND n.subject = u.subject)
    LIMIT $3
), forgotten AS (
    DELETE FROM unknown_noticed
    WHERE at < $4
), noticed AS (
    INSERT INTO unknown_noticed (kind, subject, at)
    SELECT kind, subject, $2
    FROM long
    ORDER BY kind, subject
    ON CONFLICT DO NOTHING
    RETURNING kind, subject
)
SELECT l.kind, l.subject, l.application_uuid, l.intent_uuid, l.attempt, l.amount, l.currency, l.stage_since
FROM long l
JOIN noticed USING (kind, subject)
ORDER BY l.stage_since, l.subject`

// ClaimLongUnknown returns the payments and refunds of live applications of all organisations whose outcome
// has been unknown for an hour, with their keys, intents, amounts and since when. Once the transaction has
// committed, no other call returns them for a month. It returns longAtOnce of them at most.
func ClaimLongUnknown(ctx context.Context, tx pgx.Tx, now time.Time) ([]Outcome, error) {
	return postgres.List(ctx, tx, "claim outcomes that are unknown for an hour",
		func(row pgx.CollectableRow) (o Outcome, err error) {
			err = row.Scan(&o.Kind, &o.Subject, &o.Application, (*[16]byte)(&o.Intent), &o.Attempt,
				&o.Amount.Minor, &o.Amount.Currency, &o.Since)
			return o, err
		}, longSQL, now.Add(-longAfter), now, longAtOnce, now.Add(-remindAfter))
}
