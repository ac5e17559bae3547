package projections_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/projections"
)

// A till finds a payment of its organisation by a reference, however it is typed.
func TestAReferenceIsFoundAsItIsTyped(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s, other := d.shop(t, uuid.Nil), d.shop(t, uuid.Nil)
	mine, theirs := d.order(s), d.order(other)
	mine.Reference, theirs.Reference = "7k3qx0m1td", "0000000001"
	i := d.record(t, s, mine, midnight)
	d.record(t, other, theirs, midnight)
	d.feed(t)
	const spaced = " ٧k3qx omltd "
	for typed, want := range map[string]bool{
		"7k3qx0m1td": true, "7K3QX-0M1TD": true, spaced: true,
		"7k3qx0m1t": false, "7k3qx0m1tdd": false, "0000000001": false, "": false, "7k3qx0m1t\x00": false,
	} {
		found, ok, err := d.payments.FindReference(t.Context(), live(s.organization), typed)
		if err != nil || ok != want || ok && found.ID != i.ID {
			t.Errorf("%q: found %v, %v", typed, ok, err)
		}
	}
	testMode := domain.Tenant{Organization: s.organization, Mode: domain.ModeTest}
	if _, ok, err := d.payments.FindReference(t.Context(), testMode, "7k3qx0m1td"); ok || err != nil {
		t.Errorf("it is found among test payments: %v", err)
	}
}

// The look-up reads indexes alone, so it takes as long with a million payments. Where a table could
// only be read whole, the plan would do so even if that is switched off.
func TestAReferenceIsFoundByItsIndex(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	err := pgx.BeginFunc(t.Context(), d.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), `SET LOCAL enable_seqscan = off`); err != nil {
			return err
		}
		rows, err := tx.Query(t.Context(), `EXPLAIN `+projections.FindReferenceSQL,
			uuid.New(), "7k3qx0m1td", domain.ModeLive)
		if err != nil {
			return err
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		plan := strings.Join(lines, "\n")
		for _, index := range []string{"payments_by_reference", "intents_pkey", "payments_pkey"} {
			if !strings.Contains(plan, index) {
				t.Errorf("%s is not used:\n%s", index, plan)
			}
		}
		if strings.Contains(plan, "Seq Scan") {
			t.Errorf("a table is read whole:\n%s", plan)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
