package people

import (
	"crypto/rand"
	"encoding/base64"

	"daftar/accounts"
)

// linkBytes is how much is drawn for a link.
const linkBytes = 32

// newLink draws the token of a link that goes to one person, and its hash, which is all
// that is kept.
func newLink() (token string, sum accounts.Hash) {
	raw := make([]byte, linkBytes)
	rand.Read(raw)
	token = base64.RawURLEncoding.EncodeToString(raw)
	return token, accounts.HashOf(token)
}
