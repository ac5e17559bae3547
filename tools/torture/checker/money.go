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

const unsettledSQL = `
SELECT intent_uuid,
       count(*) FILTER (WHERE stage = 'quarantined'),
       count(*) FILTER (WHERE ask_at IS NOT NULL),
       min(ask_at)::text
FROM checkout_attempts
WHERE stage = 'quarantined'
   OR ask_at IS NOT NULL
GROUP BY intent_uuid`

// unsettled counts the attempts of an intent that the checkout has not settled.
type unsettled struct {
	quarantined, asking int
	next                *string // the time of the next inquiry
}

// money is I9: every payment in the acquirer's books has exactly one event of the same
// amount, and every such event has one payment. The first payment of an intent is its
// success; the others are duplicates, which must be refunded. Only a quarantined attempt,
// which an operator has to settle, excuses a payment without an event.
func (c *checker) money(ctx context.Context, f *finding) error {
	open, err := c.unsettled(ctx)
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
				paid = append(paid, e.payload)
				sum += e.payload.Amount
			}
		}
		f.looked += int64(len(paid))
		recorded += len(paid)
		duplicates += max(len(paid)-1, 0)
		quarantined += c.compareBooks(f, s, paid, taken[s.id.String()], open[s.id])
	}
	for id := range taken {
		parsed, err := uuid.Parse(id)
		if err != nil || c.log.streams[parsed] == nil {
			f.wrongf("the acquirer took money for %q, which no event created", id)
		}
	}
	f.notef("%d payments, %d in minor units, %d of them second ones, %d takings set aside",
		recorded, sum, duplicates, quarantined)
	return nil
}

// compareBooks compares the payments of one intent and returns how many of them an operator
// has to settle.
func (c *checker) compareBooks(
	f *finding, s *stream, paid []payload, taken []history.Taken, open unsettled,
) (quarantined int) {
	for _, p := range paid {
		n := slices.IndexFunc(taken, func(t history.Taken) bool {
			return t.Amount == p.Amount && t.Currency == p.Currency
		})
		if n < 0 {
			f.wrongf("intent %s: %s is recorded as paid by %s and the acquirer took no such sum",
				s.id, money(p.Amount, p.Currency), p.Attempt)
			continue
		}
		taken = slices.Delete(slices.Clone(taken), n, n+1)
	}
	quarantined = min(len(taken), open.quarantined)
	for _, t := range taken[quarantined:] {
		why := "nobody asks about it any more"
		if open.asking > 0 && open.next != nil {
			why = "it will be asked about at " + *open.next
		}
		f.wrongf("intent %s: the acquirer took %s, which no event has (%s; %s)",
			s.id, money(t.Amount, t.Currency), s.state.Status, why)
	}
	return quarantined
}

func money(minor int64, currency string) domain.Money {
	return domain.Money{Minor: minor, Currency: domain.Currency(currency)}
}

func (c *checker) unsettled(ctx context.Context) (map[uuid.UUID]unsettled, error) {
	rows, err := c.pool.Query(ctx, unsettledSQL)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	all := map[uuid.UUID]unsettled{}
	var id [16]byte
	var u unsettled
	_, err = pgx.ForEachRow(rows, []any{&id, &u.quarantined, &u.asking, &u.next}, func() error {
		all[id] = u
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	return all, nil
}
