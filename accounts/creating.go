package accounts

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// ErrInactive says that the application is not active: its requests are refused, and
// members cannot create payments for it.
var ErrInactive = errors.New("the application is not active")

// ActionCreatePayment is a payment that a member asks a customer for.
const ActionCreatePayment Action = "payment.create"

type creator struct {
	Namespace domain.Namespace
	Active    bool
}

const creatorSQL = `
SELECT namespace, active
FROM applications
WHERE uuid = $1
  AND organization_uuid = $2`

// Namespace is the namespace of an application for which the actor is about to create an
// intent. It needs CreatePayments. Errors: ErrNoApplication, ErrInactive, and those of
// Authorize.
func (a *Accounts) Namespace(ctx context.Context, by Actor, org OrganizationID,
	app domain.ApplicationID,
) (domain.Namespace, error) {
	if err := a.Authorize(ctx, by, org, CreatePayments); err != nil {
		return domain.Namespace{}, err
	}
	found, err := postgres.Find(ctx, a.pool, "find application", ErrNoApplication,
		pgx.RowToStructByPos[creator], creatorSQL, app, org)
	if err == nil && !found.Active {
		err = ErrInactive
	}
	return found.Namespace, err
}
