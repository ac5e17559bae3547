package people

import (
	"context"

	"daftar/accounts"
)

// SignIns are the latest sign-ins of the actor and failed attempts at one, the latest
// first, in which users look for sign-ins that were not theirs. A user without an
// organisation has none.
func (p *People) SignIns(ctx context.Context, by accounts.Actor, limit int) ([]accounts.AuditRecord, error) {
	actions := []accounts.Action{ActionSignIn, ActionSignInCode, ActionSignInPasskey}
	return p.accounts.OwnRecords(ctx, by, actions, limit)
}
