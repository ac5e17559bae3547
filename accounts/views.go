package accounts

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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
	ErrNoView       error = notFound("there is no such view")
	ErrViewName           = fmt.Errorf("%w: another view has that name", ErrInvalid)
	ErrTooManyViews       = fmt.Errorf("%w: there are %d views already", ErrInvalid, MaxSavedViews)
)

const listViewsSQL = `SELECT uuid, name, query FROM saved_views WHERE user_uuid = $1 AND organization_uuid = $2 ORDER BY created_at, uuid`

// SavedViews are the actor's, the oldest first. It needs SeePayments, as all of these do.
func (a *Accounts) SavedViews(ctx context.Context, by Actor, of OrganizationID) ([]SavedView, error) {
	if err := a.Authorize(ctx, by, of, SeePayments); err != nil {
		return nil, err
	}
	return postgres.List(ctx, a.pool, "list saved views", pgx.RowToStructByPos[SavedView], listViewsSQL, by.User, of)
}

const saveViewSQL = `
INSERT INTO saved_views (uuid, user_uuid, organization_uuid, name, query, created_at)
SELECT $3, $1, $2, $4, $5, $6 WHERE (SELECT count(*) FROM saved_views WHERE user_uuid = $1 AND organization_uuid = $2) < $7`

// SaveView keeps a view under a name. Errors: ErrInvalid for the name, ErrViewName,
// ErrTooManyViews, and those of Authorize.
func (a *Accounts) SaveView(ctx context.Context, by Actor, of OrganizationID, name, query string) error {
	if err := checkName(name); err != nil {
		return err
	}
	return a.changeView(ctx, by, of, "save view", ErrTooManyViews, saveViewSQL, uuid.New(), name, query, a.moment(), MaxSavedViews)
}

const renameViewSQL = `UPDATE saved_views SET name = $4 WHERE user_uuid = $1 AND organization_uuid = $2 AND uuid = $3`

// RenameView gives a view another name. Errors: ErrNoView, ErrInvalid, ErrViewName, and those
// of Authorize.
func (a *Accounts) RenameView(ctx context.Context, by Actor, of OrganizationID, id uuid.UUID, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	return a.changeView(ctx, by, of, "rename view", ErrNoView, renameViewSQL, id, name)
}

const deleteViewSQL = `DELETE FROM saved_views WHERE user_uuid = $1 AND organization_uuid = $2 AND uuid = $3`

// DeleteView deletes a view. Errors: ErrNoView, and those of Authorize.
func (a *Accounts) DeleteView(ctx context.Context, by Actor, of OrganizationID, id uuid.UUID) error {
	return a.changeView(ctx, by, of, "delete view", ErrNoView, deleteViewSQL, id)
}

// changeView executes a statement about views of the actor, who may see payments; unchanged is
// the error where it changes nothing.
func (a *Accounts) changeView(ctx context.Context, by Actor, of OrganizationID, doing string, unchanged error, sql string, args ...any) error {
	if err := a.Authorize(ctx, by, of, SeePayments); err != nil {
		return err
	}
	changed, err := a.pool.Exec(ctx, sql, append([]any{by.User, of}, args...)...)
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
