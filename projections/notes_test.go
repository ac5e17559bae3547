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
	"daftar/payments/decisions"
)

func TestNotes(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s, stranger := d.shop(t, uuid.Nil), d.shop(t, uuid.Nil)
	i, other := d.late(t, s, midnight), d.late(t, s, midnight)
	add := func(organization uuid.UUID, of domain.IntentID, n decisions.Note) error {
		return pgx.BeginFunc(t.Context(), d.pool, func(tx pgx.Tx) error {
			return decisions.AddNote(t.Context(), tx, organization, of, n)
		})
	}
	note := func(minutes int, text string) decisions.Note {
		return decisions.Note{ID: uuid.New(), At: decidedAt.Add(time.Duration(minutes) * time.Minute),
			By: "support@shop.example", Text: text}
	}
	second, first := note(1, "اتصل الزبون"), note(0, strings.Repeat("ق", decisions.MaxNote))
	for what, row := range map[string]struct{ got, want error }{
		"empty":         {add(s.organization, i.ID, note(0, " \n")), decisions.ErrNote},
		"long":          {add(s.organization, i.ID, note(0, first.Text+"1")), decisions.ErrNote},
		"no text":       {add(s.organization, i.ID, note(0, "\x00")), decisions.ErrNote},
		"of a stranger": {add(stranger.organization, i.ID, note(0, "x")), decisions.ErrNoPayment},
		"on nothing": {add(s.organization, domain.IntentID(uuid.New()), note(0, "x")),
			decisions.ErrNoPayment},
		"right": {errors.Join(add(s.organization, i.ID, second),
			add(s.organization, i.ID, first)), nil},
		"the same form again": {add(s.organization, i.ID, second), decisions.ErrNoted},
		"a form of another":   {add(s.organization, other.ID, second), decisions.ErrNoted},
	} {
		if !errors.Is(row.got, row.want) {
			t.Errorf("%s: %v, want %v", what, row.got, row.want)
		}
	}
	got, err := d.decisions.Notes(t.Context(), s.organization, i.ID)
	if err != nil || cmp.Diff([]decisions.Note{first, second}, got) != "" {
		t.Errorf("notes %v, %v", got, err)
	}
	for what, of := range map[string]uuid.UUID{"another payment": s.organization,
		"a stranger": stranger.organization} {
		id := other.ID
		if of == stranger.organization {
			id = i.ID
		}
		if got, err := d.decisions.Notes(t.Context(), of, id); err != nil || len(got) != 0 {
			t.Errorf("%s has %v, %v", what, got, err)
		}
	}
	exec(t, d.pool, `INSERT INTO payment_notes
		SELECT gen_random_uuid(), $1, now(), 'x', 'y' FROM generate_series(3, $2)`, i.ID, decisions.MaxNotes)
	if err := add(s.organization, i.ID, note(2, "one too many")); !errors.Is(err, decisions.ErrManyNotes) {
		t.Errorf("one note too many: %v, want ErrManyNotes", err)
	}
	if err := add(s.organization, i.ID, second); !errors.Is(err, decisions.ErrNoted) {
		t.Errorf("the same form again: %v, want ErrNoted", err)
	}
	// The service may not change them.
	for _, sql := range []string{`UPDATE payment_notes SET note = 'z'`, `DELETE FROM payment_notes`,
		`TRUNCATE payment_notes`} {
		if _, err := d.pool.Exec(t.Context(), sql); err == nil {
			t.Errorf("the service may %s", sql)
		}
	}
}
