package ledger_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/books"
	"daftar/books/bookstest"
	"daftar/domain"
	"daftar/ledger"
)

var account = books.Key{Organization: uuid.UUID{7}, Mode: domain.ModeLive, Acquirer: "sandbox"}

// settle is a command that settles a payment under the given id.
func settle(id byte, of string) books.RecordStatement {
	day, share := domain.Day{Year: 2026, Month: 11, Day: 22}, books.Share{
		Intent: uuid.UUID{1}, Attempt: domain.AttemptID(of), Amount: 100,
	}
	return books.RecordStatement{Settlements: []books.NewSettlement{{
		ID: uuid.UUID{id}, ValueDate: day, Fees: 1, Net: 99, Taken: bookstest.TakenOn(day, share),
		Shares: []books.Share{share},
	}}}
}

func (s *server) account(t *testing.T) books.ProviderAccount {
	t.Helper()
	a, err := s.ProviderAccount(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Commands of each kind, in the order in which a person gives them, and what is refused.
func TestBook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	s.create(t, w.plain())
	if a := s.account(t); a.Version != 0 || a.Key != account {
		t.Errorf("before the first event: %+v", a)
	}
	two := settle(2, "b")
	two.Settlements = append(two.Settlements, settle(3, "c").Settlements...)
	withdraw := books.CorrectSettlement{ID: uuid.UUID{1}, Withdraw: true}
	for _, row := range []struct {
		command books.Command
		types   []string
		refused error
	}{
		{settle(1, "a"), []string{"settlement.recorded"}, nil},
		{settle(1, "b"), nil, books.RefusedSettlementKnown},
		{settle(2, "a"), nil, books.RefusedCovered},
		{two, []string{"settlement.recorded", "settlement.recorded"}, nil},
		{withdraw, []string{"settlement.corrected"}, nil},
		{withdraw, nil, nil},
		{settle(4, "a"), []string{"settlement.recorded"}, nil},
		{books.ScheduleFee{Method: "card", From: domain.Day{Year: 2026, Month: 1, Day: 1}, Rate: 100},
			[]string{"fee.scheduled"}, nil},
		{books.ScheduleFee{}, nil, books.RefusedMalformed},
	} {
		before := s.account(t)
		events, err := s.Book(t.Context(), account, row.command, merchant)
		if !errors.Is(err, row.refused) || (err == nil) != (row.refused == nil) {
			t.Errorf("%+v: %v, want %v", row.command, err, row.refused)
		}
		var types []string
		for _, e := range events {
			stored, err := books.Encode(e)
			if err != nil {
				t.Fatal(err)
			}
			types = append(types, stored.Type)
		}
		if diff := cmp.Diff(row.types, types); diff != "" || s.account(t).Version != before.Version+len(types) {
			t.Errorf("%+v: version %d after %d (-want +got):\n%s", row.command, s.account(t).Version,
				before.Version, diff)
		}
	}
	a := s.account(t)
	fee, known := a.ExpectedFee("card", domain.Day{Year: 2026, Month: 2, Day: 1}, 1_000)
	if fee != 10 || !known {
		t.Errorf("fee %d, %t", fee, known)
	}
	// The account is no intent.
	id := domain.IntentID(account.StreamID())
	_, load := s.Load(t.Context(), id)
	_, history := s.History(t.Context(), id)
	_, execute := s.Execute(t.Context(), id, domain.Expire{}, merchant)
	for what, err := range map[string]error{"load": load, "history": history, "execute": execute} {
		if !errors.Is(err, ledger.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", what, err)
		}
	}
	// The stream of another mode, and of another provider, is another.
	for _, k := range []books.Key{
		{Organization: account.Organization, Mode: domain.ModeTest, Acquirer: "sandbox"},
		{Organization: account.Organization, Mode: domain.ModeLive, Acquirer: "plutu"},
	} {
		if events, err := s.Book(t.Context(), k, settle(1, "a"), merchant); err != nil || len(events) != 1 {
			t.Errorf("%+v: %d events, %v", k, len(events), err)
		}
	}
}

// Commands on two servers at once are decided one after the other: nothing is settled twice, and each
// change is made.
func TestBookAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	servers := [2]*server{w.open(t, 0), w.open(t, -time.Second)}
	row := servers[0].create(t, w.plain())
	var settled, refused, own atomic.Int64
	w.rush(t, servers, 16, func(n int, s *server) {
		switch n % 4 {
		case 0: // all of them settle one payment
			_, err := s.Book(t.Context(), account, settle(byte(n+1), "one"), merchant)
			switch {
			case err == nil:
				settled.Add(1)
			case errors.Is(err, books.RefusedCovered):
				refused.Add(1)
			default:
				t.Errorf("settle: %v", err)
			}
		case 3: // payments go on
			_, err := s.Execute(t.Context(), row.ID, domain.StartAttempt{
				Attempt: domain.AttemptID(fmt.Sprint(n)), Acquirer: "sandbox", Method: "card",
			}, merchant)
			if err != nil && !errors.Is(err, domain.RefusedAttemptOpen) {
				t.Errorf("start: %v", err)
			}
		default:
			events, err := s.Book(t.Context(), account, settle(byte(n+1), fmt.Sprint("of ", n)), merchant)
			if err != nil || len(events) != 1 {
				t.Errorf("settle: %v, %v", events, err)
			}
			own.Add(1)
		}
	})
	if settled.Load() != 1 || refused.Load() != 3 {
		t.Errorf("one payment was settled %d times and refused %d times", settled.Load(), refused.Load())
	}
	for _, s := range servers {
		a := s.account(t)
		if want := int(settled.Load() + own.Load()); a.Version != want {
			t.Errorf("%d events of the account, want %d", a.Version, want)
		}
	}
}

