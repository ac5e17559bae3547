package ledger_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/ledger"
	"daftar/projections"
)

// No list shows an overdue intent as payable. Listing it cancels it, unless its attempt is still
// open.
func TestListCancelsWhatIsOverdue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := w.open(t, 0)
	var rows []projections.Intent
	for range 6 {
		rows = append(rows, now.create(t, w.plain()))
	}
	now.execute(t, rows[4].ID, domain.StartAttempt{Attempt: "a"})
	far := time.Now().Add(30 * 24 * time.Hour)
	inTime := w.plain()
	inTime.ExpiresAt = &far
	kept := now.create(t, inTime)

	late := w.open(t, 25*time.Hour)
	open := projections.Listing{Application: w.app, Status: domain.StatusRequiresPaymentMethod, Limit: 50}
	page, err := late.List(t.Context(), open)
	if err != nil || len(page.Intents) != 1 || page.Intents[0].ID != kept.ID {
		t.Errorf("open: %+v, %v", page, err)
	}
	page, err = late.List(t.Context(), projections.Listing{Application: w.app, Limit: 50})
	if err != nil || len(page.Intents) != 7 {
		t.Fatalf("all: %+v, %v", page, err)
	}
	for _, i := range page.Intents {
		want := domain.StatusCanceled
		switch i.ID {
		case kept.ID:
			want = domain.StatusRequiresPaymentMethod
		case rows[4].ID:
			want = domain.StatusProcessing
		}
		if i.Status != want {
			t.Errorf("%s is listed as %s, want %s", i.MerchantReference, i.Status, want)
		}
		if row, err := now.Current(t.Context(), i.ID, 0); err != nil || cmp.Diff(row, i) != "" {
			t.Errorf("on another server (-current +listed): %v\n%s", err, cmp.Diff(row, i))
		}
	}
	one := open
	one.ID = &rows[0].ID
	for status, want := range map[domain.Status]int{domain.StatusCanceled: 1, domain.StatusSucceeded: 0, "": 1} {
		one.Status = status
		if page, err := late.List(t.Context(), one); err != nil || len(page.Intents) != want {
			t.Errorf("by its id and status %q: %+v, %v", status, page, err)
		}
	}
	unknown := domain.IntentID(uuid.New())
	one.ID = &unknown
	if page, err := late.List(t.Context(), one); err != nil || len(page.Intents) != 0 {
		t.Errorf("one that does not exist: %+v, %v", page, err)
	}
}

// A failure to read one intent fails the whole list: a part of it would be a wrong answer.
func TestListFailsAsAWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := w.open(t, 0)
	for range 3 {
		now.create(t, w.plain())
	}
	late := w.open(t, 25*time.Hour)
	if err := late.store.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	page, err := late.List(t.Context(), projections.Listing{Application: w.app, Limit: 9})
	if !ledger.IsTransient(err) || page.Intents != nil {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	row := s.create(t, w.plain())
	s.execute(t, row.ID, domain.StartAttempt{Attempt: "a"})
	state := s.execute(t, row.ID, domain.FailAttempt{Attempt: "a", Reason: "declined"})
	events, err := s.History(t.Context(), row.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(state, domain.Fold(row.ID, events)); diff != "" {
		t.Errorf("(-state +events):\n%s", diff)
	}
	if _, err := s.History(t.Context(), domain.IntentID(uuid.New())); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("of nothing: %v, want ErrNotFound", err)
	}
}
