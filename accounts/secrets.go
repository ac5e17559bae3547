package accounts

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash/crc32"
	"math/big"
	"strings"

	"daftar/internal/sealing"
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

// Hash is what the database keeps of a secret.
type Hash [sha256.Size]byte

// HashOf is what the database keeps of a key or token.
func HashOf(credential string) Hash {
	var buf [128]byte // longer than a credential, so that it stays on the stack
	return sha256.Sum256(append(buf[:0], credential...))
}

func endingOf(credential string) string { return credential[len(credential)-endingLength:] }

// newAPIKey is pk_ and 64 random hexadecimal characters.
func newAPIKey() string {
	var b [32]byte
	rand.Read(b[:])
	return apiKeyPrefix + hex.EncodeToString(b[:])
}

// looksLikeAPIKey checks the form of a key: a malformed one costs no query.
func looksLikeAPIKey(s string) bool {
	digits, ok := strings.CutPrefix(s, apiKeyPrefix)
	if !ok || len(digits) != 64 {
		return false
	}
	_, err := hex.DecodeString(digits)
	return err == nil
}

// newToken is at_, 30 random base62 characters and a checksum. The prefix and the
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

// looksLikeToken checks the form of a token and its checksum: a mistyped one costs no query.
func looksLikeToken(s string) bool {
	if !strings.HasPrefix(s, tokenPrefix) || len(s) != len(tokenPrefix)+tokenRandom+tokenChecksum {
		return false
	}
	body := s[:len(s)-tokenChecksum]
	return checksumOf(body) == s[len(body):]
}

// newWebhookSecret is a random secret in the form of Standard Webhooks.
func newWebhookSecret() string {
	var b [webhookSecretBytes]byte
	rand.Read(b[:])
	return webhookSecretPrefix + base64.StdEncoding.EncodeToString(b[:])
}

// SecretKey seals webhook secrets and those of authenticator apps, each for the
// application or the user that it belongs to.
type SecretKey = sealing.Key

// ErrNoSecretKey says that sealing or opening a secret needs DAFTAR_SECRET_KEY, which is not set.
var ErrNoSecretKey = sealing.ErrNoKey

// ParseSecretKey reads 64 hexadecimal characters. The error does not repeat them.
func ParseSecretKey(s string) (SecretKey, error) { return sealing.Parse(s) }
