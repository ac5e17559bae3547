package acceptance_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/internal/postgres/pgtest"
)

// The sample shops fulfil each order exactly once: paid in time or late, with webhooks that are
// doubled, sent again, late or lost, and with a shop that is killed twice, each time after it has
// acknowledged a payment. TestLongSampleShops is the same with 500 orders.
func TestSampleShops(t *testing.T) {
	t.Parallel()
	sampleShops(t, 10, samples)
}

func sampleShops(t *testing.T, orders int, kinds []sample) {
	t.Helper()
	daftar := newSandboxed(t, "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true")
	daftar.startAcquirer(t)
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			s := openSample(t, daftar, kind)
			s.open(never)
			s.pages()
			late, unpaid := s.declined(max(1, orders/10)), s.declined(max(1, orders/10))
			s.stopCheckouts(append(slices.Clone(late), unpaid...))
			inTime := s.sell(orders-len(late), late)
			s.sendAgain()
			s.fulfilsAll(append(inTime, late...), unpaid)
		})
	}
}

// never is the interval of a shop that must not poll orders during the test.
const never = "36000"

// pages opens the pages that are not on a paying customer's way, and sends an unsigned webhook.
func (s *sampleShop) pages() {
	s.t.Helper()
	for _, p := range []struct {
		method, path string
		form         url.Values
		status       int
		shows        []string
	}{
		{http.MethodGet, "/", nil, 200, []string{`<html lang="ar" dir="rtl">`, "قهوة عربية", "5.000</bdi> د.ل"}},
		{http.MethodGet, "/?lang=en", nil, 200,
			[]string{`<html lang="en" dir="ltr">`, "Arabic coffee", "42.500</bdi> LYD"}},
		{http.MethodGet, "/orders/order-1", nil, 404, []string{"لا توجد صفحة"}},
		{http.MethodGet, "/elsewhere?lang=en", nil, 404, []string{"no such page"}},
		{http.MethodPost, "/orders",
			url.Values{"reference": s.choose()["reference"], "product": {"gold"}}, 400, nil},
		{http.MethodPost, "/orders", url.Values{"reference": {"../x"}, "product": {"coffee"}}, 400, nil},
		{http.MethodPost, "/webhooks", url.Values{"type": {"payment_intent.succeeded"}}, 401, nil},
	} {
		status, page, _ := s.ask(p.method, s.url(p.path), p.form)
		if status != p.status {
			s.t.Errorf("%s %s: %d, want %d", p.method, p.path, status, p.status)
		}
		for _, text := range p.shows {
			if !strings.Contains(page, text) {
				s.t.Errorf("%s %s does not show %q:\n%s", p.method, p.path, text, page)
			}
		}
	}
}

// declined are orders whose payment was declined.
func (s *sampleShop) declined(number int) (all []purchase) {
	s.t.Helper()
	for range number {
		p := s.buy(passed)
		s.pay(p, 4)
		all = append(all, p)
	}
	return all
}

// stopCheckouts has the orders canceled. While the application is inactive, the API refuses the
// shop.
func (s *sampleShop) stopCheckouts(of []purchase) {
	s.t.Helper()
	uuids := make([]string, len(of))
	for n, p := range of {
		uuids[n] = p.uuid
	}
	answer[map[string]any](s.t, s.daftar.service.env, "app", "deactivate", s.who.app, "--stop-checkouts")
	pool := s.daftar.db.OwnerPool(s.t)
	pgtest.WaitFor(s.t, "the cancellations", func() bool {
		var canceled int
		err := pool.QueryRow(s.t.Context(), `
			SELECT count(*)
			FROM intents
			WHERE uuid = ANY($1::uuid[])
			AND status = 'canceled'`, uuids).Scan(&canceled)
		if err != nil {
			s.t.Fatal(err)
		}
		return canceled == len(of)
	})
	form := s.choose()
	status, page, _ := s.ask(http.MethodPost, s.url("/orders"), form)
	if status != http.StatusServiceUnavailable || !strings.Contains(page, `value="`+form.Get("reference")) {
		s.t.Errorf("a customer who cannot be served sees %d %s", status, page)
	}
	answer[map[string]any](s.t, s.daftar.service.env, "app", "activate", s.who.app)
	if status, _, to := s.ask(http.MethodPost, s.url("/orders"), form); status != http.StatusSeeOther {
		s.t.Errorf("the same form leads to %d %s", status, to)
	}
}

// sell sells to eight customers at a time. Meanwhile late payments come in, and the shop is killed
// twice and started again.
func (s *sampleShop) sell(number int, late []purchase) []purchase {
	s.t.Helper()
	s.way.mu.Lock()
	s.way.crashAt = []int{number / 4, number / 2}
	s.way.mu.Unlock()
	sold := make([]purchase, number)
	var numbers, customers sync.WaitGroup
	todo := make(chan int)
	for range min(8, number) {
		customers.Go(func() {
			for n := range todo {
				sold[n] = s.buy(treatment(n) % treatments)
				s.pay(sold[n], 0)
				if n%3 == 0 && treatment(n)%treatments != lost {
					s.comeBack(sold[n])
				}
			}
		})
	}
	numbers.Go(func() {
		for n := range number {
			todo <- n
		}
		close(todo)
	})
	for _, p := range late {
		s.payLate(p)
	}
	over := make(chan struct{})
	go func() {
		customers.Wait()
		close(over)
	}()
	for crashes := range 2 {
		select {
		case <-s.way.crashed:
		case <-over: // few orders: their webhooks may all be answered before a crash
			s.way.crashNow()
			<-s.way.crashed
		case <-time.After(5 * patience): // hundreds of orders come before
			s.t.Fatalf("the shop was killed %d times, want 2", crashes)
		}
		s.awaitEnd()
		s.open(never)
	}
	<-over
	numbers.Wait()
	return sold
}

