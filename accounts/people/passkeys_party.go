package people

import (
	"fmt"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"daftar/accounts"
	"daftar/internal/web"
)

// relyingParty is the service as devices know it, by its public address; nil where browsers
// have no passkeys: they require https and a host name, or localhost.
func relyingParty(publicURL string) *webauthn.WebAuthn {
	address, err := url.Parse(publicURL)
	if err != nil || !web.IsHTTPS(publicURL) && address.Hostname() != "localhost" {
		return nil
	}
	party, err := webauthn.New(&webauthn.Config{
		RPID: address.Hostname(), RPDisplayName: totpIssuer,
		RPOrigins: []string{address.Scheme + "://" + address.Host},
		// The maker of the device does not matter.
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			RequireResidentKey: protocol.ResidentKeyRequired(), ResidentKey: protocol.ResidentKeyRequirementRequired,
			UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{
			Login:        webauthn.TimeoutConfig{Timeout: ChallengeLimit},
			Registration: webauthn.TimeoutConfig{Timeout: ChallengeLimit},
		},
	})
	if err != nil { // the host is an IP address
		return nil
	}
	return party
}

// keyHolder is a user in the form that the library needs.
type keyHolder struct {
	email  string
	handle []byte
	keys   []webauthn.Credential
}

var _ webauthn.User = keyHolder{}

func (h keyHolder) WebAuthnID() []byte                         { return h.handle }
func (h keyHolder) WebAuthnName() string                       { return h.email }
func (h keyHolder) WebAuthnDisplayName() string                { return h.email }
func (h keyHolder) WebAuthnCredentials() []webauthn.Credential { return h.keys }

// storedKey is a passkey as the database has it.
type storedKey struct {
	CredentialID, PublicKey []byte
	SignCount               int64
	BackupEligible          bool
	Transports              []string
}

func (k storedKey) credential() webauthn.Credential {
	c := webauthn.Credential{
		ID:            k.CredentialID,
		PublicKey:     k.PublicKey,
		Flags:         webauthn.CredentialFlags{BackupEligible: k.BackupEligible},
		Authenticator: webauthn.Authenticator{SignCount: uint32(k.SignCount)},
	}
	for _, t := range k.Transports {
		c.Transport = append(c.Transport, protocol.AuthenticatorTransport(t))
	}
	return c
}

// Limits of the transports that a browser names for its device.
const (
	maxTransports = 8
	maxTransport  = 255 // bytes
)

func newStoredKey(c *webauthn.Credential) (storedKey, error) {
	k := storedKey{
		CredentialID:   c.ID,
		PublicKey:      c.PublicKey,
		SignCount:      int64(c.Authenticator.SignCount),
		BackupEligible: c.Flags.BackupEligible,
		Transports:     []string{},
	}
	if len(c.Transport) > maxTransports {
		return k, fmt.Errorf("%w: too many transports", ErrBadPasskey)
	}
	for _, t := range c.Transport {
		if err := accounts.CheckText("transport", string(t)); err != nil || len(t) > maxTransport {
			return k, fmt.Errorf("%w: a transport cannot be kept", ErrBadPasskey)
		}
		k.Transports = append(k.Transports, string(t))
	}
	return k, nil
}

// ceremony is the purpose of a challenge, which is valid for no other.
type ceremony string

const (
	toSignIn  ceremony = "sign-in" // by the passkey of any user
	toConfirm ceremony = "confirm" // by a passkey of this user
	toAdd     ceremony = "add"
)

// session is what the library checks a response against. Our challenges use no extensions.
func (c challenge) session(party *webauthn.WebAuthn, handle []byte) webauthn.SessionData {
	return webauthn.SessionData{
		Challenge:        c.value,
		RelyingPartyID:   party.Config.RPID,
		UserID:           handle,
		UserVerification: protocol.VerificationRequired,
		CredParams:       webauthn.CredentialParametersDefault(),
	}
}
