package webhooks_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"daftar/domain"
	"daftar/webhooks"
)

// fill records n deliveries, one each step, each in one of the shops at random, and returns
// their times.
func (w *world) fill(n int, of [2]shop, from time.Time, step time.Duration) []time.Time {
	w.t.Helper()
	at, apps := make([]time.Time, n), make([][16]byte, n)
	for k := range n {
		// Not quite in order: events may be recorded in another order than they happened.
		jitter := time.Duration(rand.IntN(20_000)) * time.Millisecond
		at[k] = from.Add(time.Duration(k)*step + jitter).Truncate(time.Microsecond)
		apps[k] = [16]byte(of[rand.IntN(2)].ID)
	}
	_, err := w.pool.Exec(w.t.Context(), `
		INSERT INTO webhook_deliveries (uuid, application_uuid, event, occurred_at, state)
		SELECT gen_random_uuid(), u.app, 'webhook.test', u.at,
		       CASE WHEN u.n % 7 = 0 THEN 'failed' ELSE 'delivered' END
		FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS u(app, at, n)
		ORDER BY u.n`, apps, at)
	if err != nil {
		w.t.Fatal(err)
	}
	return at
}

func (w *world) page(f webhooks.Filter) webhooks.Page {
	w.t.Helper()
	p, err := w.deliveries.Page(w.t.Context(), w.org.In(domain.ModeLive), f)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// pages are all deliveries of a filter, page by page.
func (w *world) pages(f webhooks.Filter) (all []webhooks.Delivery, pages int) {
	w.t.Helper()
	for {
		p := w.page(f)
		all, pages = append(all, p.Deliveries...), pages+1
		if p.Older == 0 {
			return all, pages
		}
		if f.Before != 0 && p.Older >= f.Before {
			w.t.Fatalf("after %d the list continues at %d", f.Before, p.Older)
		}
		f.Before = p.Older
	}
}

func isLatestFirst(all []webhooks.Delivery) bool {
	return slices.IsSortedFunc(all, func(a, b webhooks.Delivery) int { return int(b.Cursor - a.Cursor) })
}

// A page of a span of time has all deliveries of that span and no others, however old they are.
func TestPageOfATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	of := [2]shop{w.shop(""), w.shop("")}
	began := w.began.Add(-100 * 24 * time.Hour).Truncate(time.Second)
	const count, step = 6_000, 5 * time.Second
	at := w.fill(count, of, began, step)
	one := of[1].ID
	for _, span := range []struct{ from, to time.Duration }{
		{-time.Hour, -time.Minute},
		{-time.Hour, time.Minute},
		{0, 10 * time.Minute},
		{count / 2 * step, count/2*step + 7*time.Minute},
		{count/2*step + time.Second, count/2*step + 2*time.Second},
		{count*step - time.Minute, count*step + time.Hour},
		{(count + 10) * step, 2 * count * step},
	} {
		f := webhooks.Filter{From: began.Add(span.from), To: began.Add(span.to), Limit: 50}
		want := 0
		for _, t := range at {
			if !t.Before(f.From) && t.Before(f.To) {
				want++
			}
		}
		all, pages := w.pages(f)
		if len(all) != want || pages > 1+want/50 {
			t.Errorf("from %s to %s: %d on %d pages, want %d", span.from, span.to, len(all), pages, want)
		}
		if !isLatestFirst(all) {
			t.Errorf("from %s to %s: not the latest first", span.from, span.to)
		}
		f.Application, f.State = &one, webhooks.StateFailed
		isOther := func(d webhooks.Delivery) bool {
			return d.Application != one || d.State != webhooks.StateFailed
		}
		some, _ := w.pages(f)
		if n := slices.IndexFunc(some, isOther); n >= 0 {
			t.Errorf("from %s to %s: filtered, and yet %+v", span.from, span.to, some[n])
		}
		if want := len(slices.DeleteFunc(all, isOther)); len(some) != want {
			t.Errorf("from %s to %s: %d of the application failed, want %d", span.from, span.to, len(some), want)
		}
	}
	// One end is enough.
	for what, f := range map[string]webhooks.Filter{
		"from": {From: began.Add((count - 100) * step)}, "to": {To: began.Add(100 * step)},
	} {
		if all, _ := w.pages(f); len(all) < 90 || len(all) > 105 {
			t.Errorf("%s alone finds %d, want about 100", what, len(all))
		}
	}
}

// The index has runs of ordinals: pages, lists and what prunes go through them in the order of the ordinals,
// whatever the order of the rows on disk.
func TestDeliveriesOfManyRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	of := [2]shop{w.shop(""), w.shop("")}
	const count = 3_000
	w.fill(count, of, w.began.Add(-100*24*time.Hour), time.Second)
	for _, n := range []int{3, 5} {
		if _, err := w.pool.Exec(t.Context(), `
			UPDATE webhook_deliveries
			SET state = CASE state WHEN 'failed' THEN 'delivered' ELSE 'failed' END
			WHERE ordinal % $1 = 0`, n); err != nil {
			t.Fatal(err)
		}
	}
	ofOne := value[int](w, `SELECT count(*) FROM webhook_deliveries WHERE application_uuid = $1`, of[0].ID)
	for want, f := range map[int]webhooks.Filter{count: {}, ofOne: {Application: &of[0].ID}} {
		f.Limit = 70
		all, pages := w.pages(f)
		if len(all) != want || pages != (want+69)/70 {
			t.Errorf("%d deliveries on %d pages, want %d", len(all), pages, want)
		}
		f.Tenant, f.Limit = webhooks.Operator(), 1000
		var listed []webhooks.Delivery
		for more := w.list(f); len(more) > 0; more = w.list(f) {
			listed, f.Before = append(listed, more...), more[len(more)-1].Cursor
		}
		if !isLatestFirst(all) || !isLatestFirst(listed) || len(listed) != want {
			t.Errorf("not the latest first, or %d listed, want %d", len(listed), want)
		}
	}
	pruned, err := w.deliveries.Prune(t.Context(), operator, w.began, false)
	if err != nil || pruned.Deliveries != count {
		t.Errorf("%d of %d pruned (%v)", pruned.Deliveries, count, err)
	}
}

func TestPageOfAnEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shop("https://shop.example/hook")
	id := w.create(s)
	w.execute(id, domain.StartAttempt{Attempt: "a", Acquirer: "sandbox", Method: "wallet"})
	w.create(s)
	w.record()
	for event, want := range map[string]int{
		webhooks.TypeCreated:    2,
		webhooks.TypeProcessing: 1,
		webhooks.TypeSucceeded:  0,
		"":                      3,
	} {
		all, _ := w.pages(webhooks.Filter{Event: event})
		if len(all) != want {
			t.Errorf("%q: %d, want %d", event, len(all), want)
		}
		for _, d := range all {
			if event != "" && d.Event != event || d.Reference == "" {
				t.Errorf("%q: %+v", event, d)
			}
		}
	}
}
