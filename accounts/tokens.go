package accounts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/internal/postgres"
	"daftar/internal/web"
)

var tokenColumns = postgres.Columns[Token]{
	postgres.Of("uuid", func(t *Token) any { return &t.ID }),
	postgres.Of("organization_uuid", func(t *Token) any { return &t.Organization }),
	postgres.Of("name", func(t *Token) any { return &t.Name }),
	postgres.Of("token_ending", func(t *Token) any { return &t.Ending }),
	postgres.Of("scopes", func(t *Token) any { return &t.Scopes }),
	postgres.Of("networks", func(t *Token) any { return &t.Networks }),
	postgres.Of("expires_at", func(t *Token) any { return &t.ExpiresAt }),
	postgres.Of("revoked_at", func(t *Token) any { return &t.RevokedAt }),
	postgres.Of("last_used_at", func(t *Token) any { return &t.LastUsedAt }),
	postgres.Of("last_used_from", func(t *Token) any { return (*zeronull.Text)(&t.LastUsedFrom) }),
	postgres.Of("created_at", func(t *Token) any { return &t.CreatedAt }),
}

var createTokenSQL = tokenColumns.Insert("access_tokens", "token_hash")

// TokenDraft is what a new access token is to be.
type TokenDraft struct {
	Name   string
	Scopes []Scope // empty: ScopePayments
	// Networks are where its programs run; empty: anywhere.
	Networks  web.NetworkSet
	ExpiresAt *time.Time // nil: it works until it is revoked
}

// CreateToken creates an access token of an organisation and returns its value,
// which cannot be read again. It needs ChangeCredentials, and GrantRefunds if one of the scopes
// is ScopeRefunds. Errors: ErrInvalid, ErrCreated, and those of Do.
func (a *Accounts) CreateToken(ctx context.Context, by Actor, of OrganizationID, draft TokenDraft,
) (Token, string, error) {
	t, err := a.tokenOf(draft)
	if err != nil {
		return Token{}, "", err
	}
	t.ID, t.Organization = TokenID(newID(by, of)), of
	needs := ChangeCredentials
	if slices.Contains(t.Scopes, ScopeRefunds) {
		needs = ScopeRefunds.GrantedWith()
	}
	value := newToken()
	valueHash := HashOf(value)
	t.Ending = endingOf(value)
	err = a.Do(ctx, by, of, needs, func(tx pgx.Tx) (Entry, error) {
		_, err := tx.Exec(ctx, createTokenSQL, tokenColumns.Fields(&t, valueHash[:])...)
		switch postgres.ConstraintName(err) {
		case "access_tokens_organization_uuid_fkey":
			err = ErrNoOrganization
		case "access_tokens_pkey":
			err = ErrCreated
		}
		return Entry{
			Action: ActionCreateToken, Subject: "access token", SubjectID: uuid.UUID(t.ID),
			Detail: map[string]any{
				"name": t.Name, "ending": t.Ending, "scopes": t.Scopes, "networks": t.Networks,
				"expires_at": t.ExpiresAt,
			},
		}, err
	})
	if err != nil {
		return Token{}, "", fmt.Errorf("create access token: %w", err)
	}
	return t, value, nil
}

// tokenOf checks a draft.
func (a *Accounts) tokenOf(draft TokenDraft) (Token, error) {
	t := Token{
		Name: draft.Name, CreatedAt: a.now(),
		Networks: append(web.NetworkSet{}, draft.Networks...), // never null
	}
	if len(draft.Scopes) == 0 {
		draft.Scopes = []Scope{ScopePayments}
	}
	if err := cmp.Or(CheckName(t.Name), checkScopes(draft.Scopes)); err != nil {
		return Token{}, err
	}
	for _, s := range Scopes { // in their order, and once
		if slices.Contains(draft.Scopes, s) {
			t.Scopes = append(t.Scopes, s)
		}
	}
	if draft.ExpiresAt != nil {
		end := draft.ExpiresAt.UTC().Truncate(time.Microsecond)
		if !end.After(t.CreatedAt) {
			return Token{}, fmt.Errorf("%w: the token would have expired already", ErrInvalid)
		}
		t.ExpiresAt = &end
	}
	return t, nil
}

const revokeTokenSQL = `
UPDATE access_tokens
SET revoked_at = coalesce(revoked_at, $3)
WHERE uuid = $1
  AND organization_uuid = $2
RETURNING name, token_ending`

// RevokeToken stops an access token at once, for good. Revoking it again changes
// nothing. It needs ChangeCredentials. Errors: ErrNoToken, and those of Do.
func (a *Accounts) RevokeToken(ctx context.Context, by Actor, of OrganizationID, id TokenID) error {
	err := a.Do(ctx, by, of, ChangeCredentials, func(tx pgx.Tx) (Entry, error) {
		var name, ending string
		err := tx.QueryRow(ctx, revokeTokenSQL, id, of, a.now()).Scan(&name, &ending)
		if errors.Is(err, pgx.ErrNoRows) {
			err = ErrNoToken
		}
		return Entry{
			Action: ActionRevokeToken, Subject: "access token", SubjectID: uuid.UUID(id),
			Detail: map[string]any{"name": name, "ending": ending},
		}, err
	})
	if err != nil {
		return fmt.Errorf("revoke access token: %w", err)
	}
	return nil
}

const tokenOrganizationSQL = `SELECT organization_uuid FROM access_tokens WHERE uuid = $1`

// TokenOrganization is the organisation of a token, for operators. The error is
// ErrNoToken.
func (a *Accounts) TokenOrganization(ctx context.Context, id TokenID) (OrganizationID, error) {
	return postgres.Find(ctx, a.pool, "find access token", ErrNoToken, pgx.RowTo[OrganizationID],
		tokenOrganizationSQL, id)
}

var listTokensSQL = `
SELECT ` + tokenColumns.List("") + `
FROM access_tokens
WHERE organization_uuid = $1
ORDER BY revoked_at IS NOT NULL, created_at DESC, uuid`

// Tokens lists an organisation's access tokens: those in force first, then the
// latest first. It needs SeeCredentials.
func (a *Accounts) Tokens(ctx context.Context, by Actor, of OrganizationID) ([]Token, error) {
	if err := a.Authorize(ctx, by, of, SeeCredentials); err != nil {
		return nil, err
	}
	return postgres.List(ctx, a.pool, "list access tokens", tokenColumns.Scan, listTokensSQL, of)
}
