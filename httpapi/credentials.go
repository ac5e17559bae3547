package httpapi

import (
	"net/http"
	"strings"
)

// credentials picks the two credentials. One that is sent more than once is invalid:
// the token becomes empty, the keys become a text that is no key. An
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

// The challenges of RFC 6750. A request without a token is told no error, and neither is one
// whose API key was refused, which the body names: there is nothing wrong with its token. Of a
// token that was refused nothing is said but that.
const (
	challenge          = `Bearer realm="daftar"`
	challengeNotBearer = challenge + `, error="invalid_request", error_description="The Authorization header must be there once, as Bearer and the access token"`
	challengeUnknown   = challenge + `, error="invalid_token", error_description="The access token is unknown, revoked or expired"`
)

// challengeOf says what is wrong with the token of a request that was not authenticated.
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
