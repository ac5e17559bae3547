package books_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
)

// What each kind of event moves.
func TestEntries(t *testing.T) {
	t.Parallel()
	event := func(version int, name, payload string) record {
		return record{version, domain.StoredEvent{
			Type: "intent." + name, SchemaVersion: 1, Payload: []byte(payload),
		}}
	}
	intent := []record{
		event(1, "created", `{}`),
		event(2, "attempt_started", `{"attempt":"a","acquirer":"plutu"}`),
		event(3, "attempt_started", `{"attempt":"b","acquirer":"sandbox"}`),
		event(4, "succeeded",
			`{"attempt":"b","at":"2026-11-20T20:38:15Z","amount":9000,"provider_reference":"p"}`),
		event(5, "duplicate_payment",
			`{"attempt":"a","at":"2026-11-20T20:38:15Z","amount":9000,"provider_reference":"q"}`),
		event(6, "refund_recorded",
			`{"attempt":"a","at":"2026-11-20T20:38:15Z","amount":8000,"provider_reference":"r"}`),
		event(7, "refund_recorded",
			`{"attempt":"b","at":"2026-11-20T20:38:15Z","amount":1000,"provider_reference":""}`),
		event(8, "refund_failed", `{"attempt":"b","amount":1000}`),
		event(9, "of_the_future", `{}`),
	}
	lines := func(l ...books.Line) []books.Line { return l }
	want := []books.Entry{
		{Event: 3, Kind: "sale", Acquirer: "sandbox", Reference: "p",
			Lines: lines(books.Line{Account: "due", Amount: 9000}, books.Line{Account: "sales", Amount: -9000})},
		{Event: 4, Kind: "duplicate", Acquirer: "plutu", Reference: "q",
			Lines: lines(books.Line{Account: "due", Amount: 9000}, books.Line{Account: "duplicate", Amount: -9000})},
		{Event: 5, Kind: "refund", Acquirer: "plutu", Reference: "r",
			Lines: lines(books.Line{Account: "due", Amount: -8000}, books.Line{Account: "duplicate", Amount: 8000})},
		{Event: 6, Kind: "refund", Acquirer: "sandbox",
			Lines: lines(books.Line{Account: "due", Amount: -1000}, books.Line{Account: "refunds", Amount: 1000})},
	}
	on := domain.DayOf(t0)
	for n := range want {
		want[n].Day, want[n].Taken = on, []books.Taken{{On: on, Amount: want[n].Lines[0].Amount}}
	}
	if diff := cmp.Diff(want, checkEntries(t, intent)); diff != "" {
		t.Errorf("of an intent (-want +got):\n%s", diff)
	}
	chosen := slices.DeleteFunc(slices.Clone(intent), func(r record) bool {
		return !slices.Contains(books.Types(), r.Type)
	})
	for n := range want {
		want[n].Event -= 1
	}
	if diff := cmp.Diff(want, checkEntries(t, chosen)); diff != "" {
		t.Errorf("of its events that matter (-want +got):\n%s", diff)
	}

	account := []record{
		{1, stored(t, "fee.scheduled.v1")}, {2, stored(t, "settlement.recorded.v1")},
		{3, stored(t, "settlement.corrected.v1")}, {4, stored(t, "settlement.corrected.v1.withdrawn")},
	}
	correction := books.Entry{
		Event: 2, Kind: "correction", Acquirer: "sandbox", Settlement: id, Reference: "FT-2", ValueDate: day,
		Day: on, Taken: []books.Taken{},
		Lines: lines(books.Line{Account: "bank", Amount: -50}, books.Line{Account: "fees", Amount: 50}),
	}
	want = []books.Entry{
		{Event: 1, Kind: "settlement", Acquirer: "sandbox", Settlement: id, Reference: "FT-1", ValueDate: day,
			Day: on, Taken: []books.Taken{{On: day.Add(-2), Amount: -10_000}, {On: day.Add(-1), Amount: 4_500}},
			Lines: lines(books.Line{Account: "bank", Amount: 5350}, books.Line{Account: "fees", Amount: 150},
				books.Line{Account: "due", Amount: -5500})},
		correction,
		{Event: 3, Kind: "correction", Acquirer: "sandbox", Settlement: id, ValueDate: day,
			Day: on, Taken: []books.Taken{{On: day, Amount: 10_000}},
			Lines: lines(books.Line{Account: "bank", Amount: -9850}, books.Line{Account: "fees", Amount: -150},
				books.Line{Account: "due", Amount: 10000})},
	}
	if diff := cmp.Diff(want, checkEntries(t, account)); diff != "" {
		t.Errorf("of a provider account (-want +got):\n%s", diff)
	}
	correction.Event = 0 // the entries of settlements need their event alone
	if diff := cmp.Diff([]books.Entry{correction}, checkEntries(t, account[2:3])); diff != "" {
		t.Errorf("of one event (-want +got):\n%s", diff)
	}

	future := stored(t, "settlement.corrected.v1")
	future.SchemaVersion = 2
	for what, stream := range map[string][]record{
		"an attempt that is not there":  {intent[3]},
		"a refund of what was not paid": {intent[1], intent[5]},
		"no JSON":                       {event(1, "succeeded", `{`)},
		"a newer payment":               {{1, domain.StoredEvent{Type: domain.TypeSucceeded, SchemaVersion: 2}}},
		"a newer correction":            {{1, future}},
		"a kind of settlement":          {{1, domain.StoredEvent{Type: "settlement.x", SchemaVersion: 1}}},
	} {
		if e, err := books.Entries(stream); err == nil {
			t.Errorf("%s: %+v", what, e)
		}
	}
}

func TestOwnerAndNames(t *testing.T) {
	t.Parallel()
	created := record{1, domain.StoredEvent{Type: domain.TypeCreated, Payload: []byte(
		`{"application":"0a000000-0000-0000-0000-000000000000","amount":1,"metadata":{"mode":"x"}}`)}}
	if owner, err := books.Owner(created); err != nil || owner != (uuid.UUID{0xa}) {
		t.Errorf("of an intent: %s, %v", owner, err)
	}
	created.Payload = []byte(`{"application":7}`)
	if owner, err := books.Owner(created); err == nil {
		t.Errorf("of a payload that cannot be read: %s", owner)
	}
	if got := books.Due.Name("plutu") + " " + books.Fees.Name("plutu") + " " + books.Bank.Name("plutu"); got !=
		"assets:due:plutu expenses:fees:plutu assets:bank" {
		t.Error(got)
	}
}
