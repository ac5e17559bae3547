package notices

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/payments/outcomes"
)

// occurrence is an event, an unknown outcome or an endpoint of which members may be notified.
type occurrence struct {
	position    int64 // of its event; 0: it is none
	kind        Kind
	intent      *[16]byte // nil for an endpoint
	application *[16]byte // nil: the intent's
	attempt     string
	amount      int64
	currency    string
	reason      string
	at          time.Time
}

var occurrenceColumns = postgres.Columns[occurrence]{
	postgres.Typed("position", "int8", func(h *occurrence) *int64 { return &h.position }),
	postgres.Typed("kind", "text", func(h *occurrence) *string { return (*string)(&h.kind) }),
	postgres.Typed("intent_uuid", "uuid", func(h *occurrence) **[16]byte { return &h.intent }),
	postgres.Typed("application_uuid", "uuid", func(h *occurrence) **[16]byte { return &h.application }),
	postgres.Typed("attempt", "text", func(h *occurrence) *string { return &h.attempt }),
	postgres.Typed("amount", "int8", func(h *occurrence) *int64 { return &h.amount }),
	postgres.Typed("currency", "text", func(h *occurrence) *string { return &h.currency }),
	postgres.Typed("reason", "text", func(h *occurrence) *string { return &h.reason }),
	postgres.Typed("at", "timestamptz", func(h *occurrence) *time.Time { return &h.at }),
}

// The parameters after the columns: now, the pause between two mails, the roles that are notified of
// endpoints without having chosen, and those that may be notified of each payment. The rows of members are
// locked in the order of their key, as everybody locks them, so that the notices of one get their ordinals
// in the order of their commits.
var addNoticesSQL = `
WITH occurred AS MATERIALIZED (
    SELECT n.position, n.kind, n.intent_uuid, n.attempt, n.amount, n.currency, n.reason, n.at,
           a.uuid AS application_uuid, a.organization_uuid
    FROM ` + occurrenceColumns.Unnest(1) + ` AS n(` + occurrenceColumns.List("") + `)
    CROSS JOIN LATERAL (
        SELECT coalesce(n.application_uuid,
                        (SELECT application_uuid FROM intents WHERE uuid = n.intent_uuid)) AS uuid
        OFFSET 0) i
    CROSS JOIN LATERAL (
        SELECT uuid, organization_uuid
        FROM applications
        WHERE uuid = i.uuid
          AND (mode = 'live' OR n.kind = 'stopped')
        OFFSET 0) a
), members AS MATERIALIZED (
    SELECT p.user_uuid, p.organization_uuid, p.decisions, p.noticed,
           p.payments AND m.role = ANY($13) AS payments, p.chosen_at IS NULL AND m.role = ANY($12) AS by_role
    FROM mail_preferences p
    CROSS JOIN LATERAL (
        SELECT role
        FROM memberships
        WHERE user_uuid = p.user_uuid
          AND organization_uuid = p.organization_uuid
        OFFSET 0) m
    WHERE p.organization_uuid = ANY(ARRAY(SELECT DISTINCT organization_uuid FROM occurred))
    ORDER BY p.user_uuid, p.organization_uuid
    FOR NO KEY UPDATE OF p
), added AS (
    INSERT INTO notices (user_uuid, organization_uuid, kind, application_uuid, intent_uuid, attempt, amount,
                         currency, reason, at)
    SELECT m.user_uuid, m.organization_uuid, h.kind, h.application_uuid, h.intent_uuid, h.attempt, h.amount,
           h.currency, h.reason, h.at
    FROM members m
    JOIN occurred h ON h.organization_uuid = m.organization_uuid
    WHERE (h.position = 0 OR h.position > m.noticed)
      AND (m.payments AND h.kind IN ('paid', 'late', 'duplicate')
           OR m.decisions AND h.kind <> 'paid'
           OR m.by_role AND h.kind = 'stopped')
    ORDER BY h.position, h.at
    RETURNING user_uuid, organization_uuid
)
UPDATE mail_preferences p
SET noticed = greatest(p.noticed, (SELECT max(position) FROM occurred)),
    due_at = least(p.due_at, greatest($10, p.mailed_at + $11))
FROM (SELECT DISTINCT user_uuid, organization_uuid FROM added) t
WHERE p.user_uuid = t.user_uuid
  AND p.organization_uuid = t.organization_uuid`

// rolesByDefault are notified of disabled endpoints until they choose.
var rolesByDefault = []accounts.Role{accounts.RoleOwner, accounts.RoleDeveloper}

// moneyRoles may be notified of each payment.
func moneyRoles() (all []accounts.Role) {
	for _, r := range accounts.Roles {
		if r.Allows(accounts.SeeMoney) {
			all = append(all, r)
		}
	}
	return all
}

// addNotices adds notices for the members who chose them, and makes their mails due.
func addNotices(ctx context.Context, tx pgx.Tx, all []occurrence, now time.Time) error {
	arguments := append(occurrenceColumns.Arrays(all), now, pause, rolesByDefault, moneyRoles())
	if _, err := tx.Exec(ctx, addNoticesSQL, arguments...); err != nil {
		return fmt.Errorf("make notices: %w", err)
	}
	return nil
}

// The first stop of an organisation makes rows for those who have chosen nothing. Some are left out if there
// are very many, the oldest memberships first.
const byRoleSQL = `
INSERT INTO mail_preferences (user_uuid, organization_uuid)
SELECT user_uuid, organization_uuid
FROM memberships
WHERE organization_uuid = (SELECT organization_uuid FROM applications WHERE uuid = $1)
  AND role = ANY($2)
ORDER BY created_at, user_uuid
LIMIT $3
ON CONFLICT DO NOTHING`

// maxByRole bounds how many members are notified of an endpoint without having chosen.
const maxByRole = 100

// EndpointStopped notifies of an endpoint that was disabled, within the caller's transaction: owners and
// developers who have chosen nothing too. Call it only if mail is on.
func (n *Notices) EndpointStopped(
	ctx context.Context, tx pgx.Tx, of domain.ApplicationID, at time.Time, reason string,
) error {
	if _, err := tx.Exec(ctx, byRoleSQL, of, rolesByDefault, maxByRole); err != nil {
		return fmt.Errorf("find members to notify: %w", err)
	}
	return addNotices(ctx, tx, []occurrence{{
		kind: Stopped, application: (*[16]byte)(&of), reason: reason, at: at,
	}}, n.Now())
}

// unknownPollEvery is the time between two polls for outcomes that are unknown for an hour.
const unknownPollEvery = time.Minute

// addUnknown makes notices of outcomes that have been unknown for an hour.
func (n *Notices) addUnknown(ctx context.Context) error {
	return pgx.BeginFunc(ctx, n.Pool, func(tx pgx.Tx) error {
		long, err := outcomes.ClaimLongUnknown(ctx, tx, n.Now())
		if err != nil || len(long) == 0 {
			return err
		}
		all := make([]occurrence, 0, len(long))
		for _, o := range long {
			kind := UnknownPayment
			if o.Kind == outcomes.Refund {
				kind = UnknownRefund
			}
			all = append(all, occurrence{
				kind: kind, intent: (*[16]byte)(&o.Intent), attempt: string(o.Attempt), amount: o.Amount.Minor,
				currency: string(o.Amount.Currency), at: o.Since,
			})
		}
		return addNotices(ctx, tx, all, n.Now())
	})
}
