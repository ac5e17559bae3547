package ledger_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
)

// throughProxy opens a server that reaches the database through a proxy, and prepares its
// statements.
func (w *world) throughProxy(t *testing.T) (*server, *pgtest.ProxyServer, projections.Intent) {
	t.Helper()
	proxy := pgtest.Proxy(t, w.db.ServiceURL())
	pool := pgtest.Open(t, proxy.URL(), postgres.Options{})
	s := w.serve(t, pool, pool, 0)
	row := s.create(t, w.plain())
	return s, proxy, row
}

// unreachable reports whether an error means that the database was out of reach, or that the
// outcome is unknown.
func unreachable(err error) bool {
	if errors.Is(err, eventstore.ErrUnavailable) || errors.Is(err, eventstore.ErrOutcomeUnknown) {
		return true
	}
	return postgres.Classify(err) == postgres.Unavailable
}

func TestDatabaseOutOfReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, proxy, row := w.throughProxy(t)
	fresh := w.plain()
	start := domain.StartAttempt{Attempt: "a"}
	proxy.Refuse()
	_, current := s.Current(t.Context(), row.ID, 1)
	_, absent := s.Current(t.Context(), domain.IntentID(uuid.New()), 1)
	_, load := s.Load(t.Context(), row.ID)
	_, execute := s.Execute(t.Context(), row.ID, start, merchant)
	// After a broken connection a write is tried again for as long as its caller waits.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, created, create := s.Create(ctx, fresh, w.namespace, merchant)
	for what, err := range map[string]error{
		"create": create, "current": current, "current of nothing": absent, "load": load,
		"execute": execute,
	} {
		if !unreachable(err) {
			t.Errorf("%v: %v, which counts as %s", what, err, postgres.Classify(err))
		}
	}
	if created {
		t.Error("an intent was created out of reach of the database")
	}
	proxy.Pass()
	pgtest.WaitFor(t, "the database to be reached again", func() bool {
		_, err := s.Load(t.Context(), row.ID)
		return err == nil
	})
	var again projections.Intent
	pgtest.WaitFor(t, "the create to go through", func() bool {
		var err error
		again, _, err = s.Create(t.Context(), fresh, w.namespace, merchant)
		return err == nil
	})
	if current, err := s.Current(t.Context(), again.ID, 1); err != nil ||
		current.Status != domain.StatusRequiresPaymentMethod {
		t.Errorf("shown as %s, %v", current.Status, err)
	}
	s.execute(t, row.ID, start)
	if n := w.count(t); n != 3 {
		t.Errorf("%d events, want 3", n)
	}
}

// The connection breaks at the commit, before or after the database has committed. The caller
// gets the right answer either way: it has created the intent.
func TestConnectionCutAtCommit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, proxy, row := w.throughProxy(t)
	for what, cut := range map[string]func(func(pgtest.Message) bool) <-chan struct{}{
		"request lost": proxy.LoseRequest, "answer lost": proxy.LoseReply,
	} {
		c := w.plain()
		before := w.count(t)
		happened := cut(pgtest.IsSync)
		i, created, err := s.Create(t.Context(), c, w.namespace, merchant)
		if err != nil || !created {
			t.Errorf("%s: created %v, %v", what, created, err)
		}
		select {
		case <-happened:
		default:
			t.Fatalf("%s: the connection was not cut: the test shows nothing", what)
		}
		state, err := s.Load(t.Context(), i.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(projections.IntentOf(state), i); diff != "" {
			t.Errorf("%s (-events +answered):\n%s", what, diff)
		}
		if n := w.count(t); n != before+1 {
			t.Errorf("%s: %d events more, want 1", what, n-before)
		}
	}
	happened := proxy.LoseReply(pgtest.Contains("intent.attempt_started"))
	state, err := s.Execute(t.Context(), row.ID, domain.StartAttempt{Attempt: "a"}, merchant)
	if err != nil || state.Version != 2 {
		t.Errorf("execute: version %d, %v", state.Version, err)
	}
	select {
	case <-happened:
	default:
		t.Error("the connection was not cut: the test shows nothing")
	}
	s.checkRow(t, state)
}

// A caller that gives up while the database does not answer gets an unknown outcome. When it
// sends the request again, it gets the intent that was created.
func TestSilenceIsAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, proxy, _ := w.throughProxy(t)
	c := w.plain()
	proxy.Stall()
	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error, 1)
	go func() {
		_, _, err := s.Create(ctx, c, w.namespace, merchant)
		errs <- err
	}()
	// The committer has begun the append, so its outcome is unknown when the caller gives up.
	pgtest.WaitFor(t, "the append to begin", func() bool { return s.writing() })
	cancel()
	if err := <-errs; !errors.Is(err, eventstore.ErrOutcomeUnknown) {
		t.Errorf("create: %v, want ErrOutcomeUnknown", err)
	}
	proxy.Pass()
	i, _, err := s.Create(t.Context(), c, w.namespace, merchant)
	if err != nil || i.ID != w.namespace.IntentID(c.MerchantReference) {
		t.Errorf("create again: %+v, %v", i, err)
	}
	if n := w.count(t); n != 2 {
		t.Errorf("%d events, want 2", n)
	}
}
