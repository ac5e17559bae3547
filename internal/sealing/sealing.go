package sealing

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

var (
	// ErrNoKey is returned where a secret is to be sealed or opened without a key.
	ErrNoKey = errors.New("DAFTAR_SECRET_KEY is not set")
	// ErrSealed is returned for a secret that does not open.
	ErrSealed = errors.New("open secret: sealed under another key, for another owner, or damaged")
)

const keySize = 32

// Key seals and opens secrets. The zero Key does neither. It has pointers, so that a
// printed Key shows no secret.
type Key struct {
	present *[keySize]byte
	old     *[keySize]byte // opens only; nil: none
}

// Parse reads 64 hexadecimal characters. The error does not repeat them.
func Parse(s string) (Key, error) {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != keySize {
		return Key{}, errors.New("a secret key is 64 hexadecimal characters")
	}
	return Key{present: (*[keySize]byte)(raw)}, nil
}

// AndOld returns a key that also opens what the old one has sealed. It seals under the
// present key alone.
func (k Key) AndOld(old Key) Key { return Key{present: k.present, old: old.present} }

// For derives a key for one purpose: what it seals opens for no other.
func (k Key) For(purpose string) (derived Key, err error) {
	if derived.present, err = derive(k.present, purpose); err != nil {
		return Key{}, err
	}
	derived.old, err = derive(k.old, purpose)
	return derived, err
}

func derive(from *[keySize]byte, purpose string) (*[keySize]byte, error) {
	if from == nil {
		return nil, nil
	}
	raw, err := hkdf.Key(sha256.New, from[:], nil, purpose, keySize)
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	return (*[keySize]byte)(raw), nil
}

// formatV1 begins every sealed secret; a later format begins otherwise.
const formatV1 byte = 1

// Seal encrypts a secret of an owner. The error is ErrNoKey.
func (k Key) Seal(secret string, owner []byte) ([]byte, error) {
	if k.present == nil {
		return nil, ErrNoKey
	}
	aead, err := gcm(k.present)
	if err != nil {
		return nil, err
	}
	prefix := []byte{formatV1}
	sealed := aead.Seal(prefix, nil, []byte(secret), owner) //nolint:gosec // the cipher draws the nonce
	return sealed, nil
}

// Open decrypts a secret of an owner. Errors: ErrNoKey, ErrSealed.
func (k Key) Open(sealed, owner []byte) (string, error) {
	if k.present == nil {
		return "", ErrNoKey
	}
	for _, raw := range []*[keySize]byte{k.present, k.old} {
		if raw == nil {
			continue
		}
		aead, err := gcm(raw)
		if err != nil {
			return "", err
		}
		if len(sealed) > 0 && sealed[0] == formatV1 {
			if secret, err := aead.Open(nil, nil, sealed[1:], owner); err == nil {
				return string(secret), nil
			}
		}
		// Signing keys of the transparency log were once sealed without a format byte.
		if secret, err := aead.Open(nil, nil, sealed, owner); err == nil {
			return string(secret), nil
		}
	}
	return "", ErrSealed
}

// Digest is a hash of a text that requires the key: the text can be recognised and not
// guessed. The old key is not used. The error is ErrNoKey.
func (k Key) Digest(text string) ([]byte, error) {
	if k.present == nil {
		return nil, ErrNoKey
	}
	mac := hmac.New(sha256.New, k.present[:])
	mac.Write([]byte(text))
	return mac.Sum(nil), nil
}

// gcm makes a cipher that draws a nonce for each secret and writes it before the ciphertext.
func gcm(key *[keySize]byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}
