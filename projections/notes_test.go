package projections_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/projections"
)

func TestNotes(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	s, stranger := d.shop(t, uuid.Nil), d.shop(t, uuid.Nil)
	i, other := d.late(t, s, midnight), d.late(t, s, midnight)
	add := func(organization uuid.UUID, of domain.IntentID, n projections.Note) error {
		return pgx.BeginFunc(t.Context(), d.pool, func(tx pgx.Tx) error { return projections.AddNote(t.Context(), tx, organization, of, n) })
	}
	note := func(minutes int, text string) projections.Note {
		return projections.Note{ID: uuid.New(), At: decidedAt.Add(time.Duration(minutes) * time.Minute), By: "support@shop.example", Text: text}
	}
	second, first := note(1, "اتصل الزبون"), note(0, strings.Repeat("ق", projections.MaxNote))
	for what, row := range map[string]struct{ got, want error }{
		"empty":               {add(s.organization, i.ID, note(0, " \n")), projections.ErrNote},
		"long":                {add(s.organization, i.ID, note(0, first.Text+"1")), projections.ErrNote},
		"no text":             {add(s.organization, i.ID, note(0, "\x00")), projections.ErrNote},
		"of a stranger":       {add(stranger.organization, i.ID, note(0, "x")), projections.ErrNoPayment},
		"on nothing":          {add(s.organization, domain.IntentID(uuid.New()), note(0, "x")), projections.ErrNoPayment},
		"right":               {errors.Join(add(s.organization, i.ID, second), add(s.organization, i.ID, first)), nil},
		"the same form again": {add(s.organization, i.ID, second), projections.ErrNoted},
		"a form of another":   {add(s.organization, other.ID, second), projections.ErrNoted},
	} {
		if !errors.Is(row.got, row.want) {
			t.Errorf("%s: %v, want %v", what, row.got, row.want)
		}
	}
	if got, err := d.payments.Notes(t.Context(), s.organization, i.ID); err != nil || cmp.Diff([]projections.Note{first, second}, got) != "" {
		t.Errorf("notes %v, %v", got, err)
	}
	for what, of := range map[string]uuid.UUID{"another payment": s.organization, "a stranger": stranger.organization} {
		id := other.ID
		if of == stranger.organization {
			id = i.ID
		}
		if got, err := d.payments.Notes(t.Context(), of, id); err != nil || len(got) != 0 {
			t.Errorf("%s has %v, %v", what, got, err)
		}
	}
	exec(t, d.pool, `INSERT INTO payment_notes SELECT gen_random_uuid(), $1, now(), 'x', 'y' FROM generate_series(3, $2)`, i.ID, projections.MaxNotes)
	if err := add(s.organization, i.ID, note(2, "one too many")); !errors.Is(err, projections.ErrManyNotes) {
		t.Errorf("one note too many: %v, want ErrManyNotes", err)
	}
	if err := add(s.organization, i.ID, second); !errors.Is(err, projections.ErrNoted) {
		t.Errorf("the same form again: %v, want ErrNoted", err)
	}
	// The service may not change them.
	for _, sql := range []string{`UPDATE payment_notes SET note = 'z'`, `DELETE FROM payment_notes`, `TRUNCATE payment_notes`} {
		if _, err := d.pool.Exec(t.Context(), sql); err == nil {
			t.Errorf("the service may %s", sql)
		}
	}
}
