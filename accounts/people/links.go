package people

import (
	"crypto/rand"
	"encoding/base64"

	"daftar/accounts"
)

const linkBytes = 32

// newLink is the random token of a link that goes to one person, and its hash, which alone
// is stored.
func newLink() (token string, sum accounts.Hash) {
	raw := make([]byte, linkBytes)
	rand.Read(raw)
	token = base64.RawURLEncoding.EncodeToString(raw)
	return token, accounts.HashOf(token)
}
