package requestlog_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/requestlog"
)

func TestRequestsAreReadAsTheyWereNoted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	created, refused := w.next(201), w.next(422)
	created.Method, created.Route, created.Replayed = "POST", "/payment-intents", true
	refused.Route, refused.Intent, refused.Query = "/payment-intents", domain.IntentID{}, "limit=0&cursor=…"
	refused.Error = `{"message":"The limit must be an integer from 1 to 100.","errors":{"limit":["يجب"]}}`
	late := w.next(200)
	late.At = w.began // arrived first, and was answered last
	for _, r := range []requestlog.Request{created, refused, late} {
		w.log.Note(r)
	}
	w.flush()
	diff := cmp.Diff([]requestlog.Request{refused, created, late}, w.latest(),
		cmpopts.IgnoreFields(requestlog.Request{}, "Ordinal"), cmpopts.EquateApproxTime(0))
	if diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

func TestOnlyThoseWhoMaySeeRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.note(1, 200)
	w.flush()
	other, _ := w.newApplication()
	for _, row := range []struct {
		of   accounts.OrganizationID
		role accounts.Role
		want error
		n    int
	}{
		{w.org, accounts.RoleOwner, nil, 1},
		{w.org, accounts.RoleDeveloper, nil, 1},
		{w.org, accounts.RoleViewer, accounts.ErrForbidden, 0},
		{other, accounts.RoleOwner, nil, 0}, // of another organisation's application
	} {
		u, err := w.people.CreateUser(t.Context(), operator, row.of, uuid.NewString()+"@shop.example",
			row.role, "seven grey camels at noon")
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.requests.Latest(t.Context(), u.Actor("192.0.2.7", ""), row.of, w.app)
		if !errors.Is(err, row.want) || len(got) != row.n {
			t.Errorf("%s sees %d requests, %v; want %d, %v", row.role, len(got), err, row.n, row.want)
		}
	}
}

// Of many requests at once the newest of each kind are kept: a flood of one kind does not
// displace the others. The next request that is kept has the number of skipped ones.
func TestFloodsAreSampled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const (
		fine    = 3*requestlog.PerFlush + 7
		refused = 2*requestlog.PerFlush + 1
		unknown = 5 * requestlog.UnknownPerFlush
	)
	w.note(unknown, 401)
	w.note(refused, 422)
	w.note(fine, 201)
	want := map[int]int{201: requestlog.PerFlush, 422: requestlog.PerFlush, 401: requestlog.UnknownPerFlush}
	kept := 2*requestlog.PerFlush + requestlog.UnknownPerFlush
	w.flush()
	got, all := map[int]int{}, w.latest()
	for _, r := range all {
		got[r.Status]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kept by status (-want +got):\n%s", diff)
	}
	newest := w.began.Add(time.Duration(w.count) * time.Millisecond)
	if !all[0].At.Equal(newest) ||
		!all[requestlog.PerFlush-1].At.Equal(newest.Add(-(requestlog.PerFlush-1)*time.Millisecond)) {
		t.Errorf("kept are not the newest: %v to %v", all[requestlog.PerFlush-1].At, all[0].At)
	}
	missing := fine + refused + unknown - kept
	n := all[len(all)-1].Skipped
	if n != missing || w.counted("skipped") != missing || w.counted("kept") != kept {
		t.Errorf("skipped is %d, counted %d skipped and %d kept; want %d and %d", n,
			w.counted("skipped"), w.counted("kept"), missing, kept)
	}
}

// An application has about a thousand rows, however many requests it sends, and the rows of others
// stay.
func TestOldRequestsAreDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mine := w.app
	_, w.app = w.newApplication()
	w.note(3, 200)
	w.flush()
	other := w.app
	w.app = mine
	for range requestlog.Kept/requestlog.PerFlush + 5 {
		w.note(requestlog.PerFlush, 200)
		w.flush()
	}
	w.note(1, 200) // too few to delete again
	w.flush()
	rows := func(app domain.ApplicationID) (n int) {
		err := w.pool.QueryRow(t.Context(),
			`SELECT count(*) FROM api_requests WHERE application_uuid = $1`, app).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := rows(mine); n != requestlog.Kept+1 || rows(other) != 3 {
		t.Errorf("%d rows, and %d of the other application; want %d and 3", n, rows(other), requestlog.Kept+1)
	}
	all := w.latest()
	if len(all) != requestlog.Kept || !all[0].At.Equal(w.began.Add(time.Duration(w.count)*time.Millisecond)) {
		t.Errorf("%d listed, the latest of %v", len(all), all[0].At)
	}
}

