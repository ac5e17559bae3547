package projections

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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
	By MatchedBy // empty: by what is no name
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
	// reference or a customer's identifier. Empty: the filter says it all.
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
	// Complete says that all that was found is known, so that it is in the order that was asked
	// for and has numbered pages. Otherwise there are too many: they are ordered by time, and
	// Beside leads to the pages beside this one.
	Complete bool
	More     bool // there is a page behind this numbered one
	Adjacent Page // without payments
}

// Search finds payments of the organisation. What is found by a name of its own comes first, on
// the first page. The error is ErrCursor for an At that is none.
func (p *Payments) Search(ctx context.Context, organization uuid.UUID, q Query) (Results, error) {
	q.Limit = min(max(q.Limit, 1), MaxPage)
	if !plaintext.Storable(q.Text) {
		return Results{Complete: true}, nil
	}
	w, err := p.readText(ctx, organization, q.Text, q.Application)
	if err != nil {
		return Results{}, fmt.Errorf("search payments: %w", err)
	}
	named, err := p.named(ctx, organization, w)
	if err != nil {
		return Results{}, err
	}
	found, err := p.collect(ctx, organization, q, w, named)
	if err != nil {
		return Results{}, err
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
		if !w.empty() {
			q.text = &w
		}
		if r.Adjacent, err = p.List(ctx, organization, q.Filter, q.Sort, q.At, q.Limit); err != nil {
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

// narrow says whether payments of an application are left out, whatever their status is.
func (f Filter) narrow() bool {
	return !f.From.IsZero() || !f.To.IsZero() || f.MinAmount != nil || f.MaxAmount != nil
}

// takes says whether a payment fits the filter but for its status.
func (f Filter) takes(p Payment) bool {
	low, high := f.bounds(older, newest)
	return (f.Application == nil ||
		*f.Application == p.Application) && low.before(p.key) && p.key.before(high) &&
		(f.MinAmount == nil || p.Amount.Minor >= *f.MinAmount) && (f.MaxAmount == nil ||
		p.Amount.Minor <= *f.MaxAmount)
}

func (f Filter) takesStatus(p Payment) bool {
	return (f.Status == "" || f.Status == p.Status) && (!f.Late || p.Late)
}

// What has a name of its own is looked up by it. Ranks are the places of matches; what stands
// beside a name narrows it.
var namedSQL = `
WITH hits AS (
    SELECT h.uuid, h.rank, h.query FROM unnest($2::uuid[], $3::int4[], $4::text[]) AS h(uuid, rank, query)
    UNION ALL SELECT p.intent_uuid, 1, r.query FROM unnest($5::text[], $6::text[]) AS r(reference, query) CROSS JOIN LATERAL (
        SELECT q.intent_uuid FROM payments q WHERE q.reference = r.reference OFFSET 0
    ) p
), best AS (
    SELECT h.uuid, min(h.rank) AS rank FROM hits h
    WHERE CASE WHEN h.query = '' THEN true
               ELSE EXISTS (SELECT FROM payments p WHERE p.intent_uuid = h.uuid AND p.terms::tsvector @@ h.query::tsquery OFFSET 0) END
    GROUP BY h.uuid
)
` + selectPayment + `, b.rank
FROM best b JOIN intents i ON i.uuid = b.uuid
     JOIN applications a ON a.uuid = i.application_uuid AND a.organization_uuid = $1
     LEFT JOIN payments p ON p.intent_uuid = i.uuid
ORDER BY b.rank, i.created_at DESC, i.uuid LIMIT $7`

// maxNamed is how many payments can have the names in a text, about: a merchant reference is
// one in each application.
const maxNamed = 50

func (p *Payments) named(ctx context.Context, organization uuid.UUID, w textQuery) ([]Match, error) {
	if len(w.ids)+len(w.references) == 0 {
		return nil, nil
	}
	return postgres.List(ctx, p.q, "look for names", func(row pgx.CollectableRow) (Match, error) {
		var rank int
		p, err := scanPayment(row, &rank)
		p.key = keyOf(p.Intent)
		return Match{p, matches[rank]}, err
	}, namedSQL, postgres.PlanEachTime, organization, w.ids, w.ranks, w.idQueries, w.references,
		w.referenceQueries, maxNamed)
}

// collected is what a statement found.
type collected struct {
	payments []Payment // of the page
	counts   Counts
	complete bool
}

// collect finds at most p.MaxFound payments and counts them. Without a text it looks at as many of
// the newest of each application and state.
func (p *Payments) collect(ctx context.Context, organization uuid.UUID, q Query, w textQuery,
	named []Match,
) (collected, error) {
	sql, most := collectTextSQL, p.MaxFound+1
	switch {
	case !w.empty():
	case q.Text != "":
		return collected{complete: true}, nil
	default:
		if !q.narrow() {
			all, err := p.totals(ctx, organization, q.Application)
			if err != nil || all.All() > p.MaxFound {
				return collected{counts: all}, err
			}
		}
		branches := max(len(w.applications), 1) * len(allStates)
		sql, most = collectRangeSQL, max(p.MaxFound/branches, min(p.MaxFound, minBranch))+1
	}
	without := make([][16]byte, 0, len(named))
	for _, m := range named {
		without = append(without, m.ID)
	}
	low, high := q.bounds(older, newest)
	least, highest := q.amounts()
	states, attempting := q.states()
	args := []any{
		postgres.PlanEachTime, organization, q.Application, low.at, high.at, least, highest,
		postgres.UUIDs(without), most,
		states, attempting, q.Late, int(q.Sort), q.Limit + 1, q.Page * q.Limit,
	}
	if !w.empty() {
		args = append(args, w.query, w.customers, w.customerQueries)
	}
	c, over := collected{}, false
	found, err := postgres.List(ctx, p.q, "collect payments", func(row pgx.CollectableRow) (Payment, error) {
		var createdAt *time.Time
		found, err := scanPayment(row, append(countPlaces(&c.counts), &over, &createdAt)...)
		if createdAt != nil {
			found.key = key{at: createdAt.UTC(), id: found.ID}
		}
		return found, err
	}, sql, args...)
	if err != nil {
		return collected{}, err
	}
	c.complete = !over
	c.counts.AtLeast = over
	for _, one := range found {
		if one.Version > 0 && (q.Status == "" || one.Status == q.Status) {
			c.payments = append(c.payments, one)
		}
	}
	return c, nil
}

// minBranch is how many rows of an application and state are counted at the least.
const minBranch = 1_000

var allStates = []string{stateOpen, stateSucceeded, stateCanceled}

const collectedColumns = `q.intent_uuid, q.application_uuid, q.created_at, q.amount, q.state, q.attempting, q.late`

// What is found by terms or by a customer is read by their index alone, whatever is known of the
// table: the statement's other conditions come after it, and its limit.
var (
	collectTextSQL = `
WITH byterm AS MATERIALIZED (
    SELECT ` + collectedColumns + ` FROM payments q WHERE q.terms::tsvector @@ $15::tsquery
), hits AS MATERIALIZED (
    (SELECT ` + collectedColumns + ` FROM byterm q LIMIT $8)
    UNION ALL SELECT ` + collectedColumns + ` FROM unnest($16::int8[], $17::text[]) AS k(key, query) CROSS JOIN LATERAL (
        SELECT ` + collectedColumns + `, q.terms FROM payments q WHERE q.customer_key = k.key ORDER BY q.created_at DESC LIMIT $8
    ) q WHERE CASE WHEN k.query = '' THEN true ELSE q.terms::tsvector @@ k.query::tsquery END AND NOT q.terms::tsvector @@ $15::tsquery
), ends AS (SELECT count(*) >= $8 AS over FROM hits)` + collectTailSQL
	collectRangeSQL = `
WITH hits AS MATERIALIZED (
    SELECT ` + collectedColumns + ` FROM applications a CROSS JOIN unnest('{open, succeeded, canceled}'::text[]) AS s(state) CROSS JOIN LATERAL (
        SELECT ` + collectedColumns + ` FROM payments q
        WHERE q.application_uuid = a.uuid AND q.state = s.state AND q.created_at >= $3 AND q.created_at < $4
        ORDER BY q.created_at DESC, q.intent_uuid DESC LIMIT $8
    ) q WHERE a.organization_uuid = $1 AND ($2::uuid IS NULL OR a.uuid = $2)
), ends AS (SELECT coalesce(max(n), 0) >= $8 AS over FROM (SELECT count(*) AS n FROM hits GROUP BY application_uuid, state) b)` + collectTailSQL
)

// collectTailSQL counts what was hit and makes a page of it. It always has a row.
var collectTailSQL = `, fits AS MATERIALIZED (
    SELECT ` + collectedColumns + ` FROM hits q JOIN applications a ON a.uuid = q.application_uuid AND a.organization_uuid = $1
    WHERE ($2::uuid IS NULL OR a.uuid = $2) AND q.created_at >= $3 AND q.created_at < $4 AND q.amount BETWEEN $5 AND $6
      AND NOT q.intent_uuid = ANY($7)
), counted AS (
    SELECT count(*) FILTER (WHERE state = 'open' AND NOT attempting) AS waiting, count(*) FILTER (WHERE state = 'open' AND attempting) AS attempting,
           count(*) FILTER (WHERE state = 'succeeded') AS succeeded, count(*) FILTER (WHERE late AND state = 'succeeded') AS late,
           count(*) FILTER (WHERE state = 'canceled') AS canceled
    FROM fits
), page AS MATERIALIZED (
    SELECT q.intent_uuid, q.created_at, row_number() OVER (ORDER BY
        CASE $12::int4 WHEN 1 THEN q.created_at END, CASE $12::int4 WHEN 1 THEN q.intent_uuid END,
        CASE $12::int4 WHEN 2 THEN q.amount WHEN 3 THEN -q.amount END, q.created_at DESC, q.intent_uuid DESC) AS place
    FROM fits q WHERE q.state = ANY($9) AND q.attempting = ANY($10) AND (NOT $11 OR q.late) ORDER BY place LIMIT $13 OFFSET $14
)
` + selectPayment + `, c.waiting, c.attempting, c.succeeded, c.late, c.canceled, e.over, g.created_at
FROM counted c CROSS JOIN ends e LEFT JOIN page g ON true
     LEFT JOIN LATERAL (SELECT ` + intentColumns.List("") + ` FROM intents WHERE uuid = g.intent_uuid OFFSET 0) i ON true
     LEFT JOIN LATERAL (SELECT late, duplicates, succeeded_at, canceled_at, refunded FROM payments WHERE intent_uuid = g.intent_uuid OFFSET 0) p ON true
ORDER BY g.place`
