package dashboardstories

import (
	"net/netip"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/internal/web"
)

func tokenStories() []Story {
	used, ends, ended := now.Add(-2*time.Minute), now.Add(90*24*time.Hour), now.Add(-24*time.Hour)
	made := now.Add(-120 * 24 * time.Hour)
	token := func(n byte, name, ending string) accounts.Token {
		return accounts.Token{
			ID: accounts.TokenID(fixedUUID(n)), Organization: organization.ID, Name: name,
			Ending: ending, CreatedAt: made, Scopes: []accounts.Scope{accounts.ScopePayments},
		}
	}
	inUse, fresh, expired, revoked := token(31, "خادم المتجر", "x7Qd"), token(32, "Staging server", "p0Lw"),
		token(33, "تجربة", "Zt4k"), token(34, "الخادم القديم", "mB2e")
	inUse.LastUsedAt, inUse.LastUsedFrom = &used, "41.252.10.7"
	inUse.Networks = web.NetworkSet{netip.MustParsePrefix("41.252.10.0/24")}
	fresh.ExpiresAt = &ends
	expired.Scopes = []accounts.Scope{accounts.ScopeRead, accounts.ScopeRefunds}
	expired.ExpiresAt = &ended
	revoked.RevokedAt, revoked.LastUsedAt, revoked.LastUsedFrom = &ended, &ended, "102.69.1.20"
	return []Story{
		{"tokens", inside(view.SectionTokens, view.TokenList{Tokens: []view.TokenRow{
			{Token: inUse}, {Token: fresh}, {Token: expired, Expired: true}, {Token: revoked},
		}})},
		{"tokens-none", inside(view.SectionTokens, view.TokenList{})},
		{"token-new", inside(view.SectionTokens, view.TokenForm{Scopes: inUse.Scopes})},
		{"token-new-wrong", inside(view.SectionTokens,
			view.TokenForm{Name: "خادم المتجر", Scopes: inUse.Scopes, Networks: "41.252.10.7",
				ExpiresAt: "2026-11-01T10:00", FormErrors: view.FormError(
					"expires_at", func(t *view.Texts) string { return t.Tokens.ExpiryPast },
				)})},
		{"token-created", inside(view.SectionTokens,
			view.NewTokenValue{Token: inUse, Value: "at_6hJ2kLq9WmXc4TzRb7NvPy3sDf8GaEuH"})},
	}
}
