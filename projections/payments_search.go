package projections

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
)

// MatchedBy is which of an intent's names a text matched.
type MatchedBy string

// The names that Search knows, the most certain first.
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
	By MatchedBy // empty: not by a name
}

// Sort is the order of a list; the zero Sort is newest first.
type Sort byte

// The orders. Of equal amounts the newest comes first.
const (
	NewestFirst Sort = iota
	OldestFirst
	SmallestFirst
	LargestFirst
)

// Query is what Search looks for.
type Query struct {
	// Text has words that narrow each other. Each is an amount, the last four digits of the
	// payer's phone number or the whole number, an acquirer's reference, or a word of the
	// description; the whole text, or one of its words, may be a uuid, a reference, a merchant
	// reference or a customer's identifier. Empty: only the filter applies.
	Text string
	Filter
	Sort Sort
	// Page is how many pages come before the one that is wanted; At is the cursor of a page of
	// Results that are not Complete.
	Page  int
	At    string
	Limit int // of payments on a page, 1 to MaxPage
}

// Results are a page of what Search found.
type Results struct {
	Matches []Match
	Counts  Counts // of the query without its Status and Late
	// Complete is true if all payments were found, so that they are in the requested order and
	// have numbered pages. Otherwise there are too many: they are ordered by time, and
	// Adjacent has the cursors of the adjacent pages.
	Complete bool
	More     bool // there is a page after this numbered one
	Adjacent Page // without payments
}

// Search finds payments of the tenant. Payments that were found by a name come first, on
// the first page. The error is ErrCursor for an At that is no cursor.
func (p *Payments) Search(ctx context.Context, tenant domain.Tenant, q Query) (Results, error) {
	q.Limit = min(max(q.Limit, 1), MaxPage)
	w, named, found, err := p.search(ctx, tenant, q)
	if err != nil {
		return Results{}, fmt.Errorf("search payments: %w", err)
	}
	r := Results{Counts: found.counts, Complete: found.complete}
	shown := q.Page == 0 && q.At == ""
	for _, m := range named {
		if !q.takes(m.Payment) {
			continue
		}
		countIn(&r.Counts, m.Payment)
		if shown && q.takesStatus(m.Payment) {
			r.Matches = append(r.Matches, m)
		}
	}
	payments := found.payments
	if !r.Complete || q.At != "" {
		q.text = w
		if r.Adjacent, err = p.list(ctx, w.applications, q.Filter, q.Sort, q.At, q.Limit); err != nil {
			return Results{}, err
		}
		payments, r.Adjacent.Payments = r.Adjacent.Payments, nil
	}
	if r.More = r.Complete && len(payments) > q.Limit; r.More {
		payments = payments[:q.Limit]
	}
	for _, one := range payments {
		if slices.ContainsFunc(named, func(m Match) bool { return m.ID == one.ID }) {
			continue
		}
		m := Match{Payment: one}
		if one.CustomerID != nil && slices.Contains(w.texts, *one.CustomerID) {
			m.By = MatchedCustomer
		}
		r.Matches = append(r.Matches, m)
	}
	return r, nil
}

// search reads the text, and finds what it names and what else fits the query.
func (p *Payments) search(
	ctx context.Context, tenant domain.Tenant, q Query,
) (w textQuery, named []Match, found collected, err error) {
	if !plaintext.Storable(q.Text) {
		return w, nil, collected{complete: true}, nil
	}
	if w, err = p.readText(ctx, tenant, q.Text, q.Application); err != nil {
		return w, nil, collected{}, err
	}
	if named, err = p.named(ctx, tenant, w); err != nil {
		return w, nil, collected{}, err
	}
	found, err = p.collect(ctx, q, w, named)
	return w, named, found, err
}

// Payments are looked up by their names. A rank is an index into matches; the other words of the
// text narrow what a name finds.
var namedSQL = `
WITH hits AS (
    SELECT h.uuid, h.rank, h.query
    FROM unnest($2::uuid[], $3::int4[], $4::text[]) AS h(uuid, rank, query)
    UNION ALL
    SELECT p.intent_uuid, 1, r.query
    FROM unnest($5::text[], $6::text[]) AS r(reference, query)
    CROSS JOIN LATERAL (
        SELECT q.intent_uuid
        FROM payments q
        WHERE q.reference = r.reference OFFSET 0
    ) p
), best AS (
    SELECT h.uuid, min(h.rank) AS rank
    FROM hits h
    WHERE CASE WHEN h.query = '' THEN true
               ELSE EXISTS (SELECT
                            FROM payments p
                            WHERE p.intent_uuid = h.uuid
                              AND p.terms::tsvector @@ h.query::tsquery OFFSET 0) END
    GROUP BY h.uuid
)
` + selectPayment + `, b.rank
FROM best b
JOIN intents i ON i.uuid = b.uuid
JOIN applications a ON a.uuid = i.application_uuid AND a.organization_uuid = $1 AND a.mode = $8
LEFT JOIN payments p ON p.intent_uuid = i.uuid
ORDER BY b.rank, i.created_at DESC, i.uuid
LIMIT $7`

// maxNamed bounds how many payments are found by name: a merchant reference may exist once in
// each application.
const maxNamed = 50

func (p *Payments) named(ctx context.Context, tenant domain.Tenant, w textQuery) ([]Match, error) {
	if len(w.ids)+len(w.references) == 0 {
		return nil, nil
	}
	return postgres.List(ctx, p.q, "look for names", func(row pgx.CollectableRow) (Match, error) {
		var rank int
		p, err := scanPayment(row, &rank)
		return Match{p, matches[rank]}, err
	}, namedSQL, postgres.PlanEachTime, tenant.Organization, w.ids, w.ranks, w.idQueries, w.references,
		w.referenceQueries, maxNamed, tenant.Mode)
}
