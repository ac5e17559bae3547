package transparency

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/note"

	"daftar/internal/postgres"
	"daftar/internal/sealing"
)

// ErrKey is returned for text that is no signing key. The message does not repeat the text.
var ErrKey = errors.New("a signing key is text such as PRIVATE+KEY+NAME+HASH+DATA; " +
	"daftar audit new-key makes one")

// ErrSealed says that the signing key in the database was sealed under another
// secret key.
var ErrSealed = errors.New("the transparency log's signing key was sealed under another DAFTAR_SECRET_KEY; " +
	"start with that one, or set DAFTAR_TRANSPARENCY_KEY")

// Key signs checkpoints. Its name is the origin of the log: the first line of
// every checkpoint.
type Key struct {
	signer note.Signer
	public string
	own    note.Verifiers // this key alone
}

// NewKey makes a key for a log of the given name, and the private text that
// ParseKey reads. Errors: a name with a space or a plus sign.
func NewKey(origin string) (k Key, private string, err error) {
	private, _, err = note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return Key{}, "", fmt.Errorf("make signing key: %w", err)
	}
	k, err = ParseKey(private)
	return k, private, err
}

// ParseKey reads a key's private text. The error is ErrKey.
func ParseKey(private string) (Key, error) {
	private = strings.TrimSpace(private)
	signer, err := note.NewSigner(private)
	if err != nil {
		return Key{}, ErrKey
	}
	// Name and hash have no plus sign; the last part is base64 of the kind and
	// the seed, and may have one.
	parts := strings.SplitN(private, "+", 5)
	data, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(data) != 1+ed25519.SeedSize {
		return Key{}, ErrKey
	}
	public := ed25519.NewKeyFromSeed(data[1:])[ed25519.SeedSize:]
	text, err := note.NewEd25519VerifierKey(signer.Name(), ed25519.PublicKey(public))
	if err != nil {
		return Key{}, ErrKey
	}
	own, err := Verifiers([]string{text})
	if err != nil {
		return Key{}, ErrKey
	}
	return Key{signer: signer, public: text, own: own}, nil
}

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.signer == nil }

// Origin is the name of the log.
func (k Key) Origin() string { return k.signer.Name() }

// Public is the public key with which anyone checks signatures.
func (k Key) Public() string { return k.public }

// sealingPurpose derives the key under which signing keys are sealed from
// DAFTAR_SECRET_KEY.
const sealingPurpose = "daftar transparency signing key"

// Advisory locks of this package; nothing else in the database uses their numbers.
const (
	keyLock  int64 = 8_712_000_021
	signLock int64 = 8_712_000_022
	thinLock int64 = 8_712_000_023
)

const (
	tryLockSQL       = `SELECT pg_try_advisory_xact_lock($1)`
	lockSQL          = `SELECT pg_advisory_xact_lock($1)`
	readSealedKeySQL = `
SELECT public_key, sealed
FROM transparency_sealed_keys
ORDER BY created_at DESC
LIMIT 1`
	sealKeySQL = `
INSERT INTO transparency_sealed_keys (public_key, sealed, created_at)
VALUES ($1, $2, $3)`
	recordKeySQL = `
INSERT INTO transparency_keys (public_key, first_used)
VALUES ($1, $2)
ON CONFLICT DO NOTHING`
)