// comeBack opens the page of a paid order, as a returning customer does: it shows the API's state,
// before any webhook.
func (s *sampleShop) comeBack(p purchase) {
	pgtest.WaitFor(s.t, "the page of a paid order", func() bool {
		_, page, _ := s.ask(http.MethodGet, s.url("/orders/"+p.reference+"?lang=en"), nil)
		return strings.Contains(page, `data-state="fulfilled"`) && strings.Contains(page, "5.000</bdi> LYD")
	})
}

// sendAgain delivers the held webhooks, and has an operator send some webhooks again that were
// accepted once, and those that failed twice.
func (s *sampleShop) sendAgain() {
	s.t.Helper()
	close(s.way.release)
	s.way.late.Wait()
	var once []string // webhooks of payments that the shop has accepted once
	pgtest.WaitFor(s.t, "a webhook of a payment that came once", func() bool {
		listed := answer[deliveries](s.t, s.daftar.service.env, "webhooks", "deliveries", "--application",
			s.who.app, "--state", "delivered", "--limit", "1000")
		for _, d := range listed.Deliveries {
			if d.Event == "payment_intent.succeeded" && s.way.accepted("evt_"+d.UUID) == 1 {
				once = append(once, d.UUID)
			}
		}
		return len(once) > 0
	})
	for _, uuid := range once[:min(len(once), 10)] {
		answer[deliveries](s.t, s.daftar.service.env, "webhooks", "resend", uuid)
		pgtest.WaitFor(s.t, "the webhook again", func() bool { return s.way.accepted("evt_"+uuid) > 1 })
	}
	// What met the shop's end both times that it was killed would have its third try in five minutes.
	for _, d := range answer[deliveries](s.t, s.daftar.service.env, "webhooks", "deliveries", "--application",
		s.who.app, "--state", "pending", "--limit", "1000").Deliveries {
		if d.Attempts > 1 {
			answer[deliveries](s.t, s.daftar.service.env, "webhooks", "resend", d.UUID)
		}
	}
}

// fulfilsAll checks that all paid orders are fulfilled once, and no other. Webhooks alone fulfil
// all but those whose webhooks were lost; polling fulfils these.
func (s *sampleShop) fulfilsAll(paid, unpaid []purchase) {
	s.t.Helper()
	var all, reached, canceled []string
	for n, p := range paid {
		all = append(all, p.reference)
		if s.way.of[p.reference] != lost {
			reached = append(reached, paid[n].reference)
		}
	}
	for _, p := range unpaid {
		canceled = append(canceled, p.reference)
	}
	if len(reached) == len(all) {
		s.t.Error("no webhook was lost")
	}
	s.wants("after all webhooks", reached, canceled)
	for _, p := range s.running {
		p.Stop(s.t, syscall.SIGTERM)
	}
	s.awaitEnd()
	s.way.mu.Lock()
	s.way.up = make(chan struct{})
	s.way.mu.Unlock()
	s.open("1")
	s.wants("after asking", all, canceled)
	s.way.mu.Lock()
	defer s.way.mu.Unlock()
	taken := 0
	for _, n := range s.way.arrivals {
		taken += n
	}
	s.t.Logf("%d orders fulfilled once each, %d of them by asking alone, %d canceled; %d webhooks came %d times",
		len(all), len(all)-len(reached), len(canceled), len(s.way.arrivals), taken)
}

// wants waits until the orders are fulfilled and nothing is left to do, and compares.
func (s *sampleShop) wants(when string, fulfilled, canceled []string) {
	s.t.Helper()
	var tally sampleTally
	var looked time.Time
	pgtest.WaitFor(s.t, fmt.Sprintf("%d orders to be fulfilled %s", len(fulfilled), when), func() bool {
		if time.Since(looked) < 200*time.Millisecond {
			return false // each check may start a process
		}
		looked = time.Now()
		tally = s.tally(s.t, s.dir)
		return len(tally.Fulfilled) >= len(fulfilled) && len(tally.Canceled) >= len(canceled) && tally.Waiting == 0
	})
	for _, list := range [][]string{fulfilled, canceled, tally.Fulfilled, tally.Canceled} {
		slices.Sort(list)
	}
	if diff := cmp.Diff(fulfilled, tally.Fulfilled); diff != "" {
		s.t.Errorf("fulfilled %s (-want +got):\n%s", when, diff)
	}
	if diff := cmp.Diff(canceled, tally.Canceled); diff != "" {
		s.t.Errorf("canceled %s (-want +got):\n%s", when, diff)
	}
}
