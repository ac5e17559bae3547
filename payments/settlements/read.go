package settlements

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/facts"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/reconcile"
)

// ErrNoSettlement says that the account has no such settlement.
var ErrNoSettlement error = accounts.NotFound("no such settlement")

// Lay makes a draft of what a comparison found in a file.
func (s *Settlements) Lay(
	ctx context.Context, k books.Key, r *reconcile.Report, file, sha256 string,
) (Draft, error) {
	account, covered, accepted, err := s.covered(ctx, k, sha256)
	if err != nil {
		return Draft{}, err
	}
	d := lay(Draft{Key: k, File: file, SHA256: sha256, Accepted: accepted}, r, covered)
	for n := range d.Parts {
		if d.Parts[n].ExpectedFees, err = s.expected(ctx, &account, d.Parts[n].Shares); err != nil {
			return d, err
		}
	}
	return d, nil
}

// Conflicts are what the books have already of a proposal: the payments and refunds, and the file.
func (s *Settlements) Conflicts(
	ctx context.Context, p Proposal,
) (all []Covered, accepted []uuid.UUID, err error) {
	c, _ := p.Command.(books.RecordStatement)
	_, covered, accepted, err := s.covered(ctx, p.Key, p.sha256)
	for _, one := range c.Settlements {
		for _, share := range one.Shares {
			if of, is := covered[idOf(share)]; is {
				all = append(all, Covered{share, of})
			}
		}
	}
	return all, accepted, err
}

// covered is an account with the settlements that cover its shares, by share, and those of a file.
func (s *Settlements) covered(ctx context.Context, k books.Key, sha256 string) (
	account books.ProviderAccount, covered map[shareID]uuid.UUID, accepted []uuid.UUID, err error,
) {
	account, covered = books.Blank(k), map[shareID]uuid.UUID{}
	recorded, err := eventstore.NewReader(s.pool).ReadStream(ctx, k.StreamID())
	if err != nil {
		return account, nil, nil, err
	}
	var all []books.SettlementRecorded
	for _, one := range recorded {
		e, err := books.Decode(one)
		if err != nil {
			return account, nil, nil, err
		}
		account.Evolve(e)
		if settlement, is := e.(books.SettlementRecorded); is {
			all = append(all, settlement)
		}
	}
	for _, one := range all {
		if now, _ := account.Settlement(one.Settlement); now.Withdrawn {
			continue
		}
		if one.SHA256 != "" && one.SHA256 == sha256 {
			accepted = append(accepted, one.Settlement)
		}
		for _, share := range one.Shares {
			covered[idOf(share)] = one.Settlement
		}
	}
	return account, covered, accepted, nil
}

// streamsAtOnce is the number of payments in one query.
const streamsAtOnce = 1000

// expected are the fees of shares by the contract on record; nil where a payment has none. Nobody knows
// whether the provider gives back the fee of a refund: none is expected.
func (s *Settlements) expected(
	ctx context.Context, a *books.ProviderAccount, shares []books.Share,
) (*int64, error) {
	sum := int64(0)
	for part := range slices.Chunk(shares, streamsAtOnce) {
		ids := make([]uuid.UUID, len(part))
		for n, share := range part {
			ids[n] = share.Intent
		}
		recorded, err := eventstore.ReadStreams(ctx, s.pool, ids, domain.TypeAttemptStarted,
			domain.TypeSucceeded, domain.TypeLateSucceeded, domain.TypeDuplicatePayment)
		if err != nil {
			return nil, err
		}
		methods, days := map[domain.AttemptID]string{}, map[domain.AttemptID]domain.Day{}
		for _, r := range recorded {
			e, err := domain.Decode(r)
			if err != nil {
				return nil, err
			}
			details := facts.DetailsOf(e)
			if r.Type == domain.TypeAttemptStarted {
				methods[details.Attempt] = details.Method
			} else {
				days[details.Attempt] = domain.DayOf(e.OccurredAt())
			}
		}
		for _, share := range part {
			if share.Refund != nil {
				continue
			}
			fee, known := a.ExpectedFee(methods[share.Attempt], days[share.Attempt], share.Amount)
			if !known {
				return nil, nil
			}
			sum += fee
		}
	}
	return &sum, nil
}

// Change is an event of a settlement.
type Change struct {
	books.Event

	At                      time.Time
	Actor, ProposedBy, Note string
}

// Settlement is a settlement with its history.
type Settlement struct {
	books.SettlementRecorded

	Now     books.Settlement // after the last change
	Changes []Change
}

const (
	// The payloads with the first of the shares, of which a page of several settlements needs none.
	latestSQL = `
SELECT e.stream_id, e.version, e.type, e.schema_version, e.payload, e.metadata, e.recorded_at
FROM unnest($1::uuid[]) AS s (id)
CROSS JOIN LATERAL (
    SELECT stream_id, version, position, type, schema_version,
           jsonb_set(payload::jsonb, '{shares}', jsonb_build_array(payload::jsonb #> '{shares,0}'),
                     false)::text AS payload, metadata, recorded_at
    FROM events
    WHERE stream_id = s.id
      AND type IN ('` + books.TypeSettlementRecorded + `', '` + books.TypeSettlementCorrected + `')
    ORDER BY version DESC
    LIMIT $2
) e
ORDER BY e.position DESC
LIMIT $2`
	// An index of shares would be larger than they are; a stream has some hundred settlements a year, and
	// one that covers a payment was recorded after it.
	containingSQL = `
SELECT stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events
WHERE stream_id = ANY($1::uuid[])
  AND type <> '` + books.TypeFeeScheduled + `'
  AND recorded_at >= $2
  AND position($3::text IN payload) > 0
ORDER BY stream_id, version`
)

