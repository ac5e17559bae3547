package accounts

import (
	"context"

	"daftar/internal/postgres"
)

// A sign-in is in the trail of each of the user's organisations; one trail has each
// sign-in once. The subquery is empty for an actor whose sessions were ended.
var signInsSQL = `
SELECT position, ` + auditColumns.List("") + `
FROM audit_records
WHERE organization_uuid = (
        SELECT m.organization_uuid FROM users u JOIN memberships m ON m.user_uuid = u.uuid
        WHERE u.uuid = $1 AND u.session_epoch = $2 ORDER BY m.created_at, m.organization_uuid LIMIT 1)
  AND subject_uuid = $1 AND subject = 'user' AND action = ANY($3)
ORDER BY position DESC LIMIT $4`

// SignIns are the latest sign-ins of the actor and failed attempts at one, the latest
// first, in which users look for sign-ins that were not theirs. A user without an
// organisation has none.
func (a *Accounts) SignIns(ctx context.Context, by Actor, limit int) ([]AuditRecord, error) {
	actions := []Action{ActionSignIn, ActionSignInCode, ActionSignInPasskey}
	return postgres.List(ctx, a.pool, "list sign-ins", scanAuditRecord, signInsSQL, by.User, by.Epoch, actions, limit)
}
