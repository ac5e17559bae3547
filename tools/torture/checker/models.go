package checker

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
)

const intentsSQL = `
SELECT uuid, application_uuid, version, reference, merchant_reference, amount, currency, status, description,
       customer::text, return_url, metadata::text, expires_at, checkout_url, created_at, updated_at
FROM intents`

// shownRow is a row of intents.
type shownRow struct {
	id, application                       [16]byte
	version                               int
	reference, merchant, currency, status string
	amount                                int64
	description, customer                 string
	returnURL, metadata                   *string
	expires, created, updated             time.Time
	checkout                              string
}

// readModel is I5: each row of intents equals the fold of its stream, and each stream has a
// row. JSON columns are compared byte by byte.
func (c *checker) readModel(ctx context.Context, f *finding) error {
	rows, err := c.pool.Query(ctx, intentsSQL)
	if err != nil {
		return fmt.Errorf("read intents: %w", err)
	}
	seen := make(map[uuid.UUID]bool, len(c.log.streams))
	var r shownRow
	_, err = pgx.ForEachRow(rows, []any{
		&r.id, &r.application, &r.version, &r.reference, &r.merchant, &r.amount, &r.currency, &r.status,
		&r.description, &r.customer, &r.returnURL, &r.metadata, &r.expires, &r.checkout, &r.created, &r.updated,
	}, func() error {
		f.looked++
		s := c.log.streams[r.id]
		if s == nil {
			if c.log.parked == 0 {
				f.wrongf("intents has %s, which no event created", uuid.UUID(r.id))
			}
			return nil
		}
		seen[s.id] = true
		if s.problem != "" {
			return nil // I4 reports it
		}
		if why := r.against(s); why != "" {
			f.wrongf("row of %s: %s", s.id, why)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read intents: %w", err)
	}
	for _, s := range c.log.inOrder() {
		if !seen[s.id] {
			f.wrongf("intents lacks %s", s.id)
		}
	}
	return nil
}

func (r *shownRow) against(s *stream) string {
	i := s.state
	why := differs([]field{
		{"application_uuid", uuid.UUID(r.application).String(), i.Application.String()},
		{"version", fmt.Sprint(r.version), fmt.Sprint(i.Version)},
		{"reference", r.reference, string(i.Reference)},
		{"merchant_reference", r.merchant, string(i.MerchantReference)},
		{"amount", fmt.Sprint(r.amount), fmt.Sprint(i.Amount.Minor)},
		{"currency", r.currency, string(i.Amount.Currency)},
		{"status", r.status, string(i.Status)},
		{"description", r.description, i.Description},
		{"customer", r.customer, jsonOf(customer{ExternalID: i.CustomerID})},
		{"return_url", text(r.returnURL), text(i.ReturnURL)},
		{"metadata", text(r.metadata), metadataOf(i.Metadata)},
		{"checkout_url", r.checkout, s.created.path(s.id)},
	})
	if why != "" {
		return why
	}
	for name, both := range map[string][2]time.Time{
		"expires_at": {r.expires, i.ExpiresAt},
		"created_at": {r.created, i.CreatedAt},
		"updated_at": {r.updated, i.UpdatedAt},
	} {
		if !both[0].Equal(both[1]) {
			return fmt.Sprintf("%s is %v, not %v", name, both[0].UTC(), both[1].UTC())
		}
	}
	return ""
}

// metadataOf is the column that m must have, in the form of text.
func metadataOf(m domain.Metadata) string {
	if m == nil {
		return text(nil)
	}
	encoded := jsonOf(m)
	return text(&encoded)
}

// jsonOf encodes values that always can be encoded.
func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("checker: write JSON: " + err.Error())
	}
	return string(bytes.TrimSpace(b))
}
