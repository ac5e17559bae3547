package checker_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/tools/torture/history"
)

// live is what the merchants and their payers do.
func (w *world) live() {
	for _, s := range w.shops {
		for n := range 8 {
			reference := fmt.Sprintf("طلب <%s> %d", s.Sink, n)
			id := w.create(s, reference, 201)
			w.create(s, reference, 200)
			w.read(s, id, reference, 200)
			w.attempts(id, n)
			w.read(s, id, reference, 200)
			if n%4 == 0 {
				w.settle(s, id)
			}
		}
		w.short(s)
		w.schedule(s.UUID)
		// A create without an answer may have had an effect or not. This one had, the next one
		// not.
		lost := w.create(s, "lost-"+s.Sink, 0)
		w.read(s, lost, "lost-"+s.Sink, 200)
		w.recorder.Request(history.Request{
			Client: client, Kind: history.Create, Application: s.UUID, Reference: "never-" + s.Sink, Status: 503,
			Sent: body("never-" + s.Sink), Began: w.recorder.Now(), Ended: w.recorder.Now(),
		})
	}
	w.read(w.shops[1], w.create(w.shops[0], "foreign", 201), "foreign", 403)
	w.create(w.shops[0], "waits", 201)
	for n := range 30 {
		w.recorder.Sample(history.Sample{
			Server: "A", Process: 7, At: time.Duration(n) * time.Second, RSS: 80<<20 + int64(n%5)<<20,
			FDs: 40 + int64(n%3), Goroutines: 60,
		})
	}
}

