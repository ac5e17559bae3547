package transparency

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// AndOld returns a key that also opens what the old one has sealed. What it seals
// is under the present key alone.
func (s SealingKey) AndOld(old SealingKey) SealingKey {
	s.old = old.aead
	return s
}

// seal keeps a signing key, which is public's.
func (s SealingKey) seal(private []byte, public string) []byte {
	return s.aead.Seal(nil, nil, private, []byte(public)) //nolint:gosec // the cipher draws the nonce: nil is right
}

// open returns the signing key that was sealed, which is public's.
func (s SealingKey) open(sealed []byte, public string) ([]byte, error) {
	private, err := s.aead.Open(nil, nil, sealed, []byte(public))
	if err != nil && s.old != nil {
		private, err = s.old.Open(nil, nil, sealed, []byte(public))
	}
	if err != nil {
		return nil, ErrSealed
	}
	return private, nil
}

const (
	sealedKeysSQL = `SELECT public_key, sealed FROM transparency_sealed_keys ORDER BY public_key FOR UPDATE`
	sealAgainSQL  = `UPDATE transparency_sealed_keys SET sealed = $2 WHERE public_key = $1`
)

// Rekey seals again, under the present key, the signing keys that are sealed under
// the old one (see AndOld), and returns how many those were. The signing keys stay
// the same. It needs the rights of the tables' owner: the service may add keys and
// not change them. Errors: ErrSealed where one opens under neither, or the
// database's; the transaction, which is the caller's, must then not be committed.
func Rekey(ctx context.Context, tx pgx.Tx, sealing SealingKey) (int, error) {
	rows, err := tx.Query(ctx, sealedKeysSQL)
	if err != nil {
		return 0, fmt.Errorf("reseal signing keys: %w", err)
	}
	type sealedKey struct {
		Public string `db:"public_key"`
		Sealed []byte `db:"sealed"`
	}
	keys, err := pgx.CollectRows(rows, pgx.RowToStructByName[sealedKey])
	if err != nil {
		return 0, fmt.Errorf("reseal signing keys: %w", err)
	}
	changed := 0
	for _, k := range keys {
		present := SealingKey{aead: sealing.aead}
		if _, err := present.open(k.Sealed, k.Public); err == nil {
			continue
		}
		private, err := sealing.open(k.Sealed, k.Public)
		if err != nil {
			return 0, fmt.Errorf("reseal signing key %s: %w", k.Public, err)
		}
		if _, err := tx.Exec(ctx, sealAgainSQL, k.Public, present.seal(private, k.Public)); err != nil {
			return 0, fmt.Errorf("reseal signing keys: %w", err)
		}
		changed++
	}
	return changed, nil
}
