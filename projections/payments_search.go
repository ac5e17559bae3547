package projections

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
)

// MatchedBy is which of an intent's names a text was.
type MatchedBy string

// The names that Search knows, the surest first.
const (
	MatchedUUID              MatchedBy = "uuid"
	MatchedReference         MatchedBy = "reference"
	MatchedMerchantReference MatchedBy = "merchant_reference"
	MatchedCustomer          MatchedBy = "customer"
)

var matches = []MatchedBy{MatchedUUID, MatchedReference, MatchedMerchantReference, MatchedCustomer}

// Match is a payment that was found by a text.
type Match struct {
	Payment
	By MatchedBy
}

// MaxMatches is how many matches Search returns at most: of a customer with more
// payments, the newest.
const MaxMatches = 50

const namespacesSQL = `SELECT uuid, namespace FROM applications WHERE organization_uuid = $1`

// Ranks are the places of matches. What is found by a key is compared with the
// intent once more.
var searchSQL = `
WITH hits AS (
    SELECT h.uuid, h.rank FROM unnest($2::uuid[], $3::int4[]) AS h(uuid, rank)
    UNION ALL SELECT p.intent_uuid, 1 FROM payments p WHERE p.reference = $4
    UNION ALL SELECT c.intent_uuid, 3 FROM unnest($5::int8[]) AS k(key) CROSS JOIN LATERAL (
        SELECT p.intent_uuid FROM payments p WHERE p.customer_key = k.key ORDER BY p.created_at DESC LIMIT $6
    ) c
), best AS (
    SELECT h.uuid, min(h.rank) AS rank FROM hits h GROUP BY h.uuid
)
` + selectPayment + `, b.rank
FROM best b JOIN intents i ON i.uuid = b.uuid
     JOIN applications a ON a.uuid = i.application_uuid AND a.organization_uuid = $1
     LEFT JOIN payments p ON p.intent_uuid = i.uuid
ORDER BY b.rank, i.created_at DESC, i.uuid LIMIT $6`

// Search finds the payments of which a text is the uuid, the reference (in any
// case, blanks and dashes anywhere), the merchant reference or the customer's
// identifier (both as sent, or without the blanks around), the surest match
// first. It finds nothing for a text that is none of them.
func (p *Payments) Search(ctx context.Context, organization uuid.UUID, text string) ([]Match, error) {
	if !plaintext.Storable(text) {
		return nil, nil
	}
	w, err := p.wanted(ctx, organization, text)
	if err != nil {
		return nil, fmt.Errorf("search payments: %w", err)
	}
	found, err := postgres.List(ctx, p.q, "search payments", func(row pgx.CollectableRow) (Match, error) {
		var rank int
		p, err := scanPayment(row, &rank)
		return Match{p, matches[rank]}, err
	}, searchSQL, postgres.PlanEachTime, organization, w.ids, w.ranks, w.reference, w.customers, MaxMatches)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(m Match) bool {
		return m.By == MatchedCustomer && (m.CustomerID == nil || !slices.Contains(w.texts, *m.CustomerID))
	}), nil
}

// wanted is a text as each of the names that it may be.
type wanted struct {
	texts     []string
	ids       []domain.IntentID
	ranks     []int32
	reference string
	customers []int64
}

func (p *Payments) wanted(ctx context.Context, organization uuid.UUID, text string) (wanted, error) {
	w := wanted{texts: spellings(text), reference: string(referenceIn(text))}
	if id, err := domain.ParseIntentID(strings.TrimSpace(text)); err == nil {
		w.ids, w.ranks = append(w.ids, id), append(w.ranks, 0)
	}
	rows, err := p.q.Query(ctx, namespacesSQL, organization)
	if err != nil {
		return wanted{}, err
	}
	var application domain.ApplicationID
	var namespace domain.Namespace
	_, err = pgx.ForEachRow(rows, []any{&application, &namespace}, func() error {
		for _, text := range w.texts {
			// The id of an intent is a function of its name, so no index is needed.
			id := namespace.IntentID(domain.MerchantReference(text))
			w.ids, w.ranks = append(w.ids, id), append(w.ranks, 2)
			w.customers = append(w.customers, *customerKeyOf(application, &text))
		}
		return nil
	})
	return w, err
}

// spellings are the text as it is and without the blanks that come along when it
// is copied.
func spellings(text string) []string {
	if trimmed := strings.TrimSpace(text); trimmed != text {
		return []string{text, trimmed}
	}
	return []string{text}
}

// referenceIn is the reference as people type it: in capitals, in groups, with
// letters that look like digits, which Crockford's alphabet leaves out, or with
// Arabic or Persian digits.
func referenceIn(text string) domain.Reference {
	return domain.Reference(strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(" -–—_.\t\u00a0\u200e\u200f", r):
			return -1
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		}
		switch r = plaintext.LatinDigit(r); r {
		case 'o':
			return '0'
		case 'i', 'l':
			return '1'
		}
		return r
	}, text))
}
