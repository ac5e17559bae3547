package acceptance_test

import (
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
