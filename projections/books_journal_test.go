package projections_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/facts"
	"daftar/ledger"
	"daftar/projections"
)

// A journal says of each entry when and where it was recorded, and ends with the caller's error.
func TestJournalNamesItsEvents(t *testing.T) {
	t.Parallel()
	d := openWorldOf(t, open(t, true))
	s := d.shop(t, uuid.Nil)
	i := d.twice(t, s, midnight)
	k := books.KeyOf(live(s.organization), "sandbox")
	_, err := d.Book(t.Context(), k, books.RecordStatement{Settlements: []books.NewSettlement{{
		ID: uuid.New(), ValueDate: domain.DayOf(midnight), Net: 7,
		Taken:  []books.Taken{{On: domain.DayOf(midnight), Amount: 7}},
		Shares: []books.Share{{Intent: uuid.UUID(i.ID), Attempt: "b", Amount: 7}},
	}}}, ledger.Origin{Actor: "user:test"})
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[int64]eventstore.Recorded{}
	for _, e := range d.events(t, 0, 100) {
		recorded[e.Position] = e
	}
	var kinds []books.Kind
	book := projections.NewBooks(d.pool)
	err = book.Journal(t.Context(), live(s.organization), 0, 1<<40, func(e projections.BookEntry) error {
		kinds = append(kinds, e.Kind)
		is := recorded[e.Position]
		if !e.At.Equal(is.RecordedAt) || e.At.Location() != time.UTC || e.Stream != is.Stream {
			t.Errorf("%s at %d: %v, stream %s; recorded is %v, %s", e.Kind, e.Position, e.At, e.Stream,
				is.RecordedAt, is.Stream)
		}
		return nil
	})
	if want := []books.Kind{books.KindSale, books.KindDuplicate, books.KindSettlement}; err != nil ||
		!slices.Equal(kinds, want) {
		t.Errorf("entries %v, want %v; %v", kinds, want, err)
	}
	stop := errors.New("enough")
	ends := func(projections.BookEntry) error { return stop }
	err = book.Journal(t.Context(), live(s.organization), 0, 1<<40, ends)
	if !errors.Is(err, stop) {
		t.Errorf("the caller's error came back as %v", err)
	}
}

// An event of a kind that this version does not know may move money: the group halts before it. Where no
// money moved it does nothing at all.
func TestBooksHaltBeforeTheUnknown(t *testing.T) {
	t.Parallel()
	group := projections.BooksGroup()
	for kind, known := range map[string]bool{
		"intent.given_away": false, "settlement.split": false, "merchant.moved": true, domain.TypeCreated: true,
	} {
		e := eventstore.Recorded{Position: 1, Version: 1, Type: kind, SchemaVersion: 1, Payload: []byte(`{}`)}
		_, err := model(t, "books").Rows([]eventstore.Recorded{e})
		if (err == nil) != known {
			t.Errorf("rows of %s: %v", kind, err)
		}
		if !group.Only(kind) {
			continue
		}
		if err := group.Handle(t.Context(), nil, []eventstore.Recorded{e}); (err == nil) != known {
			t.Errorf("handle %s: %v", kind, err)
		}
	}
	for _, kind := range facts.Moving(facts.Received, facts.ReceivedAgain, facts.Returned) {
		if !slices.Contains(books.Types(), kind) {
			t.Errorf("%s moves money, and the books have no entry of it", kind)
		}
	}
}
