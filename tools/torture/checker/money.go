package checker

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/tools/torture/history"
)

const asideSQL = `
SELECT intent_uuid, count(*) FILTER (WHERE stage = 'quarantined'), count(*) FILTER (WHERE ask_at IS NOT NULL), min(ask_at)::text
FROM checkout_attempts WHERE stage = 'quarantined' OR ask_at IS NOT NULL GROUP BY intent_uuid`

// aside is what the checkout has not settled of an intent.
type aside struct {
	quarantined, asking int
	next                *string
}

// money is I9: every taking in the acquirer's books is one event about money, of
// the same amount, and every such event is one taking. Of the takings of an intent
// one is its success and the others are duplicates that somebody must give back.
// Only an attempt that is set aside for an operator excuses money without an event.
func (c *checker) money(ctx context.Context, f *finding) error {
	unsettled, err := c.unsettled(ctx)
	if err != nil {
		return err
	}
	taken := map[string][]history.Taken{}
	for _, t := range c.run.Bank {
		taken[t.Intent] = append(taken[t.Intent], t)
	}
	var recorded, duplicates, quarantined int
	var sum int64
	for _, s := range c.log.inOrder() {
		var paid []payload
		for _, e := range s.events {
			if slices.Contains(paying, e.kind) {
				paid = append(paid, e.told)
				sum += e.told.Amount
			}
		}
		f.looked += int64(len(paid))
		recorded += len(paid)
		duplicates += max(len(paid)-1, 0)
		quarantined += c.compareBooks(f, s, paid, taken[s.id.String()], unsettled[s.id])
	}
	for id := range taken {
		parsed, err := uuid.Parse(id)
		if err != nil || c.log.streams[parsed] == nil {
			f.wrongf("the acquirer took money for %q, which no event created", id)
		}
	}
	f.notef("%d payments, %d in minor units, %d of them second ones, %d takings set aside", recorded, sum,
		duplicates, quarantined)
	return nil
}

// compareBooks returns how many takings an operator has to decide about.
func (c *checker) compareBooks(
	f *finding, s *stream, paid []payload, taken []history.Taken, left aside,
) (quarantined int) {
	for _, p := range paid {
		n := slices.IndexFunc(taken, func(t history.Taken) bool {
			return t.Amount == p.Amount && t.Currency == p.Currency
		})
		if n < 0 {
			f.wrongf("intent %s: %s is recorded as paid by %s and the acquirer took no such sum", s.id,
				money(p.Amount, p.Currency), p.Attempt)
			continue
		}
		taken = slices.Delete(slices.Clone(taken), n, n+1)
	}
	quarantined = min(len(taken), left.quarantined)
	for _, t := range taken[quarantined:] {
		why := "nobody asks about it any more"
		if left.asking > 0 && left.next != nil {
			why = "it will be asked about at " + *left.next
		}
		f.wrongf("intent %s: the acquirer took %s, which no event has (%s; %s)", s.id, money(t.Amount, t.Currency),
			s.state.Status, why)
	}
	return quarantined
}

func money(minor int64, currency string) domain.Money {
	return domain.Money{Minor: minor, Currency: domain.Currency(currency)}
}

func (c *checker) unsettled(ctx context.Context) (map[uuid.UUID]aside, error) {
	rows, err := c.pool.Query(ctx, asideSQL)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	all := map[uuid.UUID]aside{}
	var id [16]byte
	var a aside
	if _, err := pgx.ForEachRow(rows, []any{&id, &a.quarantined, &a.asking, &a.next}, func() error {
		all[id] = a
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	return all, nil
}
