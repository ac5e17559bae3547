package books_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/books"
	"daftar/books/bookstest"
	"daftar/domain"
)

// golden are events whose stored bytes are in testdata/events. No file ever changes, because ledgers
// contain such bytes.
func golden() map[string]books.Event {
	return map[string]books.Event{
		"settlement.recorded.v1": books.SettlementRecorded{
			At: t0, Organization: key.Organization, Mode: key.Mode, Acquirer: key.Acquirer, Settlement: id,
			ValueDate: day, Gross: 5_500, Fees: 150, Net: 5_350, ExpectedFees: new(int64(140)), Currency: domain.LYD,
			BankReference: "FT-1", File: "كشف <1>.csv", SHA256: hash,
			Taken:  []books.Taken{{On: day.Add(-2), Amount: 10_000}, {On: day.Add(-1), Amount: -4_500}},
			Shares: []books.Share{payment(1, 10_000), refund(2, 4_500)},
		},
		"settlement.recorded.v1.bare": books.SettlementRecorded{
			At: t0, Organization: key.Organization, Mode: domain.ModeTest, Acquirer: key.Acquirer, Settlement: id,
			ValueDate: day, Gross: 10_000, Net: 10_000, Currency: domain.LYD,
			Taken:  []books.Taken{{On: day, Amount: 10_000}},
			Shares: []books.Share{{Intent: uuid.UUID{1}, Attempt: "attempt1", Amount: 10_000}},
		},
		"settlement.corrected.v1": books.SettlementCorrected{
			At: t0, Organization: key.Organization, Mode: key.Mode, Acquirer: key.Acquirer, Settlement: id,
			ValueDate: day, GrossBefore: 10_000, FeesBefore: 150, NetBefore: 9_850, Gross: 10_000, Fees: 200,
			Net: 9_800, Currency: domain.LYD, BankReference: "FT-2", Taken: []books.Taken{},
		},
		"settlement.corrected.v1.withdrawn": books.SettlementCorrected{
			At: t0, Organization: key.Organization, Mode: key.Mode, Acquirer: key.Acquirer, Settlement: id,
			ValueDate: day, GrossBefore: 10_000, FeesBefore: 150, NetBefore: 9_850, Currency: domain.LYD,
			Withdrawn: true, Taken: []books.Taken{{On: day, Amount: 10_000}},
		},
		"fee.scheduled.v1": books.FeeScheduled{
			At: t0, Organization: key.Organization, Mode: key.Mode, Acquirer: key.Acquirer, Method: "card",
			From: day, Rate: 150, Minimum: 250, Currency: domain.LYD,
		},
		"day.closed.v1": books.DayClosed{
			At: t0, Organization: key.Organization, Mode: key.Mode, Day: day.Add(-2), Currency: domain.LYD,
			Methods: []books.DayMethod{
				{Acquirer: "sandbox", Method: "card", Count: 2, Amount: 15_000}, {Count: 1, Amount: 500},
			},
			Returned: 4_500, WaitingCount: 1, Waiting: 5_000,
			CashCounted: new(int64(9_800)), CashExpected: new(int64(10_000)), Difference: -200,
		},
		"day.closed.v1.bare": books.DayClosed{
			At: t0, Organization: key.Organization, Mode: domain.ModeTest, Day: day, Currency: domain.LYD,
			Methods: []books.DayMethod{},
		},
	}
}

