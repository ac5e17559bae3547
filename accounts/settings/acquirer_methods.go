package settings

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// AmountLimits are the least and the greatest amount that a merchant accepts with a method, in
// dirhams, both included. 0 is no limit of the merchant: the acquirer's applies.
type AmountLimits struct {
	Min int64 `json:"min,omitempty"`
	Max int64 `json:"max,omitempty"`
}

// detail is what the audit trail records of the limits.
func (l AmountLimits) detail(method string) map[string]any {
	said := map[string]any{"method": method}
	for name, minor := range map[string]int64{"min": l.Min, "max": l.Max} {
		if minor > 0 {
			said[name] = domain.Money{Minor: minor, Currency: domain.LYD}.Figures()
		}
	}
	return said
}

const offerMethodsSQL = `
UPDATE acquirer_accounts a
SET methods = $4, changed_at = $5` + ofAccountSQL

// OfferMethods sets which methods of an account the checkout offers, and their order; also
// ErrNoAcquirerAccount, and ErrInvalid where there is no method. The caller has checked that
// the acquirer has them.
func (s *Settings) OfferMethods(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, acquirer string, methods []string,
) error {
	if len(methods) == 0 {
		return fmt.Errorf("%w: an account offers at least one method; a disabled one offers none",
			accounts.ErrInvalid)
	}
	return s.changeAcquirer(ctx, by, of, app, acquirer, ActionOfferMethods,
		map[string]any{"methods": methods}, offerMethodsSQL, methods, s.now())
}

// The statement changes one method's limits, so that limits of other methods that are set at
// the same time are kept.
const limitMethodSQL = `
UPDATE acquirer_accounts a
SET changed_at = $6,
    limits = CASE WHEN $5::jsonb = '{}' THEN a.limits - $4::text
                  ELSE a.limits || jsonb_build_object($4::text, $5::jsonb) END` + ofAccountSQL

// LimitMethod sets the amounts for which the checkout offers a method of an account, in place of
// earlier limits; the zero AmountLimits remove them. Also ErrNoAcquirerAccount, and ErrInvalid
// where no amount is within them. The acquirer's own limits always apply too.
func (s *Settings) LimitMethod(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, acquirer, method string, l AmountLimits,
) error {
	if l.Min < 0 || l.Max < 0 || l.Max > 0 && l.Max < l.Min {
		return fmt.Errorf("%w: no amount is within these limits", accounts.ErrInvalid)
	}
	return s.changeAcquirer(ctx, by, of, app, acquirer, ActionLimitMethod, l.detail(method),
		limitMethodSQL, method, l, s.now())
}

const (
	// Two calls at once set their orders one after the other.
	lockApplicationSQL = `
SELECT name
FROM applications
WHERE uuid = $1
  AND organization_uuid = $2
FOR NO KEY UPDATE`
	acquirerOrderSQL = `
SELECT acquirer
FROM acquirer_accounts
WHERE application_uuid = $1
ORDER BY position, acquirer`
	orderAcquirersSQL = `
UPDATE acquirer_accounts a
SET position = n.place
FROM unnest($2::text[]) WITH ORDINALITY AS n(acquirer, place)
WHERE a.application_uuid = $1
  AND a.acquirer = n.acquirer`
)

// OrderAcquirers sets which accounts of an application the checkout offers first, in this order;
// the others follow in their present order. Also ErrNoAcquirerAccount.
func (s *Settings) OrderAcquirers(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, first []string,
) error {
	err := s.accounts.Do(ctx, by, of, accounts.ChangeCredentials, func(tx pgx.Tx) (accounts.Entry, error) {
		name, err := postgres.Find(ctx, tx, "lock application", accounts.ErrNoApplication, pgx.RowTo[string],
			lockApplicationSQL, app, of)
		if err != nil {
			return accounts.Entry{}, err
		}
		present, err := postgres.List(ctx, tx, "list accounts with acquirers", pgx.RowTo[string],
			acquirerOrderSQL, app)
		if err != nil {
			return accounts.Entry{}, err
		}
		others := slices.DeleteFunc(slices.Clone(present), func(acquirer string) bool {
			return slices.Contains(first, acquirer)
		})
		order := slices.Concat(first, others)
		if len(order) != len(present) { // first names an account that does not exist, or one twice
			return accounts.Entry{}, ErrNoAcquirerAccount
		}
		if _, err := tx.Exec(ctx, orderAcquirersSQL, app, order); err != nil {
			return accounts.Entry{}, fmt.Errorf("order accounts with acquirers: %w", err)
		}
		detail := map[string]any{"name": name, "acquirers": order}
		return accounts.Entry{
			Action: ActionOrderAcquirers, Subject: "application", SubjectID: uuid.UUID(app), Detail: detail,
		}, nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", ActionOrderAcquirers, err)
	}
	return nil
}
