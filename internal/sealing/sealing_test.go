package sealing_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daftar/internal/sealing"
)

var digits = strings.Repeat("5a", 32)

func parse(t *testing.T, digits string) sealing.Key {
	t.Helper()
	k, err := sealing.Parse(digits)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSealedForOneKeyAndOwner(t *testing.T) {
	t.Parallel()
	k, other := parse(t, digits), parse(t, strings.Repeat("6b", 32))
	derived, err := k.For("a purpose")
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := k.Seal("secret", []byte("owner"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(sealed), "secret") {
		t.Errorf("sealed as %q", sealed)
	}
	for what, row := range map[string]struct {
		key   sealing.Key
		owner string
		err   error
	}{
		"the key":          {k, "owner", nil},
		"as the old key":   {other.AndOld(k), "owner", nil},
		"another key":      {other, "owner", sealing.ErrSealed},
		"another owner":    {k, "other", sealing.ErrSealed},
		"a derived key":    {derived, "owner", sealing.ErrSealed},
		"no key":           {sealing.Key{}, "owner", sealing.ErrNoKey},
		"an old key alone": {sealing.Key{}.AndOld(k), "owner", sealing.ErrNoKey},
	} {
		got, err := row.key.Open(sealed, []byte(row.owner))
		if !errors.Is(err, row.err) || (err == nil) != (got == "secret") {
			t.Errorf("%s: %q, %v; want %v", what, got, err, row.err)
		}
	}
	text := fmt.Sprintf("%v %+v %#v", k, struct{ K sealing.Key }{k}, k)
	if strings.Contains(text, digits) || strings.Contains(text, "90 90") {
		t.Errorf("printed, a key is %s", text)
	}
}

// The same key gives the same digest of a text; other keys and purposes give others.
func TestDigests(t *testing.T) {
	t.Parallel()
	k, other := parse(t, digits), parse(t, strings.Repeat("6b", 32))
	derived, err := k.For("a purpose")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, key := range []sealing.Key{k, other, derived} {
		for _, text := range []string{"0912345678", "0912345679"} {
			digest, err := key.Digest(text)
			again, _ := key.Digest(text)
			if err != nil || len(digest) != sha256.Size || !bytes.Equal(again, digest) {
				t.Errorf("%s: %x, then %x, %v", text, digest, again, err)
			}
			seen[string(digest)] = true
		}
	}
	plain := sha256.Sum256([]byte("0912345678"))
	if len(seen) != 6 || seen[string(plain[:])] {
		t.Errorf("%d digests of 6, or one that needs no key", len(seen))
	}
	if _, err := (sealing.Key{}).Digest("x"); !errors.Is(err, sealing.ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
}

// Secrets and signing keys that earlier versions have stored can be opened.
func TestFormatsOfEarlierVersions(t *testing.T) {
	t.Parallel()
	raw, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	const purpose = "daftar transparency signing key"
	derived, err := hkdf.Key(sha256.New, raw, nil, purpose, 32)
	if err != nil {
		t.Fatal(err)
	}
	seal := func(key []byte) []byte {
		block, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			t.Fatal(err)
		}
		return aead.Seal(nil, nil, []byte("secret"), []byte("owner"))
	}
	k := parse(t, digits)
	if got, err := k.Open(append([]byte{1}, seal(raw)...), []byte("owner")); err != nil || got != "secret" {
		t.Errorf("a secret: %q, %v", got, err)
	}
	signing, err := parse(t, strings.Repeat("6b", 32)).AndOld(k).For(purpose)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := signing.Open(seal(derived), []byte("owner")); err != nil || got != "secret" {
		t.Errorf("a signing key: %q, %v", got, err)
	}
}
