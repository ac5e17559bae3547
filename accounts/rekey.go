package accounts

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// ActionRekey is the one action that concerns no organisation.
const ActionRekey Action = "secret_key.replace"

// AndOld returns a key that also opens what the old one has sealed. What it seals
// is under the present key alone.
func (k SecretKey) AndOld(old SecretKey) SecretKey {
	k.old = old.aead
	return k
}

// sealedColumns are all secrets that the database keeps, each sealed for the row
// that it stands in.
var sealedColumns = []struct{ what, read, write string }{
	{
		"webhook secret of application",
		`SELECT uuid, webhook_secret FROM applications ORDER BY uuid`,
		`UPDATE applications SET webhook_secret = $2 WHERE uuid = $1`,
	},
	{
		"second factor of user",
		`SELECT uuid, totp_secret FROM users WHERE totp_secret IS NOT NULL ORDER BY uuid`,
		`UPDATE users SET totp_secret = $2 WHERE uuid = $1`,
	},
	{
		"unconfirmed second factor of user",
		`SELECT uuid, totp_pending FROM users WHERE totp_pending IS NOT NULL ORDER BY uuid`,
		`UPDATE users SET totp_pending = $2 WHERE uuid = $1`,
	},
}

// lockRows locks the rows that are to be sealed again, in the order of their ids, so
// that no roll comes in between.
const lockRows = ` FOR NO KEY UPDATE`

// CheckSecretKey opens every sealed secret and says how many there are; an
// error means that the key is missing or not the one that sealed them.
func (a *Accounts) CheckSecretKey(ctx context.Context) (int, error) {
	opened := 0
	for _, column := range sealedColumns {
		all, err := readSealed(ctx, a.pool, column.read)
		if err != nil {
			return 0, fmt.Errorf("check secret key: %w", err)
		}
		for _, s := range all {
			if _, err := a.key.open(s.Sealed, s.Of); err != nil {
				return 0, fmt.Errorf("check secret key: %s %s: %w", column.what, s.Of, err)
			}
		}
		opened += len(all)
	}
	return opened, nil
}

// Rekey seals again, under the present key, every secret that is sealed under
// the old one (see AndOld), and returns how many those were. Where one opens under
// neither it is named, and the transaction, which is the caller's, must not be
// committed. Only operators may.
func Rekey(ctx context.Context, tx pgx.Tx, by Actor, key SecretKey) (int, error) {
	if !by.operator {
		return 0, ErrForbidden
	}
	if key.aead == nil {
		return 0, ErrNoSecretKey
	}
	changed := 0
	for _, column := range sealedColumns {
		n, err := rekey(ctx, tx, key, column.what, column.read, column.write)
		if err != nil {
			return 0, fmt.Errorf("replace secret key: %w", err)
		}
		changed += n
	}
	return changed, Record(ctx, tx, by, OrganizationID{}, Entry{Action: ActionRekey, Detail: map[string]any{"secrets": changed}})
}

// sealedSecret is a secret as the database keeps it.
type sealedSecret struct {
	Of     uuid.UUID // a row of any of the tables
	Sealed []byte
}

func readSealed(ctx context.Context, from postgres.Querier, sql string) ([]sealedSecret, error) {
	return postgres.List(ctx, from, "read sealed secrets", pgx.RowToStructByPos[sealedSecret], sql)
}

func rekey(ctx context.Context, tx pgx.Tx, key SecretKey, what, read, write string) (int, error) {
	all, err := readSealed(ctx, tx, read+lockRows)
	if err != nil {
		return 0, err
	}
	var batch pgx.Batch
	for _, s := range all {
		present := SecretKey{aead: key.aead}
		if _, err := present.open(s.Sealed, s.Of); err == nil {
			continue // already, by a run before or because it is new
		}
		secret, err := key.open(s.Sealed, s.Of)
		if err != nil {
			return 0, fmt.Errorf("%s %s: %w", what, s.Of, err)
		}
		sealed, err := present.seal(secret, s.Of)
		if err != nil {
			return 0, err
		}
		batch.Queue(write, s.Of, sealed)
	}
	return batch.Len(), tx.SendBatch(ctx, &batch).Close()
}