// Servers that write and delete for the same applications do not block each other.
func TestServersShareTheLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, second := w.newApplication()
	var servers sync.WaitGroup
	failures := make(chan error, 4)
	for k := range 4 {
		l := requestlog.New(requestlog.Config{Pool: w.pool, Log: zerolog.Nop()})
		servers.Go(func() {
			for n := range 15 {
				for i := range requestlog.PerFlush {
					at := w.began.Add(time.Duration(n*requestlog.PerFlush+i) * time.Millisecond)
					for _, app := range []domain.ApplicationID{w.app, second} {
						l.Note(requestlog.Request{
							Application: app, At: at, ID: fmt.Sprint(k, n, i), Method: "GET",
							Route: "/payment-intents", Status: 200,
						})
					}
				}
				if err := l.Flush(t.Context()); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	servers.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	var rows int
	err := w.pool.QueryRow(t.Context(), `SELECT count(*) FROM api_requests WHERE application_uuid = $1`,
		w.app).Scan(&rows)
	if err != nil {
		t.Fatal(err)
	}
	most := requestlog.Kept + 4*(requestlog.TrimEvery+requestlog.PerFlush)
	if rows < requestlog.Kept || rows > most || len(w.latest()) != requestlog.Kept {
		t.Errorf("%d rows, want from %d to %d", rows, requestlog.Kept, most)
	}
}

// Requests that the database does not store are lost and counted; later ones are written.
func TestAnOutageLosesRequestsAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	proxy := pgtest.Proxy(t, w.db.ServiceURL())
	registry := prometheus.NewRegistry()
	w.registry = registry
	l := requestlog.New(requestlog.Config{
		Pool: pgtest.Open(t, proxy.URL(), postgres.Options{}), Log: zerolog.Nop(), Registerer: registry,
	})
	w.log = l
	proxy.Refuse()
	w.note(5, 200)
	if err := l.Flush(t.Context()); postgres.Classify(err) != postgres.Unavailable {
		t.Errorf("without a database: %v", err)
	}
	if n := w.counted("lost"); n != 5 {
		t.Errorf("%d counted as lost, want 5", n)
	}
	proxy.Pass()
	w.note(1, 200)
	pgtest.WaitFor(t, "a request after the outage", func() bool {
		w.note(1, 200)
		return l.Flush(t.Context()) == nil
	})
	if len(w.latest()) == 0 {
		t.Error("nothing is written after an outage")
	}
}

// The number of waiting requests is bounded, whatever the number of applications.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for n := range requestlog.MaxWaiting + 10 {
		r := w.next(200)
		if n%requestlog.PerFlush == 0 {
			w.app = domain.ApplicationID(uuid.New())
		}
		r.Application = w.app
		w.log.Note(r)
	}
	w.app = domain.ApplicationID(uuid.New())
	w.note(1, 200)
	if n := w.counted("lost"); n != 11 {
		t.Errorf("%d counted as lost, want 11", n)
	}
}

// A server that stops writes all its requests first.
func TestTheEndIsWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { w.log.Run(ctx); close(stopped) }()
	w.note(2, 200)
	pgtest.WaitFor(t, "the requests", func() bool { return len(w.latest()) == 2 })
	w.note(1, 503)
	stop()
	<-stopped
	if all := w.latest(); len(all) != 3 || all[0].Status != 503 {
		t.Errorf("after the end there are %d", len(all))
	}
}

// Note allocates nothing in the long run.
func TestNoteAllocatesNothing(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts other tests too
	l := requestlog.New(requestlog.Config{Log: zerolog.Nop()})
	r := requestlog.Request{
		Application: domain.ApplicationID(uuid.New()), At: time.Now(), ID: uuid.NewString(),
		Method: "POST", Route: "/payment-intents", Status: 201,
	}
	for range requestlog.PerFlush {
		l.Note(r)
	}
	if n := testing.AllocsPerRun(1000, func() { l.Note(r) }); n > 0 {
		t.Errorf("%v allocations a request", n)
	}
}

// The table is unlogged, and its primary key is its only index: a row must cost less than one of
// the ledger.
func TestTableIsCheap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var persistence string
	var indexes []string
	err := w.pool.QueryRow(t.Context(), `
SELECT c.relpersistence::text,
       array(SELECT x.indexrelid::regclass::text
             FROM pg_index x
             WHERE x.indrelid = c.oid)
FROM pg_class c
WHERE c.oid = 'api_requests'::regclass`).Scan(&persistence, &indexes)
	if err != nil {
		t.Fatal(err)
	}
	if persistence != "u" || !slices.Equal(indexes, []string{"api_requests_pkey"}) {
		t.Errorf("persistence %q, indexes %v", persistence, indexes)
	}
}

func BenchmarkNote(b *testing.B) {
	l := requestlog.New(requestlog.Config{Log: zerolog.Nop()})
	r := requestlog.Request{
		Application: domain.ApplicationID(uuid.New()), At: time.Now(), ID: uuid.NewString(),
		Method: "POST", Route: "/payment-intents", Query: strings.Repeat("x", 20), Status: 201,
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			l.Note(r)
		}
	})
}

// Failed requests are counted by application and class, since a time, for those who may see them.
func TestFailedRequestsAreCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.note(2, 503)
	w.flush()
	since := w.next(200).At
	w.note(3, 200)
	w.note(2, 422)
	w.note(1, 401)
	w.note(1, 500)
	w.flush()
	want := []requestlog.Failed{{w.app, 5, 1}, {w.app, 4, 3}}
	got, err := w.requests.Failed(t.Context(), operator, w.org.In(domain.ModeLive), since)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("counted %v, %v, want %v", got, err, want)
	}
	other, _ := w.newApplication()
	for _, of := range []domain.Tenant{other.In(domain.ModeLive), w.org.In(domain.ModeTest)} {
		if got, err := w.requests.Failed(t.Context(), operator, of, since); err != nil || len(got) > 0 {
			t.Errorf("counted %v of others, %v", got, err)
		}
	}
	u, err := w.people.CreateUser(t.Context(), operator, w.org, "till@shop.example", accounts.RoleViewer,
		"seven grey camels at noon")
	if err != nil {
		t.Fatal(err)
	}
	by := u.Actor("192.0.2.7", "")
	_, err = w.requests.Failed(t.Context(), by, w.org.In(domain.ModeLive), since)
	if !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("a viewer may count: %v", err)
	}
}
