package recovery_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
	"daftar/recovery"
	"daftar/transparency"
	"daftar/webhooks"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// book is a ledger on a private database. A test fills others with a part of its events, as logs
// that have lost the rest.
type book struct {
	db   *pgtest.DB
	pool *pgxpool.Pool
	log  *eventstore.Reader
}

func newBook(t *testing.T) *book {
	t.Helper()
	b := &book{db: pgtest.Database(t)}
	b.pool = b.db.Pool(t)
	b.log = eventstore.NewReader(b.pool)
	return b
}

// create appends the creation of an intent for each merchant reference.
func (b *book) create(t *testing.T, references ...string) {
	t.Helper()
	store := eventstore.New(b.pool, b.pool, eventstore.Options{Inline: projections.Inline()})
	for _, reference := range references {
		id := domain.IntentID(uuid.New())
		created, err := domain.Decide(domain.Blank(id), domain.Create{CheckoutToken: "secret", Terms: domain.Terms{
			Reference: "7k3qx0m2td", MerchantReference: domain.MerchantReference(reference),
			Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "Two coffees",
		}}, store.Clock().Now())
		if err != nil {
			t.Fatal(err)
		}
		stored, err := domain.EncodeEvent(created[0])
		if err != nil {
			t.Fatal(err)
		}
		_, err = store.Append(t.Context(), eventstore.Append{
			Stream: uuid.UUID(id), Row: projections.IntentOf(domain.Evolve(domain.Blank(id), created[0])),
			Events: []eventstore.Event{{
				Type: stored.Type, SchemaVersion: stored.SchemaVersion, Payload: stored.Payload,
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// all is the whole log.
func (b *book) all(t *testing.T) slicedCopy {
	t.Helper()
	events, err := b.log.ReadRange(t.Context(), 0, 1000, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return slicedCopy{events: events, had: int64(len(events))}
}

// bookOf is a ledger with these events and no others.
func bookOf(t *testing.T, events []eventstore.Recorded) *book {
	t.Helper()
	b := newBook(t)
	for _, e := range events {
		_, err := b.pool.Exec(t.Context(), `INSERT INTO events VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			e.Position, e.Stream, e.Version, e.Type, e.SchemaVersion, string(e.Payload), string(e.Metadata),
			e.RecordedAt)
		if err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// slicedCopy is a recovery.Copy in memory: the last of the events that it has had.
type slicedCopy struct {
	events []eventstore.Recorded
	had    int64 // how many events it has had
}

var errGone = errors.New("gone")

func (c slicedCopy) Extent(context.Context) (first, last int64, err error) {
	return c.had - int64(len(c.events)) + 1, c.had, nil
}

func (c slicedCopy) ReadRange(_ context.Context, after, upTo int64) ([]eventstore.Recorded, error) {
	gone := c.had - int64(len(c.events))
	if after < gone || upTo > c.had {
		return nil, errGone
	}
	return c.events[after-gone : upTo-gone], nil
}

// key signs checkpoints.
type key struct {
	signer note.Signer
	public string
}

func newKey(t *testing.T) key {
	t.Helper()
	k, private, err := transparency.NewKey("pay.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return key{signer, k.Public()}
}

// kept are checkpoints of these sizes over the events.
func (k key) kept(t *testing.T, events []eventstore.Recorded, sizes ...int) []transparency.Kept {
	t.Helper()
	var all []transparency.Kept
	for _, size := range sizes {
		var hashes []tlog.Hash
		read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
			found := make([]tlog.Hash, len(indexes))
			for n, i := range indexes {
				found[n] = hashes[i]
			}
			return found, nil
		})
		for n, e := range events[:size] {
			more, err := tlog.StoredHashes(int64(n), transparency.Leaf(e), read)
			if err != nil {
				t.Fatal(err)
			}
			hashes = append(hashes, more...)
		}
		root, err := tlog.TreeHash(int64(size), read)
		if err != nil {
			t.Fatal(err)
		}
		text, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", k.signer.Name(), size, root)}, k.signer)
		if err != nil {
			t.Fatal(err)
		}
		c, err := transparency.ParseCheckpoint(string(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, transparency.KeptOf(c))
	}
	return all
}

type (
	span   = recovery.Span
	report = recovery.Report
)

// What each kind of evidence shows about a log that has lost two of five events, and about one
// that has continued with other events.
func TestFind(t *testing.T) {
	t.Parallel()
	whole := newBook(t)
	whole.create(t, "a", "b", "c", "d", "e")
	all := whole.all(t)
	shorter := bookOf(t, all.events[:3])
	diverged := bookOf(t, all.events[:3])
	diverged.create(t, "x", "y", "z")
	k := newKey(t)
	cut := func(from, to int) recovery.Copy { return slicedCopy{all.events[from-1 : to], int64(to)} }
	for _, c := range []struct {
		name  string
		log   *book
		kept  []int
		copy  recovery.Copy
		want  report
		known []int64
	}{
		{"nothing is missing", whole, []int{2, 5}, all,
			report{OK: true, Events: 5, SameTo: 5, Signed: 5, CopyHas: &span{1, 5}}, nil},
		{"evidence of less", whole, []int{2}, cut(1, 4),
			report{OK: true, Events: 5, SameTo: 4, Signed: 2, CopyHas: &span{1, 4}}, nil},
		{"one checkpoint", shorter, []int{4}, nil,
			report{Events: 3, Signed: 4, Missing: &span{4, 4}, Unknown: []span{{4, 4}}}, nil},
		{"checkpoints", shorter, []int{5, 1, 3, 2}, nil,
			report{Events: 3, SameTo: 3, Signed: 5, Missing: &span{4, 5}, Unknown: []span{{4, 5}}}, nil},
		{"a copy", shorter, nil, all,
			report{Events: 3, SameTo: 3, CopyHas: &span{1, 5}, Missing: &span{4, 5}}, []int64{4, 5}},
		{"a copy's end", shorter, nil, cut(4, 5),
			report{Events: 3, CopyHas: &span{4, 5}, Missing: &span{4, 5}}, []int64{4, 5}},
		{"a copy that dropped some", shorter, []int{3}, cut(5, 5), report{
			Events: 3, SameTo: 3, Signed: 3,
			CopyHas: &span{5, 5}, Missing: &span{4, 5}, Unknown: []span{{4, 4}},
		}, []int64{5}},
		{"a copy that dropped all", shorter, nil, slicedCopy{nil, 5},
			report{Events: 3, Missing: &span{4, 5}, Unknown: []span{{4, 5}}}, nil},
		{"a copy of less than was signed", shorter, []int{5}, cut(2, 4), report{
			Events: 3, SameTo: 3, Signed: 5,
			CopyHas: &span{2, 4}, Missing: &span{4, 5}, Unknown: []span{{5, 5}},
		}, []int64{4}},
		{"other events, by checkpoints", diverged, []int{2, 5}, nil, report{
			Events: 6, SameTo: 2, Signed: 5,
			Differs: &span{3, 5}, Missing: &span{3, 5}, Unknown: []span{{3, 5}},
		}, nil},
		{"other events, by a copy", diverged, nil, all, report{
			Events: 6, SameTo: 3,
			CopyHas: &span{1, 5}, Differs: &span{4, 4}, Missing: &span{4, 5},
		}, []int64{4, 5}},
		{"other events, by a copy's end", diverged, []int{2}, cut(4, 5), report{
			Events: 6, SameTo: 2, Signed: 2,
			CopyHas: &span{4, 5}, Differs: &span{3, 4}, Missing: &span{3, 5}, Unknown: []span{{3, 3}},
		}, []int64{4, 5}},
		{"other events, by a copy of the first", diverged, []int{2, 5}, cut(1, 3), report{
			Events: 6, SameTo: 3, Signed: 5,
			CopyHas: &span{1, 3}, Differs: &span{4, 5}, Missing: &span{4, 5}, Unknown: []span{{4, 5}},
		}, nil},
		{"other events, by both", diverged, []int{2, 5}, all, report{
			Events: 6, SameTo: 3, Signed: 5,
			CopyHas: &span{1, 5}, Differs: &span{4, 4}, Missing: &span{4, 5},
		}, []int64{4, 5}},
		{"a copy of the diverged log", diverged, []int{2, 5}, diverged.all(t), report{
			Events: 6, SameTo: 2, Signed: 5,
			CopyHas: &span{1, 6}, Differs: &span{3, 5}, Missing: &span{3, 5}, Unknown: []span{{3, 5}},
		}, nil},
	} {
		got, err := recovery.Find(t.Context(), c.log.pool,
			recovery.Evidence{Kept: k.kept(t, all.events, c.kept...), Keys: []string{k.public}, Copy: c.copy})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var positions []int64
		for _, l := range got.Lost {
			positions = append(positions, *l.Position)
		}
		if !slices.Equal(positions, c.known) {
			t.Errorf("%s: known are %v, want %v", c.name, positions, c.known)
		}
		got.Lost = nil
		if c.want.Unknown == nil {
			c.want.Unknown = []span{}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// growing is a copy of a log that grows while Find reads it.
type growing struct {
	slicedCopy

	t *testing.T
	b *book
}

func (g *growing) Extent(ctx context.Context) (first, last int64, err error) {
	g.b.create(g.t, "while it is read")
	g.slicedCopy = g.b.all(g.t)
	return g.slicedCopy.Extent(ctx)
}

// Events that are written while Find runs do not count as lost.
func TestFindWhileTheLogGrows(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.create(t, "a")
	r, err := recovery.Find(t.Context(), b.pool, recovery.Evidence{Copy: &growing{t: t, b: b}})
	if err != nil || !r.OK || r.Events != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Webhooks show events that the log lacks, or has other events in place of. A webhook of an event
// that the log has is no finding.
func TestFindByWebhooks(t *testing.T) {
	t.Parallel()
	whole := newBook(t)
	whole.create(t, "a", "b")
	all := whole.all(t)
	bodies := func(change func(string) string) []webhooks.Notice {
		var lines []string
		for _, e := range all.events {
			at, err := domain.StoredEvent{Type: e.Type, Payload: e.Payload}.OccurredAt()
			if err != nil {
				t.Fatal(err)
			}
			const body = `{"type":"payment_intent.created","timestamp":%q,` +
				`"data":{"uuid":%q,"reference":"r","merchant_reference":"m","sequence":1}}`
			lines = append(lines, change(fmt.Sprintf(body, at.Format("2006-01-02T15:04:05.000000Z"), e.Stream)))
		}
		lines = append(lines, `{"type":"webhook.test","data":{}}`)
		notices, passed, err := webhooks.ReadNotices(strings.NewReader(strings.Join(lines, "\n")))
		if err != nil || passed != 1 {
			t.Fatalf("%d skipped, %v", passed, err)
		}
		return notices
	}
	same := func(s string) string { return s }
	find := func(b *book, received []webhooks.Notice) []recovery.Lost {
		r, err := recovery.Find(t.Context(), b.pool, recovery.Evidence{Received: received})
		if err != nil {
			t.Fatal(err)
		}
		if r.OK != (len(r.Lost) == 0) {
			t.Errorf("%+v", r)
		}
		return r.Lost
	}
	if lost := find(whole, bodies(same)); len(lost) != 0 {
		t.Errorf("of a whole log: %+v", lost)
	}
	lost := find(bookOf(t, all.events[:1]), append(bodies(same), bodies(same)...))
	if len(lost) != 1 || lost[0].Intent != all.events[1].Stream || lost[0].Position != nil ||
		lost[0].Instead != nil || lost[0].MerchantReference != "m" || !lost[0].Received {
		t.Errorf("of a log without the second: %+v", lost)
	}
	other := func(s string) string { return strings.Replace(s, "created", "canceled", 1) }
	if lost := find(whole, bodies(other)); len(lost) != 2 || lost[0].Instead == nil || *lost[0].Instead != 1 {
		t.Errorf("of a log with other events: %+v", lost)
	}
}
