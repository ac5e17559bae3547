package postgres_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"daftar/internal/postgres"
)

// outage fails for a while, like a database that is starting.
func outage(lasts time.Duration) func() error {
	began := time.Now()
	return func() error {
		if time.Since(began) < lasts {
			return &pgconn.PgError{Code: "57P03"}
		}
		return nil
	}
}

func TestRetrierOutlastsARestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p postgres.Retrier
		for range 2 { // the end of an outage is noticed: it retries during the next one, too
			began := time.Now()
			if err := p.Do(t.Context(), outage(3*time.Second)); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took < 3*time.Second || took > 3200*time.Millisecond {
				t.Errorf("took %v of an outage of 3s", took)
			}
			<-time.After(time.Minute)
		}
	})
}

// Retrier does not wait during a long outage, nor beyond the caller's deadline.
func TestRetrierGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p postgres.Retrier
		down := outage(time.Hour)
		within := func(limit, least, most time.Duration) {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			began := time.Now()
			if err := p.Do(ctx, down); postgres.Classify(err) != postgres.Unavailable {
				t.Errorf("got %v", err)
			}
			if took := time.Since(began); took < least || took > most {
				t.Errorf("with %v to go: took %v, want %v to %v", limit, took, least, most)
			}
		}
		within(time.Second, 300*time.Millisecond, 500*time.Millisecond)
		within(5*time.Second, 3*time.Second, 4*time.Second)
		within(5*time.Second, 0, 0)
		within(100*time.Millisecond, 0, 0)
	})
}

func TestRetrierRetriesOutagesOnly(t *testing.T) {
	t.Parallel()
	var p postgres.Retrier
	want, calls := errors.New("refused"), 0
	if err := p.Do(t.Context(), func() error { calls++; return want }); !errors.Is(err, want) || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
}
