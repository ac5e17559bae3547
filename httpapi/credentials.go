package httpapi

import (
	"net/http"
	"strings"

	"daftar/accounts"
)

// credentials reads the access token and the API key. A credential that is sent more than once
// is invalid: the token becomes empty, the keys become a text that is no key. An
// empty X-API-Key counts as missing.
func credentials(h http.Header) (token, key string, hasKey bool) {
	if sent := h.Values("Authorization"); len(sent) == 1 {
		scheme, rest, _ := strings.Cut(sent[0], " ")
		if strings.EqualFold(scheme, "Bearer") {
			token = strings.TrimLeft(rest, " ")
		}
	}
	key = strings.Join(h.Values("X-Api-Key"), ", ")
	return token, key, key != ""
}

const headerChallenge = "Www-Authenticate" // as net/http spells it

// The challenges of RFC 6750, section 3.1. The one without an error is for a request without a token, and for
// one whose API key was refused: its token is valid, and the body names the key. The challenge for
// a refused token does not tell why it was refused.
const (
	challenge          = `Bearer realm="daftar"`
	challengeNotBearer = challenge + `, error="invalid_request"` +
		`, error_description="The Authorization header must be there once, as Bearer and the access token"`
	challengeUnknown = challenge + `, error="invalid_token"` +
		`, error_description="The access token is unknown, revoked or expired"`
)

// challengeOfScope is the challenge for a request that needs a token with another scope.
func challengeOfScope(needs accounts.Scope) string {
	return challenge + `, error="insufficient_scope", scope="` + string(needs) + `"`
}

// challengeOf is the challenge for a request that was not authenticated.
func challengeOf(h http.Header) string {
	token, _, _ := credentials(h)
	switch {
	case len(h.Values("Authorization")) == 0:
		return challenge
	case token == "":
		return challengeNotBearer
	}
	return challengeUnknown
}
