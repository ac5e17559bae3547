package ledger_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/ledger"
)

// A refusal returns the state on which the command was refused, and changes nothing.
func TestRefusalReturnsTheState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	row := s.create(t, w.plain())
	state := s.execute(t, row.ID, domain.StartAttempt{
		Attempt: "a", Acquirer: "sandbox", Method: "wallet", Payer: "09•••••01",
	})
	for _, refused := range []struct {
		command domain.Command
		why     domain.Refusal
	}{
		{domain.StartAttempt{Attempt: "b"}, domain.RefusedAttemptOpen},
		{domain.Expire{}, domain.RefusedAttemptOpen},
		{domain.FailAttempt{Attempt: "unknown"}, domain.RefusedUnknownAttempt},
		{domain.RecordPayment{Attempt: "a", Amount: domain.Money{Minor: 1, Currency: domain.LYD}},
			domain.RefusedMismatch},
		{w.plain(), domain.RefusedExists},
	} {
		got, err := s.Execute(t.Context(), row.ID, refused.command, merchant)
		if !errors.Is(err, refused.why) {
			t.Errorf("%T: %v, want %v", refused.command, err, refused.why)
		}
		if diff := cmp.Diff(state, got); diff != "" {
			t.Errorf("%T (-state +returned):\n%s", refused.command, diff)
		}
	}
	if n := w.count(t); n != 2 {
		t.Errorf("%d events, want 2", n)
	}
}

// A command that is delivered twice is carried out once, and the second answer is the same.
func TestExecuteAgainChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	row := s.create(t, w.plain())
	for _, c := range []domain.Command{
		domain.StartAttempt{Attempt: "a"}, domain.FailAttempt{Attempt: "a"},
		domain.StartAttempt{Attempt: "b"}, domain.RecordPayment{Attempt: "b", Amount: row.Amount},
		domain.RecordPayment{Attempt: "a", Amount: row.Amount},
	} {
		state := s.execute(t, row.ID, c)
		if _, start := c.(domain.StartAttempt); start {
			continue // a started attempt is not started again
		}
		if diff := cmp.Diff(state, s.execute(t, row.ID, c)); diff != "" {
			t.Errorf("%T (-once +twice):\n%s", c, diff)
		}
	}
	want := []string{
		"intent.created", "intent.attempt_started", "intent.attempt_failed",
		"intent.attempt_started", "intent.succeeded", "intent.duplicate_payment",
	}
	if diff := cmp.Diff(want, w.types(t, row.ID)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	id := domain.IntentID(uuid.New())
	_, load := s.Load(t.Context(), id)
	_, current := s.Current(t.Context(), id, 0)
	_, fenced := s.Current(t.Context(), id, 1)
	_, execute := s.Execute(t.Context(), id, domain.StartAttempt{Attempt: "a"}, merchant)
	_, expire := s.Execute(t.Context(), id, domain.Expire{}, merchant)
	for what, err := range map[string]error{
		"load": load, "current": current, "current with an epoch": fenced,
		"execute": execute, "expire": expire,
	} {
		if !errors.Is(err, ledger.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", what, err)
		}
	}
	if n := w.count(t); n != 0 {
		t.Errorf("%d events, want none", n)
	}
}

