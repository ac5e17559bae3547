package people

import (
	"context"

	"daftar/accounts"
)

// SignIns are the actor's latest sign-ins and failed attempts, the latest first, for users to
// find sign-ins that were not theirs. A user without an organisation has none.
func (p *People) SignIns(ctx context.Context, by accounts.Actor, limit int) ([]accounts.AuditRecord, error) {
	actions := []accounts.Action{ActionSignIn, ActionSignInCode, ActionSignInPasskey}
	return p.accounts.OwnRecords(ctx, by, actions, limit)
}
