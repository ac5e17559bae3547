package notices

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
)

const recipientSQL = `
SELECT u.email, p.organization_uuid, o.name, p.token, m.role
FROM mail_preferences p
JOIN users u ON u.uuid = p.user_uuid
JOIN organizations o ON o.uuid = p.organization_uuid
JOIN memberships m ON m.user_uuid = p.user_uuid AND m.organization_uuid = p.organization_uuid
WHERE p.token = $1`

// recipient is the member of a row of mail_preferences, and their role now.
func recipient(ctx context.Context, tx pgx.Tx, token uuid.UUID) (r Recipient, role accounts.Role, err error) {
	err = tx.QueryRow(ctx, recipientSQL, token).
		Scan(&r.Email, (*[16]byte)(&r.Organization), &r.Name, &r.Token, &role)
	if err != nil {
		err = fmt.Errorf("find recipient: %w", err)
	}
	return r, role, err
}

// What waits is selected by the member's key and the kinds that their role may see.
const (
	sumsSQL = `
SELECT n.kind, coalesce(a.acquirer, ''), coalesce(a.method, ''), count(*), sum(n.amount)::int8, n.currency,
       min(n.at), max(n.ordinal)
FROM notices n
LEFT JOIN LATERAL (
    SELECT acquirer, method
    FROM checkout_attempts
    WHERE attempt = n.attempt
      AND n.kind IN ('paid', 'late', 'duplicate')
    OFFSET 0) a ON true
WHERE n.user_uuid = $1
  AND n.organization_uuid = $2
  AND n.kind = ANY($3)
GROUP BY n.kind, 2, 3, n.currency`
	namedSQL = `
SELECT n.kind, n.at, p.name, p.mode = 'test', n.intent_uuid, coalesce(i.reference, ''), n.amount, n.currency,
       coalesce(a.acquirer, ''), coalesce(a.method, ''), coalesce(a.payer, ''), n.reason
FROM (
    SELECT kind, at, ordinal, application_uuid, intent_uuid, amount, currency, attempt, reason
    FROM notices
    WHERE user_uuid = $1
      AND organization_uuid = $2
      AND kind = ANY($3)
    ORDER BY kind = 'paid', CASE WHEN kind = 'paid' THEN -ordinal ELSE ordinal END
    LIMIT $4
) n
CROSS JOIN LATERAL (SELECT name, mode FROM applications WHERE uuid = n.application_uuid OFFSET 0) p
LEFT JOIN LATERAL (SELECT reference FROM intents WHERE uuid = n.intent_uuid OFFSET 0) i ON true
LEFT JOIN LATERAL (
    SELECT acquirer, method, payer
    FROM checkout_attempts
    WHERE attempt = n.attempt
    OFFSET 0) a ON true
ORDER BY n.kind = 'paid', CASE WHEN n.kind = 'paid' THEN -n.ordinal ELSE n.ordinal END`
)

// sumRow is a Sum with the time of its first notice and the ordinal of its last.
type sumRow struct {
	Sum

	since   time.Time
	through int64
}

// readDigest returns the member's pending notices, and the ordinal of the last. Their row is locked, so no
// notice comes in between.
func readDigest(
	ctx context.Context, tx pgx.Tx, user accounts.UserID, to Recipient, role accounts.Role,
) (d Digest, through int64, err error) {
	d.Recipient = to
	rows, err := postgres.List(ctx, tx, "add up notices",
		func(row pgx.CollectableRow) (s sumRow, err error) {
			err = row.Scan(&s.Kind, &s.Acquirer, &s.Method, &s.Count, &s.Total.Sum, &s.Currency, &s.since,
				&s.through)
			return s, err
		}, sumsSQL, user, to.Organization, kindsFor(role))
	if err != nil || len(rows) == 0 {
		return d, 0, err
	}
	slices.SortFunc(rows, func(a, b sumRow) int {
		return cmp.Or(slices.Index(Kinds, a.Kind)-slices.Index(Kinds, b.Kind), cmp.Compare(b.Count, a.Count),
			cmp.Compare(a.Acquirer, b.Acquirer), cmp.Compare(a.Method, b.Method))
	})
	d.Since = rows[0].since
	for _, r := range rows {
		if !role.Allows(accounts.SeeMoney) {
			r.Total.Sum = 0
		}
		d.Count += int(r.Count)
		d.Sums = append(d.Sums, r.Sum)
		if through = max(through, r.through); r.since.Before(d.Since) {
			d.Since = r.since
		}
	}
	d.Named, err = postgres.List(ctx, tx, "list notices",
		func(row pgx.CollectableRow) (n Notice, err error) {
			err = row.Scan(&n.Kind, &n.At, &n.Application, &n.Test, &n.Intent, &n.Reference,
				&n.Amount.Minor, &n.Amount.Currency, &n.Acquirer, &n.Method, &n.Payer, &n.Reason)
			return n, err
		}, namedSQL, user, to.Organization, kindsFor(role), maxNamed)
	return d, through, err
}

// kindsFor are the kinds of which a role may be notified.
func kindsFor(role accounts.Role) []Kind {
	if role.Allows(accounts.SeeMoney) {
		return Kinds
	}
	return slices.DeleteFunc(slices.Clone(Kinds), func(k Kind) bool { return k == Paid })
}