// stored is the form of a golden file.
func stored(t testing.TB, name string) domain.StoredEvent {
	t.Helper()
	payload, err := os.ReadFile(filepath.Join("testdata", "events", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(name, ".") // settlement.recorded.v1
	return domain.StoredEvent{Type: parts[0] + "." + parts[1], SchemaVersion: 1, Payload: payload}
}

func TestStoredBytesAreFrozen(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir(filepath.Join("testdata", "events"))
	if err != nil || len(files) != len(golden()) {
		t.Errorf("%d files of %d events, %v", len(files), len(golden()), err)
	}
	for name, event := range golden() {
		want := stored(t, name)
		got, err := books.Encode(event)
		if err != nil || got.Type != want.Type || got.SchemaVersion != 1 ||
			!bytes.Equal(got.Payload, want.Payload) {
			t.Errorf("%s is stored as %s\n%s\nand was as\n%s\n%v", name, got.Type, got.Payload, want.Payload, err)
		}
		read, err := books.Decode(record{1, want})
		if diff := cmp.Diff(event, read); err != nil || diff != "" {
			t.Errorf("%s: %v, reads as (-want +got):\n%s", name, err, diff)
		}
		if k := bookstest.KeyIn(event); k.Organization != key.Organization ||
			(k.Acquirer == "") != (want.Type == books.TypeDayClosed) ||
			(k.Mode == domain.ModeTest) != strings.HasSuffix(name, "bare") {
			t.Errorf("%s belongs to %+v", name, k)
		}
		owner, err := books.Owner(record{1, want})
		if err != nil || owner != books.TenantID(bookstest.KeyIn(event).Tenant()) {
			t.Errorf("%s belongs to %s, %v", name, owner, err)
		}
	}
}

func TestDecodeRefusesUnknownFormats(t *testing.T) {
	t.Parallel()
	recorded := stored(t, "settlement.recorded.v1")
	for name, s := range map[string]domain.StoredEvent{
		"a name":               {Type: "settlement.paid", SchemaVersion: 1, Payload: recorded.Payload},
		"a version":            {Type: recorded.Type, SchemaVersion: 2, Payload: recorded.Payload},
		"an event of intents":  {Type: domain.TypeExpired, SchemaVersion: 1, Payload: []byte(`{}`)},
		"a kind of the future": {Type: "day.opened", SchemaVersion: 1, Payload: []byte(`{}`)},
	} {
		if e, err := books.Decode(record{1, s}); !errors.Is(err, domain.ErrUnknownEvent) || e != nil {
			t.Errorf("%s: %v, %v, want ErrUnknownEvent", name, e, err)
		}
	}
	for of, changes := range map[string][][2]string{
		"settlement.recorded.v1": {
			{`"net":5350`, `"net":5350,"more":1`}, {`"net":5350`, `"net":"5350"`}, {`"net":5350`, `"net":5350.5`},
			{`"LYD"`, `"USD"`}, {`"LYD"`, `null`}, {`,"currency":"LYD"`, ``}, {`2026-11-22`, `22.11.2026`},
			{`,"value_date":"2026-11-22"`, ``}, {`"2026-11-22"`, `null`}, {`"shares":[`, `"shares":null,"x":[`},
			{`"taken":[{"on":"2026-11-20","amount":10000},{"on":"2026-11-21","amount":-4500}]`, `"taken":[]`},
			{`"amount":10000`, `"amount":10000,"more":1`}, {`"line":2`, `"line":2,"line":2`},
		},
		"settlement.corrected.v1": {{`"LYD"`, `"USD"`}, {`,"value_date":"2026-11-22"`, ``}, {`false`, `0`}},
		"fee.scheduled.v1":        {{`"LYD"`, `"USD"`}, {`,"from":"2026-11-22"`, ``}, {`150`, `1.5`}},
		"day.closed.v1": {
			{`"LYD"`, `"USD"`}, {`,"day":"2026-11-20"`, ``}, {`"acquirer":""`, `"acquirer":"sandbox"`},
			{`"cash_counted":9800`, `"cash_counted":null`}, {`"cash_expected":10000`, `"cash_expected":null`},
			{`"count":2`, `"count":2,"more":1`}, {`"methods":[`, `"methods":null,"x":[`},
		},
		"day.closed.v1.bare": {{`"methods":[]`, `"methods":null`}},
	} {
		for _, change := range changes {
			s := stored(t, of)
			changed := strings.Replace(string(s.Payload), change[0], change[1], 1)
			if changed == string(s.Payload) {
				t.Fatalf("%s has no %s", of, change[0])
			}
			s.Payload = []byte(changed)
			if e, err := books.Decode(record{1, s}); err == nil || e != nil {
				t.Errorf("%s was read: %v", changed, e)
			}
		}
	}
	for _, shares := range []string{`null`, `[]`} {
		s := stored(t, "settlement.recorded.v1")
		before, _, _ := strings.Cut(string(s.Payload), `"shares":`)
		for _, text := range []string{before + `"shares":` + shares + `}`, strings.TrimSuffix(before, ",") + `}`} {
			s.Payload = []byte(text)
			if _, err := books.Decode(record{1, s}); err == nil {
				t.Errorf("%s was read", text)
			}
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	seen := map[uuid.UUID]books.Key{}
	for _, organization := range []uuid.UUID{{1}, {2}} {
		for _, mode := range []domain.Mode{domain.ModeLive, domain.ModeTest} {
			tenant := domain.Tenant{Organization: organization, Mode: mode}
			for _, acquirer := range []string{"sandbox", "plutu"} {
				k := books.KeyOf(tenant, acquirer)
				if k.Tenant() != tenant || k.StreamID() == books.TenantID(tenant) {
					t.Errorf("%+v is of %+v", k, k.Tenant())
				}
				if other, is := seen[k.StreamID()]; is {
					t.Errorf("%+v and %+v have one stream", k, other)
				}
				seen[k.StreamID()] = k
			}
		}
	}
	// Frozen: events are found by it.
	if got := key.StreamID().String(); got != "622e105b-5258-522f-8e57-11949a09999a" {
		t.Errorf("the stream is %s", got)
	}
	if !books.Has(books.TypeFeeScheduled) || !books.Has("settlement.new") || books.Has(domain.TypeCreated) {
		t.Error("the names of events of provider accounts")
	}
}

// Whatever bytes are stored under whatever name and version, reading them returns an event or an error.
// An event that was read is written in one form, which reads as the same event, and every history can
// be folded and has a balanced journal.
func FuzzDecode(f *testing.F) {
	for name := range golden() {
		s := stored(f, name)
		f.Add(s.Type, s.SchemaVersion, s.Payload)
	}
	f.Add("settlement.unknown", 1, []byte(`{}`))
	f.Add(books.TypeFeeScheduled, 1,
		[]byte(`{"currency":"LYD","from":"2026-01-01","at":"2026-01-01T00:00:00+02:00"}`))
	f.Add(books.TypeSettlementRecorded, 1, []byte(`{"currency":"LYD","value_date":"2026-01-01","shares":[{}]}`))
	f.Fuzz(func(t *testing.T, name string, version int, payload []byte) {
		e, err := books.Decode(record{1, domain.StoredEvent{Type: name, SchemaVersion: version, Payload: payload}})
		if err != nil {
			return
		}
		again, err := books.Encode(e)
		if err != nil || again.Type != name || again.SchemaVersion != version {
			t.Fatalf("%q: was read and cannot be written: %+v, %v", payload, again, err)
		}
		same, err := books.Decode(record{1, again})
		if diff := cmp.Diff(e, same); err != nil || diff != "" {
			t.Fatalf("%q was written as %q, %v, and reads as (-before +after):\n%s", payload, again.Payload, err, diff)
		}
		if third, err := books.Encode(same); err != nil || !bytes.Equal(third.Payload, again.Payload) {
			t.Errorf("%q is written as %q, then as %q, %v", payload, again.Payload, third.Payload, err)
		}
		stream := []record{{1, again}, {2, again}}
		a, err := books.Replay(bookstest.KeyIn(e), stream)
		if err != nil || a.Version != 2 {
			t.Errorf("%q folds to version %d, %v", payload, a.Version, err)
		}
		if _, err := books.Owner(stream[0]); err != nil {
			t.Error(err)
		}
		checkEntries(t, stream)
	})
}
