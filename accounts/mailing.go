package accounts

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/mail"
	"daftar/internal/postgres"
)

// maxMailed bounds how many members get one mail: the oldest memberships first.
const maxMailed = 100

const mailedSQL = `
SELECT u.email
FROM (SELECT user_uuid, created_at
      FROM memberships
      WHERE organization_uuid = $1
        AND role = ANY ($2)
      OFFSET 0) m
     CROSS JOIN LATERAL (SELECT email FROM users WHERE uuid = m.user_uuid OFFSET 0) u
ORDER BY m.created_at, u.email
LIMIT $3`

// MailMembers queues a mail for each member of an organisation who has one of the roles, in
// the caller's transaction. write makes the mail to an address. Call it only where mail is on.
func (a *Accounts) MailMembers(ctx context.Context, tx pgx.Tx, org OrganizationID, roles []Role,
	write func(to string) mail.Message,
) error {
	all, err := postgres.List(ctx, tx, "list addresses", pgx.RowTo[string], mailedSQL, org, roles, maxMailed)
	if err != nil {
		return err
	}
	for _, to := range all {
		if err := mail.Add(ctx, tx, a.key, uuid.New(), write(to), a.now()); err != nil {
			return fmt.Errorf("mail to members: %w", err)
		}
	}
	return nil
}
