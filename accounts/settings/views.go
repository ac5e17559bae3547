package settings

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
)

// SavedView is a view of the list of payments that a person keeps under a name. It is the
// person's own: it changes nothing of the organisation, so it is not in the audit trail.
type SavedView struct {
	ID    uuid.UUID
	Name  string
	Query string // of the list's address
}

// MaxSavedViews is how many a person has in an organisation at most.
const MaxSavedViews = 20

// Errors about saved views.
var (
	ErrNoView       error = accounts.NotFound("there is no such view")
	ErrViewName           = fmt.Errorf("%w: another view has that name", accounts.ErrInvalid)
	ErrTooManyViews       = fmt.Errorf("%w: there are %d views already", accounts.ErrInvalid, MaxSavedViews)
)

const listViewsSQL = `
SELECT uuid, name, query
FROM saved_views
WHERE user_uuid = $1
  AND organization_uuid = $2
ORDER BY created_at, uuid`

// SavedViews are the actor's, the oldest first. It needs SeePayments, as all of these do.
func (s *Settings) SavedViews(ctx context.Context, by accounts.Actor,
	of accounts.OrganizationID,
) ([]SavedView, error) {
	if err := s.accounts.Authorize(ctx, by, of, accounts.SeePayments); err != nil {
		return nil, err
	}
	return postgres.List(ctx, s.pool, "list saved views", pgx.RowToStructByPos[SavedView],
		listViewsSQL, by.User, of)
}

const saveViewSQL = `
INSERT INTO saved_views (uuid, user_uuid, organization_uuid, name, query, created_at)
SELECT $3, $1, $2, $4, $5, $6
WHERE (SELECT count(*)
       FROM saved_views
       WHERE user_uuid = $1
         AND organization_uuid = $2) < $7`

// SaveView keeps a view under a name. Errors: ErrInvalid for the name, ErrViewName,
// ErrTooManyViews, and those of Authorize.
func (s *Settings) SaveView(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	name, query string,
) error {
	if err := accounts.CheckName(name); err != nil {
		return err
	}
	return s.changeView(ctx, by, of, "save view", ErrTooManyViews, saveViewSQL, uuid.New(), name, query,
		s.now(), MaxSavedViews)
}

const renameViewSQL = `
UPDATE saved_views
SET name = $4
WHERE user_uuid = $1
  AND organization_uuid = $2
  AND uuid = $3`

// RenameView gives a view another name. Errors: ErrNoView, ErrInvalid, ErrViewName, and those
// of Authorize.
func (s *Settings) RenameView(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	id uuid.UUID, name string,
) error {
	if err := accounts.CheckName(name); err != nil {
		return err
	}
	return s.changeView(ctx, by, of, "rename view", ErrNoView, renameViewSQL, id, name)
}

const deleteViewSQL = `
DELETE FROM saved_views
WHERE user_uuid = $1
  AND organization_uuid = $2
  AND uuid = $3`

// DeleteView deletes a view. Errors: ErrNoView, and those of Authorize.
func (s *Settings) DeleteView(ctx context.Context, by accounts.Actor,
	of accounts.OrganizationID, id uuid.UUID,
) error {
	return s.changeView(ctx, by, of, "delete view", ErrNoView, deleteViewSQL, id)
}

// changeView executes a statement about views of the actor, who may see payments; unchanged is
// the error where it changes nothing.
func (s *Settings) changeView(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	doing string, unchanged error, sql string, args ...any,
) error {
	if err := s.accounts.Authorize(ctx, by, of, accounts.SeePayments); err != nil {
		return err
	}
	changed, err := s.pool.Exec(ctx, sql, append([]any{by.User, of}, args...)...)
	switch {
	case postgres.ConstraintName(err) == "saved_views_user_uuid_organization_uuid_name_key":
		return ErrViewName
	case err != nil:
		return fmt.Errorf("%s: %w", doing, err)
	case changed.RowsAffected() == 0:
		return unchanged
	}
	return nil
}
