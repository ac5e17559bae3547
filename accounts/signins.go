package accounts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// A sign-in is in the trail of each organisation; one of them tells it once. The
// subquery is what an actor whose sessions were ended finds empty.
const signInsSQL = `
SELECT position, at, actor, user_uuid, action, subject, subject_uuid, detail, address, request_id, outcome
FROM audit_records
WHERE organization_uuid = (
        SELECT m.organization_uuid FROM users u JOIN memberships m ON m.user_uuid = u.uuid
        WHERE u.uuid = $1 AND u.session_epoch = $2 ORDER BY m.created_at, m.organization_uuid LIMIT 1)
  AND subject_uuid = $1 AND subject = 'user' AND action = ANY($3)
ORDER BY position DESC LIMIT $4`

// SignIns are the latest sign-ins of the actor, and the attempts at one that
// failed, the latest first: what people look at to see whether somebody else has
// been there. Whoever belongs to no organisation has none.
func (a *Accounts) SignIns(ctx context.Context, by Actor, limit int) ([]AuditRecord, error) {
	actions := []string{string(ActionSignIn), string(ActionSignInCode)}
	rows, err := a.pool.Query(ctx, signInsSQL, [16]byte(by.User), by.Epoch, actions, limit)
	if err != nil {
		return nil, fmt.Errorf("list sign-ins: %w", err)
	}
	all, err := pgx.CollectRows(rows, scanAuditRecord)
	if err != nil {
		return nil, fmt.Errorf("list sign-ins: %w", err)
	}
	return all, nil
}