// schedule records fees of an account at a provider, whose stream is in the log with those of intents.
func (w *world) schedule(organization uuid.UUID) {
	w.t.Helper()
	k := books.Key{Organization: organization, Mode: domain.ModeLive, Acquirer: "sandbox"}
	for rate := range int64(2) {
		c := books.ScheduleFee{Method: "wallet", From: domain.DayOf(time.Now()), Rate: 100 + rate}
		if _, err := w.ledger.Book(w.t.Context(), k, c, ledger.Origin{Actor: "user:finance"}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// attempts pays, declines, or pays twice.
func (w *world) attempts(id string, n int) {
	w.t.Helper()
	switch n % 4 {
	case 0:
		w.pay(w.ledger, id, "a")
	case 1:
		w.decline(w.ledger, id, "a")
		w.pay(w.ledger, id, "b")
	case 2:
		w.decline(w.ledger, id, "a")
		w.pay(w.ledger, id, "b")
		w.taken(w.ledger, id, "a") // a duplicate
	}
}

// settle records that the acquirer paid out an intent, and corrects it.
func (w *world) settle(s *shop, id string) {
	w.t.Helper()
	settlement, day := uuid.New(), domain.DayOf(time.Now())
	key := books.Key{Organization: s.Organization, Mode: domain.ModeLive, Acquirer: "sandbox"}
	for _, c := range []books.Command{
		books.RecordStatement{Settlements: []books.NewSettlement{{
			ID: settlement, ValueDate: day, Fees: 100, Net: 4_900,
			Taken:  []books.Taken{{On: day, Amount: 5_000}},
			Shares: []books.Share{{Intent: uuid.MustParse(id), Attempt: attempt(id, "a"), Amount: 5_000}},
		}}},
		books.CorrectSettlement{ID: settlement, ValueDate: day, Fees: 90, Net: 4_900},
	} {
		if _, err := w.ledger.Book(w.t.Context(), key, c, ledger.Origin{Actor: "user:finance"}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// short is an intent that expires after an attempt, and is paid late.
func (w *world) short(s *shop) {
	w.t.Helper()
	// On a busy machine the intent may expire before the attempt begins.
	for left := 300 * time.Millisecond; ; left *= 2 {
		reference := fmt.Sprint("short-", s.Sink, "-", left)
		id := w.createShort(s, reference, left)
		err := w.try(w.ledger, id, start(id, "a"))
		if err != nil && left < time.Minute {
			continue
		}
		if err != nil {
			w.t.Fatal(err)
		}
		w.execute(w.ledger, id, domain.FailAttempt{Attempt: attempt(id, "a"), Reason: "declined"})
		pgtest.WaitFor(w.t, "the intent to expire", func() bool {
			return strings.Contains(string(w.read(s, id, reference, 200)), `"canceled"`)
		})
		w.taken(w.ledger, id, "a")
		w.read(s, id, reference, 200)
		return
	}
}

// createShort creates an intent that expires soon.
func (w *world) createShort(s *shop, reference string, left time.Duration) (id string) {
	w.t.Helper()
	expires := time.Now().Add(left).UTC().Truncate(time.Microsecond)
	q := history.Request{
		Client: client, Kind: history.Create, Application: s.UUID, Reference: reference,
		Began: w.recorder.Now(), Status: 201,
		Sent: fmt.Appendf(nil, `{"merchant_reference":%q,"amount":5000,"currency":"LYD",`+
			`"description":"قهوة","expires_at":%q}`, reference, expires.Format(time.RFC3339Nano)),
	}
	order := domain.Create{ExpiresAt: &expires, Terms: domain.Terms{
		Application: domain.ApplicationID(s.UUID), MerchantReference: domain.MerchantReference(reference),
		Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "قهوة",
	}}
	origin := ledger.Origin{Actor: "application:" + s.UUID.String()}
	i, created, err := w.early.Create(w.t.Context(), order, s.space, origin)
	if err != nil || !created {
		w.t.Fatalf("create: %t, %v", created, err)
	}
	shown, err := httpapi.MarshalIntent(i, "https://pay.example")
	if err != nil {
		w.t.Fatal(err)
	}
	q.Ended, q.Intent, q.Answer = w.recorder.Now(), i.ID.String(), fmt.Appendf(nil, `{"data":%s}`, shown)
	w.recorder.Request(q)
	return i.ID.String()
}

func (w *world) execute(l *ledger.Ledger, id string, c domain.Command) {
	w.t.Helper()
	if err := w.try(l, id, c); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) try(l *ledger.Ledger, id string, c domain.Command) error {
	intent, origin := domain.IntentID(uuid.MustParse(id)), ledger.Origin{Actor: "payer"}
	if _, err := l.Execute(w.t.Context(), intent, c, origin); err != nil {
		return fmt.Errorf("execute %T: %w", c, err)
	}
	return nil
}

func attempt(id, which string) domain.AttemptID {
	return domain.AttemptID(strings.ReplaceAll(id, "-", "")[:20] + which)
}

func start(id, which string) domain.StartAttempt {
	return domain.StartAttempt{
		Attempt: attempt(id, which), Acquirer: "sandbox", Method: "wallet", Payer: "091•••5678",
	}
}

func (w *world) begin(l *ledger.Ledger, id, which string) {
	w.t.Helper()
	w.execute(l, id, start(id, which))
}

func (w *world) pay(l *ledger.Ledger, id, which string) {
	w.t.Helper()
	w.begin(l, id, which)
	w.taken(l, id, which)
}

func (w *world) taken(l *ledger.Ledger, id, which string) {
	w.t.Helper()
	w.bank = append(w.bank, history.Taken{Intent: id, Amount: 5000, Currency: "LYD", TakenAt: time.Now()})
	w.execute(l, id, domain.RecordPayment{
		Attempt: attempt(id, which), Amount: domain.Money{Minor: 5000, Currency: domain.LYD},
		ProviderReference: "SB" + which,
	})
}

func (w *world) decline(l *ledger.Ledger, id, which string) {
	w.t.Helper()
	w.begin(l, id, which)
	w.execute(l, id, domain.FailAttempt{Attempt: attempt(id, which), Reason: "declined"})
}