// Sixteen commands are decided on the same state at once, on two servers. One is written; the
// others are decided again and end in a refusal or change nothing, and never in a conflict.
func TestCommandsThatConflictAreDecidedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	servers := [2]*server{w.open(t, 0), w.open(t, 0)}
	row := servers[0].create(t, w.plain())
	rush := func(command func(n int) domain.Command, check func(n int, state domain.Intent, err error)) {
		w.rush(t, servers, 16, func(n int, s *server) {
			state, err := s.Execute(t.Context(), row.ID, command(n), merchant)
			check(n, state, err)
		})
	}
	var started, refused atomic.Int64
	var attempt atomic.Value
	rush(func(n int) domain.Command {
		return domain.StartAttempt{Attempt: domain.AttemptID(fmt.Sprint("try", n))}
	}, func(n int, state domain.Intent, err error) {
		switch {
		case err == nil:
			started.Add(1)
			attempt.Store(domain.AttemptID(fmt.Sprint("try", n)))
		case errors.Is(err, domain.RefusedAttemptOpen) && state.Status == domain.StatusProcessing:
			refused.Add(1)
		default:
			t.Errorf("start %d: %s, %v", n, state.Status, err)
		}
	})
	if started.Load() != 1 || refused.Load() != 15 {
		t.Fatalf("%d started and %d refused, want 1 and 15", started.Load(), refused.Load())
	}
	// The outcome is reported sixteen times, some of them as declined: a payment may come
	// when the attempt is no longer open.
	id, ok := attempt.Load().(domain.AttemptID)
	if !ok {
		t.Fatal("no attempt")
	}
	rush(func(n int) domain.Command {
		if n%4 == 0 {
			return domain.FailAttempt{Attempt: id, Reason: "declined"}
		}
		return domain.RecordPayment{Attempt: id, Amount: row.Amount, ProviderReference: "p"}
	}, func(n int, state domain.Intent, err error) {
		if errors.Is(err, domain.RefusedAttemptPaid) && n%4 == 0 {
			return
		}
		if err != nil || n%4 != 0 && state.Status != domain.StatusSucceeded {
			t.Errorf("report %d: %s, %v", n, state.Status, err)
		}
	})
	types := w.types(t, row.ID)
	paid := strings.Count(strings.Join(types, " "), "intent.succeeded")
	if paid != 1 || types[len(types)-1] != "intent.succeeded" {
		t.Errorf("events %v, want one success at the end", types)
	}
}

// Another server is faster each time. The ledger gives up after a bounded number of tries; the
// command has then changed nothing and may be sent again.
func TestContention(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fast := w.open(t, 0)
	row := fast.create(t, w.plain())
	var reads atomic.Int64
	var interfere atomic.Bool
	pool := w.traced(t, func() {
		if !interfere.Load() {
			return
		}
		attempt := domain.AttemptID(fmt.Sprint("fast", reads.Add(1)))
		fast.execute(t, row.ID, domain.StartAttempt{Attempt: attempt})
		fast.execute(t, row.ID, domain.FailAttempt{Attempt: attempt})
	})
	slow := w.serve(t, w.db.Pool(t), pool, 0)
	interfere.Store(true)
	_, err := slow.Execute(t.Context(), row.ID, domain.StartAttempt{Attempt: "slow"}, merchant)
	if !errors.Is(err, ledger.ErrContention) {
		t.Errorf("execute: %v, want ErrContention", err)
	}
	interfere.Store(false)
	tries := reads.Load()
	if n := w.count(t); tries < 5 || tries > 50 || int64(n) != 1+2*tries {
		t.Errorf("%d events after %d tries, want %d", n, tries, 1+2*tries)
	}
	slow.execute(t, row.ID, domain.StartAttempt{Attempt: "slow"})
}

// The actor and the request are stored with every event.
func TestOriginIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	c := w.plain()
	row, _, err := s.Create(t.Context(), c, w.namespace,
		ledger.Origin{Actor: "application:7", RequestID: "r-1", Correlation: "c-1", Epoch: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Execute(t.Context(), row.ID, domain.StartAttempt{Attempt: "a"},
		ledger.Origin{Actor: "payer", RequestID: "r-2"})
	if err != nil {
		t.Fatal(err)
	}
	// A repeated create is not in the log.
	_, _, err = s.Create(t.Context(), c, w.namespace, ledger.Origin{Actor: "application:8", RequestID: "r-3"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := w.pool.Query(t.Context(), `SELECT metadata FROM events ORDER BY position`)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]string
	for _, text := range texts {
		var m map[string]string
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		got = append(got, m)
	}
	want := []map[string]string{
		{"actor": "application:7", "request_id": "r-1", "correlation_id": "c-1"},
		{"actor": "payer", "request_id": "r-2"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
}
