package people

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/mail"
	"daftar/internal/postgres"
)

// An invitation i is open only while its inviter may invite. The address of a user never
// changes, and none looks like the name of an operator.
var inviterMayInviteSQL = `(i.invited_by LIKE 'operator:%' OR EXISTS (
    SELECT FROM memberships s
                JOIN users v ON v.uuid = s.user_uuid
    WHERE s.organization_uuid = i.organization_uuid
      AND v.email = i.invited_by
      AND s.role IN ('` + strings.Join(inviters(), `', '`) + `')))`

// inviters are the roles that may invite; each of them may invite to any role.
func inviters() (roles []string) {
	for _, r := range accounts.Roles {
		if r.Allows(accounts.ManagePeople) {
			roles = append(roles, string(r))
		}
	}
	return roles
}

// Invitations to the member end too: with one a removed member could come back.
const endInvitationsSQL = `
UPDATE invitations
SET revoked_at = $3
WHERE organization_uuid = $1
  AND (invited_by = $2 OR lower(email) = lower($2))
  AND accepted_at IS NULL
  AND revoked_at IS NULL
RETURNING uuid`

// endInvitations ends the open invitations by and to a member that is removed, or may no longer
// invite, and returns their number. One that is being accepted at the same time succeeds.
func (p *People) endInvitations(ctx context.Context, tx pgx.Tx,
	org accounts.OrganizationID, email string,
) (int, error) {
	ended, err := postgres.List(ctx, tx, "end invitations", pgx.RowTo[uuid.UUID], endInvitationsSQL, org,
		email, p.moment())
	if err != nil {
		return 0, err
	}
	return len(ended), mail.Withdraw(ctx, tx, ended...)
}
