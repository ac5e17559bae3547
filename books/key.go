package books

import (
	"strings"

	"github.com/google/uuid"

	"daftar/domain"
)

// Key names the account of an organisation at a provider, and so its stream of events.
type Key struct {
	Organization uuid.UUID   `json:"organization"`
	Mode         domain.Mode `json:"mode"`
	// Acquirer is the provider's short name; empty: the tenant's own stream, of days that were closed.
	Acquirer string `json:"acquirer"`
}

// KeyOf is the key of a tenant's account at a provider.
func KeyOf(t domain.Tenant, acquirer string) Key { return Key{t.Organization, t.Mode, acquirer} }

// Tenant is whose account it is.
func (k Key) Tenant() domain.Tenant { return domain.Tenant{Organization: k.Organization, Mode: k.Mode} }

// StreamID is the stream of the account's events.
func (k Key) StreamID() uuid.UUID {
	return domain.NameBased(TenantID(k.Tenant()), "account "+k.Acquirer)
}

// TenantID stands for a tenant where applications stand for themselves: as the owner of what belongs to
// none of them.
func TenantID(t domain.Tenant) uuid.UUID {
	return domain.NameBased(t.Organization, "books "+string(t.Mode))
}

// Has reports whether a stored name is that of an event of a provider account.
func Has(stored string) bool {
	return strings.HasPrefix(stored, "settlement.") || strings.HasPrefix(stored, "fee.") ||
		strings.HasPrefix(stored, "day.")
}
