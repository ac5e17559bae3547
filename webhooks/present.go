package webhooks

import (
	"bytes"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// destination is where an application's webhooks go, and under which secret.
type destination struct {
	Application domain.ApplicationID
	URL         *string
	Sealed      []byte
}

const destinationsSQL = `SELECT uuid, webhook_url, webhook_secret FROM applications WHERE uuid = ANY ($1)`

func (d *Dispatcher) destinations(ctx context.Context,
	of []domain.ApplicationID,
) (func(domain.ApplicationID) destination, error) {
	found, err := postgres.List(ctx, d.pool, "read destinations", pgx.RowToStructByPos[destination],
		destinationsSQL, of)
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

// confirm asks, right before a try, for what a merchant may have changed since the
// delivery was fetched: a secret that was rolled signs nothing any more, and an address
// that was replaced is sent nothing. Tries that begin together share a query.
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
