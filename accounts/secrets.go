package accounts

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"math/big"
	"strings"
)

const (
	apiKeyPrefix        = "pk_"
	tokenPrefix         = "at_"
	webhookSecretPrefix = "whsec_"

	tokenRandom   = 30 // base62 characters, 178 bits
	tokenChecksum = 6  // base62 characters of a CRC-32
	// webhookSecretBytes is a number whose base64 needs no padding: some
	// verifiers want padding and others refuse it.
	webhookSecretBytes = 24
	// endingLength is how much of a credential is kept in clear, to recognise it. It
	// leaves 162 bits or more.
	endingLength = 4
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

type hash [sha256.Size]byte

// hashOf is what the database keeps of a key or token.
func hashOf(credential string) hash { return sha256.Sum256([]byte(credential)) }

func endingOf(credential string) string { return credential[len(credential)-endingLength:] }

// newAPIKey draws pk_ and 64 hexadecimal characters.
func newAPIKey() string {
	var b [32]byte
	rand.Read(b[:])
	return apiKeyPrefix + hex.EncodeToString(b[:])
}

// looksLikeAPIKey saves a query for malformed keys.
func looksLikeAPIKey(s string) bool {
	digits, ok := strings.CutPrefix(s, apiKeyPrefix)
	if !ok || len(digits) != 64 {
		return false
	}
	_, err := hex.DecodeString(digits)
	return err == nil
}

// newToken draws at_, 30 base62 characters and a checksum. The prefix and the
// checksum let scanners of code and logs recognise a leaked token.
func newToken() string {
	var b strings.Builder
	b.WriteString(tokenPrefix)
	limit := big.NewInt(int64(len(base62)))
	for range tokenRandom {
		n, err := rand.Int(rand.Reader, limit)
		if err != nil {
			panic("accounts: the system has no randomness: " + err.Error())
		}
		b.WriteByte(base62[n.Int64()])
	}
	return b.String() + checksumOf(b.String())
}

func checksumOf(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	digits := make([]byte, tokenChecksum)
	for n := range digits {
		digits[tokenChecksum-1-n] = base62[sum%62]
		sum /= 62
	}
	return string(digits)
}

// looksLikeToken saves a query for malformed and mistyped tokens.
func looksLikeToken(s string) bool {
	if !strings.HasPrefix(s, tokenPrefix) || len(s) != len(tokenPrefix)+tokenRandom+tokenChecksum {
		return false
	}
	body := s[:len(s)-tokenChecksum]
	return checksumOf(body) == s[len(body):]
}

// newWebhookSecret draws a secret in the form of Standard Webhooks.
func newWebhookSecret() string {
	var b [webhookSecretBytes]byte
	rand.Read(b[:])
	return webhookSecretPrefix + base64.StdEncoding.EncodeToString(b[:])
}

// SecretKey seals webhook secrets and those of authenticator apps. Its zero value
// fails with ErrNoSecretKey.
type SecretKey struct {
	aead cipher.AEAD
	old  cipher.AEAD // opens only; nil: none
}

// ErrNoSecretKey says that a secret is to be sealed or opened without
// DAFTAR_SECRET_KEY.
var ErrNoSecretKey = errors.New("DAFTAR_SECRET_KEY is not set")

// ParseSecretKey reads 64 hexadecimal characters. The error does not repeat them.
func ParseSecretKey(s string) (SecretKey, error) {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != 32 {
		return SecretKey{}, errors.New("a secret key is 64 hexadecimal characters")
	}
	block, err := aes.NewCipher(raw)
	if err != nil {
		return SecretKey{}, fmt.Errorf("make cipher: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return SecretKey{}, fmt.Errorf("make cipher: %w", err)
	}
	return SecretKey{aead: aead}, nil
}

// sealedV1 begins every sealed secret; a later format begins otherwise.
const sealedV1 byte = 1

// seal encrypts a secret so that only the same key opens it, and only as that
// application's or user's.
func (k SecretKey) seal(secret string, of [16]byte) ([]byte, error) {
	if k.aead == nil {
		return nil, ErrNoSecretKey
	}
	return k.aead.Seal([]byte{sealedV1}, nil, []byte(secret), of[:]), nil //nolint:gosec // the cipher draws the nonce: nil is right
}

func (k SecretKey) open(sealed []byte, of [16]byte) (string, error) {
	if k.aead == nil {
		return "", ErrNoSecretKey
	}
	if len(sealed) == 0 || sealed[0] != sealedV1 {
		return "", errors.New("open secret: not a sealed secret")
	}
	secret, err := k.aead.Open(nil, nil, sealed[1:], of[:])
	if err != nil && k.old != nil {
		secret, err = k.old.Open(nil, nil, sealed[1:], of[:])
	}
	if err != nil {
		return "", errors.New("open secret: sealed under another key, for another owner, or damaged")
	}
	return string(secret), nil
}
