package webhooks

import (
	"bytes"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// destination is an application's webhook URL and secret.
type destination struct {
	Application domain.ApplicationID
	URL         *string
	Sealed      []byte // the secret, as the database has it
}

const destinationsSQL = `
SELECT uuid, webhook_url, webhook_secret
FROM applications
WHERE uuid = ANY ($1)`

func (d *Dispatcher) destinations(ctx context.Context,
	of []domain.ApplicationID,
) (func(domain.ApplicationID) destination, error) {
	found, err := postgres.List(ctx, d.pool, "read destinations",
		pgx.RowToStructByPos[destination], destinationsSQL, of)
	if err != nil {
		return nil, err
	}
	by := make(map[domain.ApplicationID]destination, len(found))
	for _, one := range found {
		by[one.Application] = one
	}
	return func(id domain.ApplicationID) destination { return by[id] }, nil
}

var errMoved = errors.New("the application has another webhook URL by now")

// confirm reads, right before a try, the secret and the address, which the merchant may have
// changed since the delivery was fetched. It returns the signer of the present secret, and
// errMoved if the address was replaced. Tries that begin together share a query.
func (w *work) confirm(ctx context.Context, c claimed, by signer) (signer, error) {
	now, err := w.present.Ask(ctx, c.Application)
	switch {
	case err != nil:
		return signer{}, err
	case now.URL == nil || *now.URL != c.URL:
		return signer{}, errMoved
	case bytes.Equal(now.Sealed, by.sealed):
		return by, nil
	}
	return signerOf(ctx, w.accounts, c.Application, now.Sealed)
}
