package accounts

import (
	"fmt"

	"github.com/google/uuid"

	"daftar/domain"
)

// OrganizationID identifies an organisation.
type OrganizationID uuid.UUID

func (id OrganizationID) String() string { return uuid.UUID(id).String() }

// MarshalText writes the canonical form.
func (id OrganizationID) MarshalText() ([]byte, error) { return uuid.UUID(id).MarshalText() }

// TokenID identifies an access token. It is no secret.
type TokenID uuid.UUID

func (id TokenID) String() string { return uuid.UUID(id).String() }

// UserID identifies a user.
type UserID uuid.UUID

func (id UserID) String() string { return uuid.UUID(id).String() }

// MarshalText writes the canonical form.
func (id UserID) MarshalText() ([]byte, error) { return uuid.UUID(id).MarshalText() }

// InvitationID identifies an invitation. It is no secret and accepts nothing.
type InvitationID uuid.UUID

func (id InvitationID) String() string { return uuid.UUID(id).String() }

// ParseUserID reads a uuid from a form.
func ParseUserID(s string) (UserID, error) {
	id, err := parseID("user", s)
	return UserID(id), err
}

// ParseInvitationID reads a uuid from a form.
func ParseInvitationID(s string) (InvitationID, error) {
	id, err := parseID("invitation", s)
	return InvitationID(id), err
}

// ParseOrganizationID reads a uuid that an operator typed.
func ParseOrganizationID(s string) (OrganizationID, error) {
	id, err := parseID("organisation", s)
	return OrganizationID(id), err
}

// ParseApplicationID reads a uuid that an operator typed.
func ParseApplicationID(s string) (domain.ApplicationID, error) {
	id, err := parseID("application", s)
	return domain.ApplicationID(id), err
}

// ParseTokenID reads a uuid that an operator typed.
func ParseTokenID(s string) (TokenID, error) {
	id, err := parseID("access token", s)
	return TokenID(id), err
}

func parseID(what, s string) (uuid.UUID, error) {
	id, err := uuid.Parse(s)
	if err != nil {
		return uuid.UUID{}, fmt.Errorf("%q is not the uuid of %s %s", s, article(what), what)
	}
	return id, nil
}

func article(noun string) string {
	if noun == "user" {
		return "a"
	}
	return "an"
}
