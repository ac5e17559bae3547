package settlements

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
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
	return lay(Draft{Key: k, File: file, SHA256: sha256, Accepted: accepted}, r, &account, covered), nil
}

// Conflicts are what the books have already of a proposal: the payments and refunds, and the file.
func (s *Settlements) Conflicts(
	ctx context.Context, p Proposal,
) (all []Covered, accepted []uuid.UUID, err error) {
	if p.Statement == nil {
		return nil, nil, nil
	}
	_, covered, accepted, err := s.covered(ctx, p.Key, p.Statement.SHA256)
	for _, one := range p.Statement.Settlements {
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
	recorded, err := eventstore.NewReader(s.pool).ReadStream(ctx, k.StreamID())
	if err != nil {
		return account, nil, nil, err
	}
	all, account, err := fold(k, recorded)
	covered = map[shareID]uuid.UUID{}
	for _, one := range all {
		if one.Now.Withdrawn {
			continue
		}
		if one.SHA256 != "" && one.SHA256 == sha256 {
			accepted = append(accepted, one.Settlement)
		}
		for _, share := range one.Shares {
			covered[idOf(share)] = one.Settlement
		}
	}
	return account, covered, accepted, err
}

// Settlement is a settlement with its history.
type Settlement struct {
	books.SettlementRecorded

	Now     books.Settlement // after the last change
	Changes []Change
}

// Change is who changed a settlement or closed a day; of Find and Days, as people know them.
type Change struct {
	At                      time.Time
	Actor, ProposedBy, Note string
}

const (
	// Without the shares, of which a page of several settlements needs none.
	latestSQL = `
SELECT e.stream_id, e.version, e.type, e.schema_version, e.payload, e.metadata, e.recorded_at
FROM unnest($1::uuid[]) AS s (id)
CROSS JOIN LATERAL (
    SELECT stream_id, version, position, type, schema_version,
           jsonb_set(payload::jsonb, '{shares}', jsonb_build_array(payload::jsonb #> '{shares,0}'),
                     false)::text AS payload, metadata, recorded_at
    FROM events
    WHERE stream_id = s.id
      AND type LIKE 'settlement.%'
    ORDER BY version DESC
    LIMIT $2
) e
ORDER BY e.position`
	// An index of shares would be larger than they are; a stream has some hundred settlements a year, and
	// one that covers a payment was recorded after it.
	containingSQL = `
SELECT stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events
WHERE stream_id = ANY($1::uuid[])
  AND type LIKE 'settlement.%'
  AND recorded_at >= $2
  AND position($3::text IN payload) > 0
ORDER BY stream_id, version`
	feesSQL = `
SELECT stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events
WHERE stream_id = ANY($1::uuid[])
  AND type = '` + books.TypeFeeScheduled + `'
ORDER BY position DESC`
	namesSQL = `SELECT 'user:' || uuid, email::text FROM users WHERE 'user:' || uuid = ANY($1)`
)

func scanRecorded(row pgx.CollectableRow) (r eventstore.Recorded, err error) {
	err = row.Scan((*[16]byte)(&r.Stream), &r.Version, &r.Type, &r.SchemaVersion, &r.Payload, &r.Metadata,
		&r.RecordedAt)
	return r, err
}

func (s *Settlements) list(ctx context.Context, sql string, args ...any) ([]Settlement, error) {
	recorded, err := postgres.List(ctx, s.pool, "list settlements", scanRecorded, sql, args...)
	if err != nil {
		return nil, err
	}
	all, _, err := fold(books.Key{}, recorded)
	return all, err
}

// fold are the settlements of events in the order of their recording, and the account of a whole stream.
func fold(
	k books.Key, recorded []eventstore.Recorded,
) (all []Settlement, account books.ProviderAccount, err error) {
	account = books.Blank(k)
	at := map[uuid.UUID]int{}
	for _, r := range recorded {
		e, err := books.Decode(r)
		if err != nil {
			return nil, account, err
		}
		origin, err := r.Origin()
		if err != nil {
			return nil, account, err
		}
		account.Evolve(e)
		var one books.SettlementRecorded
		switch e := e.(type) {
		case books.SettlementRecorded:
			one = e
		case books.SettlementCorrected:
			one.Settlement, one.Acquirer = e.Settlement, e.Acquirer
		case books.FeeScheduled, books.DayClosed:
			continue
		}
		n, known := at[one.Settlement]
		if !known {
			n, at[one.Settlement] = len(all), len(all)
			all = append(all, Settlement{SettlementRecorded: one})
		}
		all[n].Now, _ = account.Settlement(one.Settlement)
		all[n].Changes = append(all[n].Changes, Change{r.RecordedAt, origin.Actor, origin.ProposedBy, origin.Note})
	}
	return all, account, nil
}

// streamsOf are the streams of a tenant's accounts at all providers.
func streamsOf(of domain.Tenant) (ids [][16]byte) {
	for _, name := range reconcile.Acquirers() {
		ids = append(ids, books.KeyOf(of, name).StreamID())
	}
	return ids
}

// Latest are the settlements of a tenant that changed last, without their shares, the latest first.
func (s *Settlements) Latest(ctx context.Context, of domain.Tenant, limit int) ([]Settlement, error) {
	all, err := s.list(ctx, latestSQL, streamsOf(of), limit)
	slices.Reverse(all)
	return all[:min(limit, len(all))], err
}

// Find returns a settlement; ErrNoSettlement where the account has none of that id.
func (s *Settlements) Find(ctx context.Context, k books.Key, id uuid.UUID) (Settlement, error) {
	all, err := s.list(ctx, containingSQL, [][16]byte{k.StreamID()}, time.Time{}, id.String())
	at := slices.IndexFunc(all, func(one Settlement) bool { return one.Settlement == id && len(one.Shares) > 0 })
	switch {
	case err != nil:
		return Settlement{}, err
	case at < 0:
		return Settlement{}, ErrNoSettlement
	}
	return all[at], s.name(ctx, all[at].Changes)
}

// name puts the members' addresses in the place of their ids.
func (s *Settlements) name(ctx context.Context, changes []Change) error {
	var actors []string
	for _, c := range changes {
		actors = append(actors, c.Actor, c.ProposedBy)
	}
	type member struct{ Actor, Email string }
	members, err := postgres.List(ctx, s.pool, "list members who kept the books",
		pgx.RowToStructByPos[member], namesSQL, actors)
	for _, m := range members {
		for n := range changes {
			c := &changes[n]
			c.Actor = strings.ReplaceAll(c.Actor, m.Actor, m.Email)
			c.ProposedBy = strings.ReplaceAll(c.ProposedBy, m.Actor, m.Email)
		}
	}
	return err
}

// Covering are the settlements of a tenant that cover a payment, or refunds of it; since is when it began.
func (s *Settlements) Covering(
	ctx context.Context, of domain.Tenant, id domain.IntentID, since time.Time,
) (covering []Settlement, err error) {
	all, err := s.list(ctx, containingSQL, streamsOf(of), since, id.String())
	for _, one := range all {
		if !slices.ContainsFunc(one.Shares, func(s books.Share) bool { return s.Intent == uuid.UUID(id) }) {
			continue // another text, such as the file's name, has the id
		}
		one, err = s.Find(ctx, books.KeyOf(of, one.Acquirer), one.Settlement)
		if err != nil {
			return nil, err
		}
		if !one.Now.Withdrawn {
			covering = append(covering, one)
		}
	}
	return covering, err
}

// Fees are a tenant's contracts on record, the latest first.
func (s *Settlements) Fees(ctx context.Context, of domain.Tenant) ([]books.FeeScheduled, error) {
	scan := func(row pgx.CollectableRow) (fee books.FeeScheduled, err error) {
		r, err := scanRecorded(row)
		if err != nil {
			return fee, err
		}
		e, err := books.Decode(r)
		fee, _ = e.(books.FeeScheduled)
		return fee, err
	}
	return postgres.List(ctx, s.pool, "list fees", scan, feesSQL, streamsOf(of))
}
