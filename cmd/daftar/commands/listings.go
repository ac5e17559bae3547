package commands

import (
	"context"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/cmd/daftar/cli"
	"daftar/domain"
)

// ofOrganization lists something of an organisation.
func ofOrganization[T any](p *program, short, name string,
	list func(ctx context.Context, d directory, org accounts.OrganizationID) ([]T, error),
) *cobra.Command {
	var org accounts.OrganizationID
	c := cli.Command("list --org U", short, p.onAccounts(
		func(ctx context.Context, d directory) error {
			if _, err := d.Organization(ctx, org); err != nil {
				return err
			}
			all, err := list(ctx, d, org)
			return p.show(name, all, err)
		}))
	cli.Flag(c, &org, "org", "`uuid` of the organisation", accounts.ParseOrganizationID)
	return c
}

// listedApplication is an application with the part of its key that may be shown.
type listedApplication struct {
	application

	KeyEnding     string     `json:"api_key_ending"       label:"key ends in"`
	KeyLastUsedAt *time.Time `json:"api_key_last_used_at" label:"key last used" none:"never"`
	CreatedAt     time.Time  `json:"created_at"           label:"created"`
}

func (p *program) appList() *cobra.Command {
	return ofOrganization(p, "List an organisation's applications", "applications",
		func(ctx context.Context, d directory, org accounts.OrganizationID) ([]listedApplication, error) {
			all := []listedApplication{}
			for _, mode := range []domain.Mode{domain.ModeLive, domain.ModeTest} {
				found, err := d.AllCredentials(ctx, operator(), org.In(mode))
				if err != nil {
					return nil, err
				}
				for _, c := range found {
					all = append(all,
						listedApplication{newApplication(c.Application), c.KeyEnding, c.KeyLastUsedAt, c.CreatedAt})
				}
			}
			return all, nil
		})
}

// listedToken is an access token without its value.
type listedToken struct {
	UUID       uuid.UUID        `json:"uuid"         label:"access token"`
	Name       string           `json:"name"         label:"name"`
	State      string           `json:"state"        label:"state"` // active, expired or revoked
	Ending     string           `json:"ending"       label:"ends in"`
	Scopes     []accounts.Scope `json:"scopes"       label:"scopes"`
	Networks   []netip.Prefix   `json:"networks"     label:"networks"     none:"any"`
	ExpiresAt  *time.Time       `json:"expires_at"   label:"expires"      none:"never"`
	RevokedAt  *time.Time       `json:"revoked_at"`
	LastUsedAt *time.Time       `json:"last_used_at" label:"last used"    none:"never"`
	CreatedAt  time.Time        `json:"created_at"   label:"created"`
}

func (p *program) tokenList() *cobra.Command {
	return ofOrganization(p, "List an organisation's access tokens, those in force first", "access_tokens",
		func(ctx context.Context, d directory, org accounts.OrganizationID) ([]listedToken, error) {
			found, err := d.Tokens(ctx, operator(), org)
			all := make([]listedToken, len(found))
			for n, t := range found {
				all[n] = listedToken{
					uuid.UUID(t.ID), t.Name, tokenState(t, time.Now()), t.Ending, t.Scopes, t.Networks,
					t.ExpiresAt, t.RevokedAt, t.LastUsedAt, t.CreatedAt,
				}
			}
			return all, err
		})
}

func tokenState(t accounts.Token, now time.Time) string {
	switch {
	case t.RevokedAt != nil:
		return "revoked"
	case t.ExpiresAt != nil && !t.ExpiresAt.After(now):
		return "expired"
	}
	return "active"
}