// LoadKey returns the key in the database; if there is none it makes
// one with the given origin, once for all servers. Anyone with the database and
// the secret key can sign: a key that is stored elsewhere is safer. Errors:
// ErrSealed, or the database's.
func LoadKey(
	ctx context.Context, pool *pgxpool.Pool, secret sealing.Key, origin string, now time.Time,
) (Key, error) {
	var k Key
	if secret == (sealing.Key{}) {
		return k, errors.New("load signing key: neither DAFTAR_TRANSPARENCY_KEY nor DAFTAR_SECRET_KEY is set")
	}
	seal, err := secret.For(sealingPurpose)
	if err != nil {
		return k, fmt.Errorf("load signing key: %w", err)
	}
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockSQL, keyLock); err != nil {
			return err
		}
		var public, private string
		var sealed []byte
		err := tx.QueryRow(ctx, readSealedKeySQL).Scan(&public, &sealed)
		if errors.Is(err, pgx.ErrNoRows) {
			if k, private, err = NewKey(origin); err != nil {
				return err
			}
			if sealed, err = seal.Seal(private, []byte(k.public)); err == nil {
				_, err = tx.Exec(ctx, sealKeySQL, k.public, sealed, now)
			}
			return err
		}
		if err != nil {
			return err
		}
		if private, err = seal.Open(sealed, []byte(public)); err != nil {
			return ErrSealed
		}
		k, err = ParseKey(private)
		return err
	})
	if err != nil {
		return Key{}, fmt.Errorf("load signing key: %w", err)
	}
	return k, nil
}

// sealedKeys are sealed for the public keys that belong to them.
var sealedKeys = sealing.Column{
	What: "signing key",
	Read: `
		SELECT public_key, convert_to(public_key, 'UTF8'), sealed
		FROM transparency_sealed_keys
		ORDER BY public_key`,
	Write: `UPDATE transparency_sealed_keys SET sealed = $2 WHERE public_key = $1`,
}

// Rekey seals again, under the present secret key, the signing keys that are sealed
// under the old one (see sealing.Column.Reseal), and returns their number. The
// signing keys stay the same. It needs the rights of the tables' owner: the service
// may add keys but not change them.
func Rekey(ctx context.Context, tx pgx.Tx, secret sealing.Key) (int, error) {
	seal, err := secret.For(sealingPurpose)
	if err != nil {
		return 0, err
	}
	n, err := sealedKeys.Reseal(ctx, tx, seal)
	if err != nil {
		return 0, fmt.Errorf("reseal signing keys: %w", err)
	}
	return n, nil
}

const keysSQL = `
SELECT public_key
FROM transparency_keys
ORDER BY first_used DESC, public_key`

// PublicKeys are all keys that checkpoints were signed with, the newest first.
func PublicKeys(ctx context.Context, q postgres.Querier) ([]string, error) {
	return postgres.List(ctx, q, "read public keys", pgx.RowTo[string], keysSQL)
}

// storedKeys are the server's keys (own) and those that the database names. Anyone who
// has the service's password can add to the latter: text that is no key is left out, and so is
// a key that would make another ambiguous.
func storedKeys(ctx context.Context, q postgres.Querier, own ...string) (note.Verifiers, error) {
	public, err := PublicKeys(ctx, q)
	if err != nil {
		return nil, err
	}
	var list []note.Verifier
	for _, text := range append(own, public...) {
		v, err := note.NewVerifier(text)
		if err != nil || slices.ContainsFunc(list, func(x note.Verifier) bool {
			return x.Name() == v.Name() && x.KeyHash() == v.KeyHash()
		}) {
			continue
		}
		list = append(list, v)
	}
	return note.VerifierList(list...), nil
}

// Verifiers are the verifiers of public keys. The error is that one of them is no public key,
// or that there is none.
func Verifiers(public []string) (note.Verifiers, error) {
	if len(public) == 0 {
		return nil, errors.New("there is no public key to check signatures with")
	}
	list := make([]note.Verifier, 0, len(public))
	for n, text := range public {
		if slices.Contains(public[:n], text) {
			continue // a key that is there twice would be ambiguous
		}
		v, err := note.NewVerifier(text)
		if _, cosigner := ParseCosignerKey(text); cosigner == nil {
			return nil, fmt.Errorf("%q is the key of a witness, not of a log", text)
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no public key such as NAME+HASH+DATA", text)
		}
		list = append(list, v)
	}
	return note.VerifierList(list...), nil
}

// CheckPublicKey returns an error if a text is not a public key.
func CheckPublicKey(public string) error {
	_, err := Verifiers([]string{public})
	return err
}
