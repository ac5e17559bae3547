package checker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/tools/torture/history"
)

// acknowledged is I1: every intent in an answer is in the log, as it was answered, and no
// later answer reports it as missing.
func (c *checker) acknowledged(_ context.Context, f *finding) error {
	known := map[uuid.UUID]time.Duration{} // since when a client knows the intent
	for n, q := range c.run.Requests {
		a := c.answers[n]
		if a.err != nil {
			f.wrongf("request %s: %v", q.RequestID, a.err)
			continue
		}
		if !a.shown {
			continue
		}
		f.looked++
		if since, seen := known[a.id]; !seen || q.Ended < since {
			known[a.id] = q.Ended
		}
		if why := c.shown(q, a); why != "" {
			f.wrongf("intent %s, answered with %d to %s: %s", a.id, q.Status, q.Kind, why)
		}
	}
	for _, q := range c.run.Requests {
		id, err := uuid.Parse(q.Intent)
		if q.Kind != history.Read || q.Status != 404 || err != nil || c.log.owner(id) != q.Application {
			continue
		}
		if since, seen := known[id]; seen && since < q.Began {
			f.wrongf("intent %s was acknowledged at %v and not found at %v", id, since, q.Began)
		}
	}
	return nil
}

// shown returns why an answer does not match the log; empty: it does.
func (c *checker) shown(q history.Request, a answer) string {
	s := c.log.streams[a.id]
	if s == nil || len(s.events) == 0 || s.events[0].kind != domain.TypeCreated {
		return "it is not in the log"
	}
	if why := a.againstLog(a.id, s.created); why != "" {
		return "log and answer differ: " + why
	}
	if q.Status == 201 {
		if why := a.againstOrder(q.Sent); why != "" {
			return "order and answer differ: " + why
		}
	}
	if q.Kind == history.Create && s.created.Application != q.Application {
		return "it belongs to another application"
	}
	if len(s.versions(a)) == 0 && s.problem == "" {
		return fmt.Sprintf("it never was %s at %v", a.Status, a.UpdatedAt)
	}
	return ""
}

// versions are the versions that the answer may show: those with its status and time.
func (s *stream) versions(a answer) []int32 {
	var all []int32
	for _, e := range s.events {
		if string(e.status) == a.Status && e.at.Equal(a.UpdatedAt) {
			all = append(all, e.version)
		}
	}
	return all
}

// key identifies an intent for merchants.
type key struct {
	application uuid.UUID
	reference   string
}

const uniqueIndexSQL = `
SELECT count(*)
FROM pg_index i
WHERE i.indrelid = 'events'::regclass
  AND i.indisunique
  AND i.indisvalid
  AND i.indisready
  AND (SELECT array_agg(a.attname::text ORDER BY a.attname)
       FROM pg_attribute a
       WHERE a.attrelid = i.indrelid
         AND a.attnum = ANY (i.indkey)) = ARRAY['stream_id', 'version']`

// unique is I2: a reference has one intent, all creates of it return that intent, at most
// one of them with status 201, and every intent was created by a recorded request.
func (c *checker) unique(ctx context.Context, f *finding) error {
	var index int
	if err := c.pool.QueryRow(ctx, uniqueIndexSQL).Scan(&index); err != nil {
		return fmt.Errorf("look for the unique index: %w", err)
	}
	if index == 0 {
		f.wrongf("events has no valid unique index over stream and version")
	}
	asked := map[key]bool{}
	firsts := map[key]answer{} // the first answer
	creations := map[key]int{} // answers with status 201
	for n, q := range c.run.Requests {
		if q.Kind != history.Create {
			continue
		}
		k := key{q.Application, q.Reference}
		asked[k] = true
		a := c.answers[n]
		if !a.shown {
			continue
		}
		f.looked++
		if q.Status == 201 {
			if creations[k]++; creations[k] > 1 {
				f.wrongf("%q of %s was created %d times", k.reference, k.application, creations[k])
			}
		}
		first, before := firsts[k]
		if !before {
			firsts[k] = a
		} else if why := first.otherThan(a.resource); why != "" {
			f.wrongf("%q of %s: two answers differ: %s", k.reference, k.application, why)
		}
	}
	c.stored(f, asked)
	return nil
}

// stored finds references with two intents, and intents without a recorded create.
func (c *checker) stored(f *finding, asked map[key]bool) {
	found := map[key]uuid.UUID{}
	for _, s := range c.log.inOrder() {
		k := key{s.created.Application, s.created.MerchantReference}
		if other, twice := found[k]; twice {
			f.wrongf("%q of %s has the intents %s and %s", k.reference, k.application, other, s.id)
		}
		found[k] = s.id
		if _, ours := c.apps[k.application.String()]; ours && !asked[k] {
			f.wrongf("intent %s (%q) was never asked for", s.id, k.reference)
		}
	}
}

// inOrder returns the streams in the order of their creation.
func (l *ledger) inOrder() []*stream {
	all := make([]*stream, 0, len(l.streams))
	for _, s := range l.streams {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *stream) int {
		return cmp.Compare(a.events[0].position, b.events[0].position)
	})
	return all
}

// otherThan compares the immutable fields of two answers, and returns a difference.
func (r resource) otherThan(b resource) string {
	if r.UUID != b.UUID {
		return fmt.Sprintf("uuid is %q, not %q", r.UUID, b.UUID)
	}
	_, token, _ := strings.Cut(b.CheckoutURL, "/pay/"+b.UUID+"/")
	return r.againstLog(uuid.MustParse(b.UUID), created{
		At:                b.CreatedAt,
		MerchantReference: b.MerchantReference,
		Reference:         b.Reference,
		CheckoutToken:     token,
		Amount:            b.Amount,
		Currency:          b.Currency,
		Description:       b.Description,
		CustomerID:        b.Customer.ExternalID,
		ReturnURL:         b.ReturnURL,
		Metadata:          b.Metadata,
		ExpiresAt:         b.ExpiresAt,
	})
}