// Another server is faster each time: the command ends without a change, and may be sent again.
func TestBookContention(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fast := w.open(t, 0)
	var interfere atomic.Bool
	var reads atomic.Int64
	slow := w.serve(t, w.db.Pool(t), w.traced(t, func() {
		if interfere.Load() {
			c := books.ScheduleFee{
				Method: "card", From: domain.Day{Year: 2026, Month: 1, Day: 1}, Rate: reads.Add(1),
			}
			if _, err := fast.Book(t.Context(), account, c, merchant); err != nil {
				t.Error(err)
			}
		}
	}), 0)
	interfere.Store(true)
	_, err := slow.Book(t.Context(), account, settle(1, "a"), merchant)
	if !errors.Is(err, ledger.ErrContention) {
		t.Errorf("book: %v, want ErrContention", err)
	}
	interfere.Store(false)
	a := slow.account(t)
	if tries := reads.Load(); tries < 5 || tries > 50 || a.Version != int(tries) {
		t.Errorf("version %d after %d tries", a.Version, tries)
	}
	if _, err := slow.Book(t.Context(), account, settle(1, "a"), merchant); err != nil {
		t.Errorf("sent again: %v", err)
	}
}

// Credentials that were replaced write nothing, and who caused an event is stored with it.
func TestOriginOfBooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	epoch := w.changeCredentials(t)
	o := ledger.Origin{
		Actor: "user:7", RequestID: "r-1", Correlation: "c-1", Note: "as the bank's page has it",
		ProposedBy: "user:8", Statement: "FT-1, line 2", Epoch: epoch - 1,
	}
	if _, err := s.Book(t.Context(), account, settle(1, "a"), o); !errors.Is(err, ledger.ErrStaleCredential) {
		t.Errorf("under a past epoch: %v", err)
	}
	o.Epoch = epoch
	two := settle(1, "a")
	two.Settlements = append(two.Settlements, settle(2, "b").Settlements...)
	if _, err := s.Book(t.Context(), account, two, o); err != nil {
		t.Fatal(err)
	}
	recorded, err := s.store.ReadStream(t.Context(), account.StreamID())
	if err != nil || len(recorded) != 2 {
		t.Fatalf("%d events, %v", len(recorded), err)
	}
	want := map[string]string{
		"actor": "user:7", "request_id": "r-1", "correlation_id": "c-1", "note": "as the bank's page has it",
		"proposed_by": "user:8", "statement": "FT-1, line 2",
	}
	for _, r := range recorded {
		var got map[string]string
		if err := json.Unmarshal(r.Metadata, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("metadata (-want +got):\n%s", diff)
		}
	}
	if !slices.Equal(w.types(t, domain.IntentID(account.StreamID())),
		[]string{"settlement.recorded", "settlement.recorded"}) {
		t.Error("types of the account's events")
	}
}