func scanRecorded(row pgx.CollectableRow) (r eventstore.Recorded, err error) {
	err = row.Scan((*[16]byte)(&r.Stream), &r.Version, &r.Type, &r.SchemaVersion, &r.Payload, &r.Metadata,
		&r.RecordedAt)
	return r, err
}

// streamsOf are the streams of a tenant's accounts at all providers.
func streamsOf(of domain.Tenant) (ids [][16]byte) {
	for _, name := range reconcile.Acquirers() {
		ids = append(ids, books.KeyOf(of, name).StreamID())
	}
	return ids
}

// Latest are the settlements of a tenant that changed last, with the first of their shares.
func (s *Settlements) Latest(ctx context.Context, of domain.Tenant, limit int) ([]Settlement, error) {
	recorded, err := postgres.List(ctx, s.pool, "list settlements", scanRecorded, latestSQL,
		streamsOf(of), limit)
	if err != nil {
		return nil, err
	}
	slices.Reverse(recorded)
	all, err := fold(recorded)
	slices.Reverse(all)
	return all, err
}

// Find returns a settlement; ErrNoSettlement where the account has none of that id.
func (s *Settlements) Find(ctx context.Context, k books.Key, id uuid.UUID) (Settlement, error) {
	all, err := s.containing(ctx, [][16]byte{k.StreamID()}, time.Time{}, id)
	if err != nil {
		return Settlement{}, err
	}
	for _, one := range all {
		if one.Settlement == id && one.ValueDate != (domain.Day{}) {
			return one, nil
		}
	}
	return Settlement{}, ErrNoSettlement
}

// Covering are the settlements of a tenant that cover a payment, or refunds of it; since is when it began.
func (s *Settlements) Covering(
	ctx context.Context, of domain.Tenant, id domain.IntentID, since time.Time,
) (covering []Settlement, err error) {
	all, err := s.containing(ctx, streamsOf(of), since, uuid.UUID(id))
	isOf := func(share books.Share) bool { return share.Intent == uuid.UUID(id) }
	for _, one := range all {
		if !slices.ContainsFunc(one.Shares, isOf) {
			continue // another text, such as the file's name, has the id
		}
		now, err := s.Find(ctx, books.KeyOf(of, one.Acquirer), one.Settlement)
		if err != nil {
			return nil, err
		}
		if !now.Now.Withdrawn {
			covering = append(covering, now)
		}
	}
	return covering, err
}

func (s *Settlements) containing(
	ctx context.Context, streams [][16]byte, since time.Time, id uuid.UUID,
) ([]Settlement, error) {
	recorded, err := postgres.List(ctx, s.pool, "find settlements", scanRecorded, containingSQL, streams,
		since, id.String())
	if err != nil {
		return nil, err
	}
	return fold(recorded)
}

// fold are the settlements of events, in the order of their last change.
func fold(recorded []eventstore.Recorded) (all []Settlement, err error) {
	for _, r := range recorded {
		e, err := books.Decode(r)
		if err != nil {
			return nil, err
		}
		origin, err := r.Origin()
		if err != nil {
			return nil, err
		}
		c := Change{e, r.RecordedAt, origin.Actor, origin.ProposedBy, origin.Note}
		var one Settlement
		switch e := e.(type) {
		case books.SettlementRecorded:
			one.SettlementRecorded = e
			one.Now = books.Settlement{
				Sums:      books.Sums{Gross: e.Gross, Fees: e.Fees, Net: e.Net},
				ValueDate: e.ValueDate, BankReference: e.BankReference, SHA256: e.SHA256,
			}
		case books.SettlementCorrected:
			if at := slices.IndexFunc(all, func(s Settlement) bool { return s.Settlement == e.Settlement }); at >= 0 {
				one = all[at]
				all = slices.Delete(all, at, at+1)
			}
			one.Settlement, one.Acquirer = e.Settlement, e.Acquirer
			one.Now = books.Settlement{
				Sums:      books.Sums{Gross: e.Gross, Fees: e.Fees, Net: e.Net},
				ValueDate: e.ValueDate, BankReference: e.BankReference, SHA256: one.SHA256, Withdrawn: e.Withdrawn,
			}
		case books.FeeScheduled:
			return nil, fmt.Errorf("settlement of %s: %T", r.Stream, e)
		}
		one.Changes = append(one.Changes, c)
		all = append(all, one)
	}
	return all, nil
}

const namesSQL = `
SELECT DISTINCT n.id, n.name
FROM settlement_proposals p
CROSS JOIN LATERAL (VALUES (p.proposed_by, p.proposer), (p.decided_by, p.decider)) AS n (id, name)
WHERE p.organization_uuid = $1
  AND n.id IS NOT NULL`

// Names are the members who kept the organisation's books: how people know them, by what the ledger calls
// them.
func (s *Settlements) Names(ctx context.Context, org accounts.OrganizationID) (map[string]string, error) {
	type member struct {
		ID   [16]byte
		Name string
	}
	all, err := postgres.List(ctx, s.pool, "list members who kept the books", pgx.RowToStructByPos[member],
		namesSQL, org)
	names := make(map[string]string, len(all))
	for _, m := range all {
		names[ledger.ActorUser(m.ID)] = m.Name
	}
	return names, err
}
