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

// newID is the id of what an actor creates in an organisation. A form has always the
// same, so that the primary key keeps it from creating something twice.
func newID(by Actor, of OrganizationID) uuid.UUID {
	if by.Form == "" {
		return uuid.New()
	}
	return domain.NameBased(uuid.UUID(of), by.User.String()+by.Form)
}

// ParseUserID reads a uuid from a form.
func ParseUserID(s string) (UserID, error) { return ParseID[UserID]("a user", s) }

// ParseOrganizationID reads a uuid from the command line.
func ParseOrganizationID(s string) (OrganizationID, error) {
	return ParseID[OrganizationID]("an organisation", s)
}

// ParseApplicationID reads a uuid from the command line.
func ParseApplicationID(s string) (domain.ApplicationID, error) {
	return ParseID[domain.ApplicationID]("an application", s)
}

// ParseTokenID reads a uuid from the command line.
func ParseTokenID(s string) (TokenID, error) { return ParseID[TokenID]("an access token", s) }

// ParseID reads a uuid, of what whose says, from a form or the command line.
func ParseID[ID ~[16]byte](whose, s string) (ID, error) {
	id, err := uuid.Parse(s)
	if err != nil {
		return ID{}, fmt.Errorf("%q is not the uuid of %s", s, whose)
	}
	return ID(id), nil
}

// In is the applications of the organisation in a mode.
func (id OrganizationID) In(m domain.Mode) domain.Tenant {
	return domain.Tenant{Organization: uuid.UUID(id), Mode: m}
}
