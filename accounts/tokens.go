package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"daftar/internal/postgres"
)

const createTokenSQL = `
INSERT INTO access_tokens (uuid, organization_uuid, name, token_hash, token_ending, expires_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)`

// CreateToken makes an access token of an organisation and returns its value,
// which cannot be read again. It works until it is revoked, or until expiresAt
// where that is not nil.
func (a *Accounts) CreateToken(ctx context.Context, of OrganizationID, name string, expiresAt *time.Time) (Token, string, error) {
	if err := checkName(name); err != nil {
		return Token{}, "", err
	}
	t := Token{ID: TokenID(uuid.New()), Organization: of, Name: name, CreatedAt: a.moment()}
	if expiresAt != nil {
		end := expiresAt.UTC().Truncate(time.Microsecond)
		if !end.After(t.CreatedAt) {
			return Token{}, "", fmt.Errorf("%w: the token would have expired already", ErrInvalid)
		}
		t.ExpiresAt = &end
	}
	value := newToken()
	valueHash := hashOf(value)
	_, err := a.pool.Exec(ctx, createTokenSQL, [16]byte(t.ID), [16]byte(of), name, valueHash[:], endingOf(value),
		t.ExpiresAt, t.CreatedAt)
	if postgres.ConstraintName(err) == "access_tokens_organization_uuid_fkey" {
		return Token{}, "", ErrNoOrganization
	}
	if err != nil {
		return Token{}, "", fmt.Errorf("create access token: %w", err)
	}
	return t, value, nil
}

const revokeTokenSQL = `
UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $2) WHERE uuid = $1`

// RevokeToken stops an access token at once, for good. Revoking it again changes
// nothing.
func (a *Accounts) RevokeToken(ctx context.Context, id TokenID) error {
	tag, err := a.pool.Exec(ctx, revokeTokenSQL, [16]byte(id), a.moment())
	if err != nil {
		return fmt.Errorf("revoke access token: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNoToken
	}
	return nil
}
