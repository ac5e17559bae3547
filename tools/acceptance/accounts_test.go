package acceptance_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
)

// schedule records a fee of the organisation's account at a provider, whose stream it returns.
func schedule(t *testing.T, db *pgtest.DB, organization string) (stream string) {
	t.Helper()
	k := books.Key{Organization: uuid.MustParse(organization), Mode: domain.ModeLive, Acquirer: "sandbox"}
	stored, err := books.Encode(books.FeeScheduled{
		At: time.Now().UTC(), Organization: k.Organization, Mode: k.Mode, Acquirer: k.Acquirer,
		Method: "card", From: domain.DayOf(time.Now()), Rate: 150, Currency: domain.LYD,
	})
	if err != nil {
		t.Fatal(err)
	}
	store := eventstore.New(db.Pool(t), db.Pool(t), eventstore.Options{})
	_, err = store.Append(t.Context(), eventstore.Append{
		Stream: k.StreamID(), Events: []eventstore.Event{eventstore.Event(stored)}, NotShown: true,
		Metadata: eventstore.Metadata{Actor: "operator:test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return k.StreamID().String()
}

// A running server's groups pass over accounts at providers: none halts, sets an event aside, or stays
// behind, and what they keep is right.
func TestServersPassOverAccounts(t *testing.T) {
	t.Parallel()
	w := trade(t)
	schedule(t, w.db, w.mine.org)
	last := w.ask(t, w.mine, http.MethodPost, "/payment-intents", order("e-4")).data.UUID
	schedule(t, w.db, w.other.org)
	pool := w.db.OwnerPool(t)
	pgtest.WaitFor(t, "all groups to have passed over them", func() bool {
		var there bool
		err := pool.QueryRow(t.Context(), `
			SELECT count(*) >= 4 AND bool_and(position = (SELECT max(position) FROM events))
			FROM consumer_offsets`).Scan(&there)
		return err == nil && there
	})
	var wrong int
	err := pool.QueryRow(t.Context(), `
		SELECT (SELECT count(*) FROM parked_events)
		       + (SELECT count(*) FROM consumer_offsets WHERE halted_reason IS NOT NULL)
		       + (SELECT count(*) FROM intents WHERE uuid NOT IN (
		              SELECT stream_id FROM events WHERE type = 'intent.created'))`).Scan(&wrong)
	if err != nil || wrong != 0 {
		t.Errorf("%d events set aside, groups halted or rows of accounts, %v", wrong, err)
	}
	env := auditor(t, w.db)
	for _, model := range []string{"intents", "payments", "turnover"} {
		if r := call(t, env, "projections", "verify", model); r.code != 0 {
			t.Errorf("verify %s: exit %d, %s%s", model, r.code, r.out, r.errors)
		}
	}
	w.ask(t, w.mine, http.MethodGet, "/payment-intents/"+last, "")
}
