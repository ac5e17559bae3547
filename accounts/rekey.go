package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// ActionRekey is the one action that concerns no organisation.
const ActionRekey Action = "secret_key.replace"

// AndOld returns a key that also opens what the old one has sealed. What it seals
// is under the present key alone.
func (k SecretKey) AndOld(old SecretKey) SecretKey {
	k.old = old.aead
	return k
}

// Locked in the order of their ids, as a roll may come in between.
const (
	sealedWebhookSecretsSQL = `SELECT uuid, webhook_secret FROM applications ORDER BY uuid FOR NO KEY UPDATE`
	sealWebhookSecretSQL    = `UPDATE applications SET webhook_secret = $2 WHERE uuid = $1`
	sealedFactorsSQL        = `
SELECT uuid, totp_secret FROM users WHERE totp_secret IS NOT NULL ORDER BY uuid FOR NO KEY UPDATE`
	sealFactorSQL           = `UPDATE users SET totp_secret = $2 WHERE uuid = $1`
	sealedPendingFactorsSQL = `
SELECT uuid, totp_pending FROM users WHERE totp_pending IS NOT NULL ORDER BY uuid FOR NO KEY UPDATE`
	sealPendingFactorSQL = `UPDATE users SET totp_pending = $2 WHERE uuid = $1`
)

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
	for _, column := range []struct{ what, read, write string }{
		{"webhook secret of application", sealedWebhookSecretsSQL, sealWebhookSecretSQL},
		{"second factor of user", sealedFactorsSQL, sealFactorSQL},
		{"unconfirmed second factor of user", sealedPendingFactorsSQL, sealPendingFactorSQL},
	} {
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
	of     [16]byte
	sealed []byte
}

func rekey(ctx context.Context, tx pgx.Tx, key SecretKey, what, read, write string) (int, error) {
	rows, err := tx.Query(ctx, read)
	if err != nil {
		return 0, err
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s sealedSecret, err error) {
		return s, row.Scan(&s.of, &s.sealed)
	})
	if err != nil {
		return 0, err
	}
	var batch pgx.Batch
	for _, s := range all {
		present := SecretKey{aead: key.aead}
		if _, err := present.open(s.sealed, s.of); err == nil {
			continue // already, by a run before or because it is new
		}
		secret, err := key.open(s.sealed, s.of)
		if err != nil {
			return 0, errors.Join(fmt.Errorf("%s %s", what, UserID(s.of)), err)
		}
		sealed, err := present.seal(secret, s.of)
		if err != nil {
			return 0, err
		}
		batch.Queue(write, s.of, sealed)
	}
	return batch.Len(), tx.SendBatch(ctx, &batch).Close()
}
