package transparency

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/note"

	"daftar/eventstore"
)

// ErrKey is returned for text that is no signing key. It does not repeat it.
var ErrKey = errors.New("a signing key is text such as PRIVATE+KEY+NAME+HASH+DATA; daftar audit new-key makes one")

// ErrSealed says that the signing key in the database was sealed under another
// secret key.
var ErrSealed = errors.New("the transparency log's signing key was sealed under another DAFTAR_SECRET_KEY; " +
	"start with that one, or set DAFTAR_TRANSPARENCY_KEY")

// Key signs checkpoints. Its name is the origin of the log: the first line of
// every checkpoint.
type Key struct {
	signer note.Signer
	public string
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
	signer, err := note.NewSigner(private)
	if err != nil {
		return Key{}, ErrKey
	}
	// Name and hash hold no plus sign; the last part is base64 of the kind and
	// the seed, and may.
	parts := strings.SplitN(private, "+", 5)
	data, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(data) != 1+ed25519.SeedSize {
		return Key{}, ErrKey
	}
	public, ok := ed25519.NewKeyFromSeed(data[1:]).Public().(ed25519.PublicKey)
	if !ok {
		return Key{}, ErrKey
	}
	verifier, err := note.NewEd25519VerifierKey(signer.Name(), public)
	if err != nil {
		return Key{}, ErrKey
	}
	return Key{signer: signer, public: verifier}, nil
}

// IsZero says whether there is no key.
func (k Key) IsZero() bool { return k.signer == nil }

// Origin is the name of the log.
func (k Key) Origin() string { return k.signer.Name() }

// Public is the text with which anyone checks signatures.
func (k Key) Public() string { return k.public }

// SealingKey encrypts the signing key in the database.
type SealingKey struct {
	aead cipher.AEAD
	old  cipher.AEAD // opens only; nil: none
}

// ParseSealingKey derives a key of its own from the 64 hexadecimal characters of
// DAFTAR_SECRET_KEY. The error does not repeat them.
func ParseSealingKey(secret string) (SealingKey, error) {
	raw, err := hex.DecodeString(secret)
	if err != nil || len(raw) != 32 {
		return SealingKey{}, errors.New("a secret key is 64 hexadecimal characters")
	}
	derived, err := hkdf.Key(sha256.New, raw, nil, "daftar transparency signing key", 32)
	if err != nil {
		return SealingKey{}, fmt.Errorf("derive sealing key: %w", err)
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return SealingKey{}, fmt.Errorf("make cipher: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return SealingKey{}, fmt.Errorf("make cipher: %w", err)
	}
	return SealingKey{aead: aead}, nil
}

// Advisory locks of this package; their numbers mean nothing else in the
// database.
const (
	keyLock  int64 = 8_712_000_021
	signLock int64 = 8_712_000_022
)

const (
	lockSQL          = `SELECT pg_advisory_xact_lock($1)`
	readSealedKeySQL = `SELECT public_key, sealed FROM transparency_sealed_keys ORDER BY created_at DESC LIMIT 1`
	sealKeySQL       = `INSERT INTO transparency_sealed_keys (public_key, sealed, created_at) VALUES ($1, $2, $3)`
	recordKeySQL     = `INSERT INTO transparency_keys (public_key, first_used) VALUES ($1, $2) ON CONFLICT DO NOTHING`
)

// LoadKey returns the key that the database holds; where it holds none it makes
// one with the given origin, once for all servers. Anyone with the database and
// the secret key can sign: a key that is kept elsewhere is safer. Errors:
// ErrSealed, or the database's.
func LoadKey(ctx context.Context, pool *pgxpool.Pool, sealing SealingKey, origin string, now time.Time) (Key, error) {
	var k Key
	if sealing.aead == nil {
		return k, errors.New("load signing key: neither DAFTAR_TRANSPARENCY_KEY nor DAFTAR_SECRET_KEY is set")
	}
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockSQL, keyLock); err != nil {
			return err
		}
		var public string
		var sealed []byte
		err := tx.QueryRow(ctx, readSealedKeySQL).Scan(&public, &sealed)
		if errors.Is(err, pgx.ErrNoRows) {
			var private string
			if k, private, err = NewKey(origin); err != nil {
				return err
			}
			_, err = tx.Exec(ctx, sealKeySQL, k.public, sealing.seal([]byte(private), k.public), now)
			return err
		}
		if err != nil {
			return err
		}
		private, err := sealing.open(sealed, public)
		if err != nil {
			return err
		}
		k, err = ParseKey(string(private))
		return err
	})
	if err != nil {
		return Key{}, fmt.Errorf("load signing key: %w", err)
	}
	return k, nil
}

const keysSQL = `SELECT public_key FROM transparency_keys ORDER BY first_used DESC, public_key`

// PublicKeys are all keys that checkpoints were signed with, the newest first.
func PublicKeys(ctx context.Context, q eventstore.Querier) ([]string, error) {
	rows, err := q.Query(ctx, keysSQL)
	if err != nil {
		return nil, fmt.Errorf("read public keys: %w", err)
	}
	keys, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("read public keys: %w", err)
	}
	return keys, nil
}

// verifiers of public keys. Errors: one of them is no public key, or there is
// none.
func verifiers(public []string) (note.Verifiers, error) {
	if len(public) == 0 {
		return nil, errors.New("there is no public key to check signatures with")
	}
	list := make([]note.Verifier, 0, len(public))
	for n, text := range public {
		if slices.Contains(public[:n], text) {
			continue // twice would be ambiguous
		}
		v, err := note.NewVerifier(text)
		if err != nil {
			return nil, fmt.Errorf("%q is no public key such as NAME+HASH+DATA", text)
		}
		list = append(list, v)
	}
	return note.VerifierList(list...), nil
}

// CheckPublicKey says what is wrong with text that should be a public key.
func CheckPublicKey(public string) error {
	_, err := verifiers([]string{public})
	return err
}
