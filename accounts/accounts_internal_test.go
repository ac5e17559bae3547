package accounts

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"math/big"
	"regexp"
	"strings"
	"testing"
)

// The shapes of the specification, "Credentials", and what is promised beyond
// them: a token ends with the CRC-32 of the rest, a webhook secret is base64
// that needs no padding.
func TestShapesOfCredentials(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	shapes := []*regexp.Regexp{
		regexp.MustCompile(`^pk_[0-9a-f]{64}$`), regexp.MustCompile(`^at_[0-9A-Za-z]{30}[0-9A-Za-z]{6}$`),
		regexp.MustCompile(`^whsec_[0-9A-Za-z+/]{32}$`),
	}
	for range 500 {
		key, token, secret := newAPIKey(), newToken(), newWebhookSecret()
		for n, value := range []string{key, token, secret} {
			shape := shapes[n]
			if !shape.MatchString(value) {
				t.Errorf("%q is not %s", value, shape)
			}
			if seen[value] {
				t.Errorf("%q was returned twice", value)
			}
			seen[value] = true
		}
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(raw) != 24 {
			t.Errorf("%q holds %d bytes, %v; want 24", secret, len(raw), err)
		}
		body, sum := token[:33], token[33:]
		checksum := big.NewInt(int64(crc32.ChecksumIEEE([]byte(body))))
		if valueOf(sum).Cmp(checksum) != 0 {
			t.Errorf("the checksum of %q is %s", body, sum)
		}
	}
}

// valueOf reads base 62.
func valueOf(s string) *big.Int {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	n := new(big.Int)
	for _, d := range s {
		n.Add(n.Mul(n, big.NewInt(62)), big.NewInt(int64(strings.IndexRune(digits, d))))
	}
	return n
}

// The cache stays within its bound, and has the newest credential.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	c := &New(nil, Options{}).cache
	for n := range uint64(2*maxCached + 10) {
		var p pair
		binary.BigEndian.PutUint64(p.token[:], n)
		p.key = p.token
		c.put(p, cachedCredential{})
		if _, found := c.find(p); !found {
			t.Fatalf("credential %d is not found", n)
		}
		if most := max(len(c.entries), len(c.keys), len(c.tokens)); most > maxCached {
			t.Fatalf("%d of %d credentials cached, want %d at most", most, n+1, maxCached)
		}
	}
	if n := len(c.entries); n != 10 {
		t.Errorf("%d cached after it was cleared twice, want 10", n)
	}
}
